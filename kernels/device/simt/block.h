// The threads of one block: which can run, and which wait for others.
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device/simt/fiber.h"
#include "device/simt/launch.h"
#include "device/simt/request.h"
#include "device/simt/shared_memory.h"
#include "device/simt/stall.h"

namespace vparity::simt {

/// Thrown in a waiting thread to unwind it after its block has failed.
struct Abandoned {};

class Block {
 public:
  Block(dim3 shape, detail::Body body);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Runs the block `index` to its end. `order` has each thread's number once. A thread that has to
  /// wait switches to the next thread in this order that can run.
  void run(language::uint3 index, std::span<const unsigned> order);

  // Requests of the running thread.
  void meet(Request& request);
  SharedArrays& shared() { return shared_; }
  void fence();
  [[noreturn]] void fail(const std::source_location& where, const std::string& what) const;

  /// Runs the thread `running_` from begin to end. Called on its fiber.
  void run_thread();

 private:
  using Lanes = std::array<Request*, kWarp>;

  void start(language::uint3 index);
  Fiber& fiber(unsigned thread) const { return *(*fibers_)[thread]; }
  Fiber& take_over(unsigned thread);
  Fiber& next();
  void abandon();

  void meet_block(Request& request);
  void meet_lanes(Request& request);
  Lanes lanes_of(const Request& request) const;
  void check_alike(const Request& request, const Lanes& lanes) const;
  void check_sources(const Lanes& lanes) const;
  void complete(const Collective& collective, std::span<Request* const> requests,
                unsigned first_thread, char* meeting);
  void order_for_sanitizer(std::span<Request* const> requests, unsigned first_thread,
                           char* meeting) const;
  void wait();

  detail::Body body_;
  std::vector<Thread> threads_;
  std::vector<char> ready_;
  std::vector<unsigned> arrived_;     // per warp: the lanes that wait for lanes
  std::vector<Request*> at_barrier_;  // by thread
  unsigned barrier_count_ = 0;
  unsigned first_at_barrier_ = 0;
  SharedArrays shared_;
  // ThreadSanitizer identifies synchronisation by these addresses: begin and end of the launch,
  // fences, and the meetings of the block and of the lanes from each one on.
  char begin_ = 0, end_ = 0, fence_ = 0;
  std::unique_ptr<char[]> meetings_;
  language::uint3 index_{};
  unsigned running_ = 0;  // the thread that runs
  unsigned exited_ = 0;
  std::span<const unsigned> order_;
  std::size_t position_ = 0;  // of the running thread in the order
  std::size_t blocks_started_ = 0;
  Fiber host_;
  std::vector<std::unique_ptr<Fiber>>* fibers_ = nullptr;  // by thread
  bool abandoned_ = false;
  std::exception_ptr failure_;
};

/// The block that runs on this CPU thread, or null.
extern thread_local constinit Block* running_block;

/// *running_block; throws std::logic_error if it is null.
Block& running();

}  // namespace vparity::simt
