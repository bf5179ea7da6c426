// The threads of one block: who can run, who waits for whom.
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cuda/simt/fiber.h"
#include "cuda/simt/launch.h"
#include "cuda/simt/request.h"
#include "cuda/simt/stall.h"

namespace vparity::simt {

class Block {
 public:
  Block(dim3 shape, detail::Body body);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Runs the block `index` to its end; `order` holds each thread's number once.
  void run(language::uint3 index, std::span<const unsigned> order);

  // What the running thread asks for.
  void meet(Request& request);
  void* shared_memory(const void* site, std::size_t bytes, std::size_t alignment);
  void fence();
  [[noreturn]] void fail(const std::source_location& where, const std::string& what) const;

  /// The life of the thread that is to be run: called on its fiber.
  void run_thread();

 private:
  struct SharedArray;
  using Lanes = std::array<Request*, kWarp>;

  void start(language::uint3 index);
  void resume(unsigned thread);
  void finish() noexcept;
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
  Request* first_at_barrier_ = nullptr;
  std::vector<SharedArray> shared_;
  std::unique_ptr<char[]> meetings_;  // addresses by which ThreadSanitizer knows a meeting
  language::uint3 index_{};
  unsigned running_ = 0;  // the thread that runs
  unsigned exited_ = 0;
  bool abandoned_ = false;
  std::exception_ptr failure_;
};

/// The block that runs on this CPU thread, or null.
extern thread_local constinit Block* running_block;

}  // namespace vparity::simt
