// Input files of `vparity eval`: refused with a message, or every element can be read.
#include <vector>

#include "fuzz/input.h"
#include "harness/io/usage_error.h"
#include "harness/rank/eval/file_operands.h"

using namespace vparity;

namespace {

void read_row(const harness::FileOperands& operands, const harness::CaseParameters& parameters,
              std::int64_t row) {
  std::vector<float> logits(static_cast<std::size_t>(parameters.vocab));
  operands.logits(row, 0, logits);
  for (int column = 0; column < parameters.ids; ++column) {
    operands.id(row, column);
    operands.grad_logprob(row, column);
  }
  operands.grad_entropy(row);
  operands.grad_loss(row);
}

void read_all(const harness::FileOperands& operands) {
  harness::CaseParameters parameters;
  operands.complete(parameters);
  operands.check_labels(parameters.ignore_index);
  for (std::int64_t row = 0; row < parameters.tokens; ++row) read_row(operands, parameters, row);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = fuzz::write_input("input.safetensors", data, size);
  try {
    read_all(harness::FileOperands(path, /*dp=*/2));
  } catch (const harness::UsageError&) {
  }
  return 0;
}
