// Files of a history: refused in words, or read, and what was read is written as it was.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "fuzz/input_file.h"
#include "fuzz/json_mutator.h"
#include "harness/commands/history/night_file.h"
#include "harness/io/usage_error.h"

using namespace vparity;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// A night by itself knows no cases: any will do.
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
void refused_in_words_or(const Read& read) {
  try {
    read();
  } catch (const harness::UsageError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = fuzz::write_input("history.json", data, size);
  refused_in_words_or([&] { read_as_night(path); });
  refused_in_words_or([&] { harness::read_case_list(path); });
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  return fuzz::mutate_json(data, size, max_size, seed, fuzz::JsonText::one_value);
}
