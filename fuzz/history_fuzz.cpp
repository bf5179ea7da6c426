// Files of a history: refused with a message; or read, and written again without a change.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "fuzz/input.h"
#include "harness/commands/history/night_file.h"
#include "harness/io/usage_error.h"

using namespace vparity;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// A night does not name its cases: series without names do.
std::string written_again(const harness::NightFile& file) {
  reports::History history{.nights = {file.night}};
  for (const auto& point : file.points) history.series.push_back({.points = {point}});
  return harness::night_file(history).text;
}

void read_as_night(const std::string& path) {
  const auto once = written_again(harness::read_night(path));
  fuzz::write_input("again.json", reinterpret_cast<const std::uint8_t*>(once.data()), once.size());
  require(written_again(harness::read_night("again.json")) == once);
}

template <class Read>
void read_or_refuse(const Read& read) {
  try {
    read();
  } catch (const harness::UsageError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = fuzz::write_input("history.json", data, size);
  read_or_refuse([&] { read_as_night(path); });
  read_or_refuse([&] { harness::read_case_list(path); });
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  return fuzz::mutate_json(data, size, max_size, seed, fuzz::JsonText::one_value);
}
