#include "harness/case/protocol/rank_states.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "harness/io/file_descriptor.h"

namespace vparity::harness {
namespace {

static_assert(std::is_trivially_copyable_v<RankState>);

// A cache line each, so that ranks do not slow each other down.
constexpr std::size_t slot_bytes = 64;
static_assert(sizeof(RankState) <= slot_bytes);

std::size_t size_of(const reports::FileDescriptor& file, const std::string& path) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) reports::throw_errno("look at", path);
  return static_cast<std::size_t>(status.st_size);
}

}  // namespace

RankStates::RankStates(std::string path, int ranks) : path_(std::move(path)) {
  // Written rather than left a hole: a store to a hole is a bus error where the disk is full.
  reports::FileDescriptor(path_, O_WRONLY | O_CREAT | O_TRUNC)
      .write(std::string(static_cast<std::size_t>(ranks) * slot_bytes, '\0'));
}

RankStates::~RankStates() { ::unlink(path_.c_str()); }

std::vector<RankState> RankStates::read() const {
  std::ifstream file(path_, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  std::vector<RankState> states(bytes.size() / slot_bytes);
  for (std::size_t rank = 0; rank < states.size(); ++rank) {
    std::memcpy(&states[rank], bytes.data() + rank * slot_bytes, sizeof(RankState));
  }
  return states;
}

RankStateWriter::RankStateWriter(const std::string& path, int rank) {
  if (path.empty()) return;
  const reports::FileDescriptor file(path, O_RDWR);
  const auto place = static_cast<std::size_t>(rank) * slot_bytes;
  mapped_bytes_ = size_of(file, path);
  if (mapped_bytes_ < place + slot_bytes) {
    throw std::runtime_error(fmt::format("{} has no place for rank {}", path, rank));
  }
  mapping_ = ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (mapping_ == MAP_FAILED) reports::throw_errno("map", path);
  state_ = reinterpret_cast<RankState*>(static_cast<std::byte*>(mapping_) + place);
}

RankStateWriter::~RankStateWriter() {
  if (mapping_ != nullptr) ::munmap(mapping_, mapped_bytes_);
}

void RankStateWriter::enter_collective() {
  ++state_->collectives;
  state_->waits = true;
}

void RankStateWriter::leave_collective() { state_->waits = false; }

void RankStateWriter::abort() { state_->aborts = true; }

void RankStateWriter::follow(const nlohmann::ordered_json& event) {
  const auto kind = event.value("event", "");
  if (kind == "phase") set_phase(event.value("phase", ""));
  if (kind == "result" || kind == "output") set_phase({});
}

void RankStateWriter::set_phase(std::string_view phase) {
  state_->phase = {};
  std::ranges::copy(phase.substr(0, state_->phase.size() - 1), state_->phase.begin());
}

}  // namespace vparity::harness
