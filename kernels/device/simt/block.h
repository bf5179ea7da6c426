// The threads of one block: who can run, who waits for whom.
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
#include "device/simt/shared_arrays.h"
#include "device/simt/stall.h"

namespace vparity::simt {

/// Unwinds a thread that waits when its block has failed.
struct Abandoned {};

class Block {
 public:
  Block(dim3 shape, detail::Body body);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Runs the block `index` to its end; `order` holds each thread's number once. The thread that
  /// has to wait goes straight to the next one in this order that can run.
  void run(language::uint3 index, std::span<const unsigned> order);

  // What the running thread asks for.
  void meet(Request& request);
  SharedArrays& shared() { return shared_; }
  void fence();
  [[noreturn]] void fail(const std::source_location& where, const std::string& what) const;

  /// The life of the thread that is to be run: called on its fiber.
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
  // By the addresses of these ThreadSanitizer knows what is ordered: begin and end of the launch,
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

/// The same; throws std::logic_error if there is none.
Block& running();

}  // namespace vparity::simt
