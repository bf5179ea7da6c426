#include "vparity/errors.h"

#include <fmt/format.h>

namespace vparity {

LabelError::LabelError(std::int64_t row, int column, std::int64_t id, std::int64_t vocab_size)
    : Error(fmt::format("label {} in global row {}, id column {}, is outside [0, {}) and is not "
                        "ignore_index",
                        id, row, column, vocab_size)),
      global_row(row),
      id_column(column),
      label(id),
      vocab(vocab_size) {}

}  // namespace vparity
