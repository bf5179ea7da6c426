#include "harness/rank/eval/eval_output.h"

#include <string_view>
#include <vector>

#include "harness/io/safetensors/safetensors_writer.h"
#include "harness/rank/eval/logits_type.h"

namespace vparity::harness {
namespace {

std::vector<TensorInfo> output_tensors(const CaseParameters& parameters, const TensorInfo& labels) {
  const std::vector<std::int64_t> rows{parameters.tokens};
  return {{"logprob", TensorType::f32, labels.shape},
          {"entropy", TensorType::f32, rows},
          {"lse", TensorType::f32, rows},
          {"loss", TensorType::f32, rows},
          {"grad_logits",
           tensor_type_of(parameters.gradient_dtype()),
           {parameters.tokens, parameters.vocab}}};
}

/// `columns` elements of each row, to the tensor's columns from `first_column` on.
void write_rows(SafetensorsWriter& writer, std::string_view tensor, std::int64_t tensor_columns,
                std::int64_t first_row, std::int64_t first_column, std::int64_t columns,
                const Rows& rows) {
  const auto bytes = static_cast<std::size_t>(columns) * size_of(rows.dtype);
  for (std::int64_t t = 0; t < rows.rows; ++t)
    writer.write(tensor, (first_row + t) * tensor_columns + first_column, {rows.row(t), bytes});
}

}  // namespace

void write_eval_output(const std::string& path, const CaseParameters& parameters,
                       const TensorInfo& labels, std::int64_t first_row,
                       const RankOutputs& computed, const ProcessGrid& grid) {
  SafetensorsWriter writer(path, output_tensors(parameters, labels));
  if (grid.world().rank() == 0) writer.write_header();
  grid.world().barrier();  // setting the file's size comes before anything is written into it

  const ShardColumns& own = computed.columns;
  write_rows(writer, "grad_logits", parameters.vocab, first_row, own.begin, own.valid(),
             computed.gradient->rows());
  if (grid.tp().rank() == 0) {
    const auto replicated = [&](std::string_view tensor, const GuardedRows& values) {
      write_rows(writer, tensor, values.width(), first_row, 0, values.width(), values.rows());
    };
    replicated("logprob", computed.logprob);
    replicated("entropy", computed.entropy);
    replicated("lse", computed.lse);
    replicated("loss", computed.loss);
  }
  writer.sync();
  grid.world().barrier();
}

}  // namespace vparity::harness
