// Files of accepted changes: read, or refused with a message.
#include "fuzz/input.h"
#include "harness/commands/history/accepted_changes_file.h"
#include "harness/io/usage_error.h"

using namespace vparity;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = fuzz::write_input("accepted-changes.json", data, size);
  try {
    harness::read_accepted_changes(path);
  } catch (const harness::UsageError&) {
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  return fuzz::mutate_json(data, size, max_size, seed, fuzz::JsonText::one_value);
}
