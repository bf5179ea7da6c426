// Matrix files: read, expanded and planned, or refused with a message.
#include "fuzz/input.h"
#include "harness/io/usage_error.h"
#include "harness/plan/plan.h"
#include "harness/plan/plan_listing.h"

using namespace vparity;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = fuzz::write_input("matrix.json", data, size);
  try {
    plan_listing(harness::make_plan({path}, {}));
  } catch (const harness::UsageError&) {
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  return fuzz::mutate_json(data, size, max_size, seed, fuzz::JsonText::one_value);
}
