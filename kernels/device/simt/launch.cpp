#include "device/simt/launch.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "device/simt/block.h"
#include "device/simt/builtins.h"

namespace vparity::simt {
namespace {

Order next_order() {
  thread_local std::uint64_t launches = 0;
  const std::uint64_t launch = launches++;
  return {static_cast<Order::Kind>(launch % 3), launch};
}

void check_shape(dim3 grid, dim3 block) {
  const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (blocks == 0 || grid.x > 0x7FFFFFFF || grid.y > 65535 || grid.z > 65535) {
    throw std::invalid_argument("simt::launch: no device accepts this grid");
  }
  if (threads == 0 || threads > 1024 || block.z > 64) {
    throw std::invalid_argument("simt::launch: no device accepts this block");
  }
}

/// The running kernel's view of the launch, while it runs.
class Running {
 public:
  Running(Block& block, dim3 grid, dim3 shape) {
    running_block = &block;
    language::gridDim = {grid.x, grid.y, grid.z};
    language::blockDim = {shape.x, shape.y, shape.z};
  }
  ~Running() { running_block = nullptr; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
};

/// The order of the threads, for one block after another.
class Orders {
 public:
  Orders(unsigned threads, const Order& order)
      : kind_(order.kind), random_(order.seed), order_(threads) {
    std::iota(order_.begin(), order_.end(), 0U);
    if (kind_ == Order::descending) std::reverse(order_.begin(), order_.end());
  }
  const std::vector<unsigned>& next() {
    if (kind_ == Order::shuffled) std::shuffle(order_.begin(), order_.end(), random_);
    return order_;
  }

 private:
  Order::Kind kind_;
  std::minstd_rand random_;
  std::vector<unsigned> order_;
};

}  // namespace

void detail::launch(dim3 grid, dim3 shape, Body body, const LaunchOptions& options) {
  if (running_block != nullptr) throw std::logic_error("simt::launch inside a kernel");
  check_shape(grid, shape);
  Orders orders(shape.x * shape.y * shape.z, options.order ? *options.order : next_order());
  Block block(shape, body);
  const Running running(block, grid, shape);
  for (unsigned z = 0; z < grid.z; ++z) {
    for (unsigned y = 0; y < grid.y; ++y) {
      for (unsigned x = 0; x < grid.x; ++x) block.run({x, y, z}, orders.next());
    }
  }
}

}  // namespace vparity::simt
