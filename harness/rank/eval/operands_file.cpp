#include "harness/rank/eval/operands_file.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "harness/case/axes.h"
#include "harness/case/storage.h"
#include "harness/io/atomic_file.h"
#include "harness/io/safetensors/safetensors_writer.h"
#include "harness/io/shell_quoted.h"
#include "harness/rank/eval/eval_request.h"
#include "harness/rank/eval/logits_type.h"

namespace vparity::harness {
namespace {

std::vector<TensorInfo> tensors_of(const CaseParameters& parameters) {
  const std::int64_t tokens = parameters.tokens;
  std::vector<std::int64_t> ids_shape{tokens};
  if (parameters.ids > 1) ids_shape.push_back(parameters.ids);

  std::vector<TensorInfo> tensors{
      {"logits", tensor_type_of(parameters.dtype), {tokens, parameters.vocab}},
      {"labels", TensorType::i64, ids_shape},
      {"dp_rows", TensorType::i64, {parameters.dp}}};
  if (parameters.grad_of.logprob) tensors.push_back({"grad_logprob", TensorType::f32, ids_shape});
  if (parameters.grad_of.entropy) tensors.push_back({"grad_entropy", TensorType::f32, {tokens}});
  if (parameters.grad_of.loss) tensors.push_back({"grad_loss", TensorType::f32, {tokens}});
  return tensors;
}

template <class T>
void write_values(SafetensorsWriter& writer, std::string_view tensor, std::int64_t first,
                  const std::vector<T>& values) {
  writer.write(tensor, first, std::as_bytes(std::span(values)));
}

class RowWriter {
 public:
  RowWriter(SafetensorsWriter& writer, const CaseParameters& parameters, const Operands& operands)
      : writer_(writer),
        parameters_(parameters),
        operands_(operands),
        logits_(static_cast<std::size_t>(parameters.vocab)),
        stored_(logits_.size() * size_of(parameters.dtype)) {}

  void write(std::int64_t row) {
    write_logits(row);
    write_ids(row);
    if (parameters_.grad_of.entropy)
      write_values(writer_, "grad_entropy", row, std::vector{operands_.grad_entropy(row)});
    if (parameters_.grad_of.loss)
      write_values(writer_, "grad_loss", row, std::vector{operands_.grad_loss(row)});
  }

 private:
  void write_logits(std::int64_t row) {
    operands_.logits(row, 0, logits_);
    encode(parameters_.dtype, logits_, stored_.data());
    write_values(writer_, "logits", row * parameters_.vocab, stored_);
  }

  void write_ids(std::int64_t row) {
    std::vector<std::int64_t> ids;
    std::vector<float> upstream;
    for (int k = 0; k < parameters_.ids; ++k) {
      ids.push_back(operands_.id(row, k));
      upstream.push_back(operands_.grad_logprob(row, k));
    }
    write_values(writer_, "labels", row * parameters_.ids, ids);
    if (parameters_.grad_of.logprob)
      write_values(writer_, "grad_logprob", row * parameters_.ids, upstream);
  }

  SafetensorsWriter& writer_;
  const CaseParameters& parameters_;
  const Operands& operands_;
  std::vector<float> logits_;
  std::vector<std::byte> stored_;
};

}  // namespace

void write_operands(const std::string& path, const CaseParameters& parameters,
                    const Operands& operands) {
  reports::TemporaryFile file(path);
  SafetensorsWriter writer(file.path(), tensors_of(parameters));
  writer.write_header();
  write_values(writer, "dp_rows", 0, operands.dp_rows());
  RowWriter rows(writer, parameters, operands);
  for (std::int64_t row = 0; row < parameters.tokens; ++row) rows.write(row);
  writer.sync();
  file.commit();
}

std::string replay_command(const std::string& path, const CaseParameters& parameters) {
  const CaseParameters defaults;
  std::string command = "vparity eval " + shell_quoted(path);
  for (const std::string& axis : eval_axes()) {
    const nlohmann::json value = axis_value(parameters, axis);
    if (value == axis_value(defaults, axis)) continue;
    command += fmt::format(" {}", option_of(axis));
    if (value.is_string()) command += fmt::format(" {}", value.get<std::string>());
    if (value.is_number()) command += fmt::format(" {}", value.dump());
  }
  if (parameters.transport == Transport::mpi) command += " --launcher mpirun";
  return command;
}

}  // namespace vparity::harness
