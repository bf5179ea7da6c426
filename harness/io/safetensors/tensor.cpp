#include "harness/io/safetensors/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>

namespace vparity::harness {
namespace {

struct TypeRow {
  TensorType type;
  std::string_view name;
  std::size_t bytes;
};

// In the order of the enumeration.
constexpr std::array types{
    TypeRow{TensorType::boolean, "BOOL", 1},    TypeRow{TensorType::u8, "U8", 1},
    TypeRow{TensorType::i8, "I8", 1},           TypeRow{TensorType::f8_e4m3, "F8_E4M3", 1},
    TypeRow{TensorType::f8_e5m2, "F8_E5M2", 1}, TypeRow{TensorType::i16, "I16", 2},
    TypeRow{TensorType::u16, "U16", 2},         TypeRow{TensorType::f16, "F16", 2},
    TypeRow{TensorType::bf16, "BF16", 2},       TypeRow{TensorType::i32, "I32", 4},
    TypeRow{TensorType::u32, "U32", 4},         TypeRow{TensorType::f32, "F32", 4},
    TypeRow{TensorType::i64, "I64", 8},         TypeRow{TensorType::u64, "U64", 8},
    TypeRow{TensorType::f64, "F64", 8}};

const TypeRow& row_of(TensorType type) { return types.at(static_cast<std::size_t>(type)); }

}  // namespace

std::string_view name_of(TensorType type) { return row_of(type).name; }

std::size_t size_of(TensorType type) { return row_of(type).bytes; }

std::optional<TensorType> tensor_type_named(std::string_view name) {
  const auto row = std::ranges::find(types, name, &TypeRow::name);
  if (row == types.end()) return std::nullopt;
  return row->type;
}

const std::vector<std::string>& tensor_type_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const TypeRow& row : types) all.emplace_back(row.name);
    return all;
  }();
  return names;
}

std::optional<std::int64_t> byte_count(const TensorInfo& tensor) {
  // An empty tensor is empty whatever its other dimensions multiply to.
  if (std::ranges::count(tensor.shape, 0) > 0) return 0;
  auto bytes = static_cast<std::int64_t>(size_of(tensor.type));
  for (const std::int64_t extent : tensor.shape) {
    if (extent > std::numeric_limits<std::int64_t>::max() / bytes) return std::nullopt;
    bytes *= extent;
  }
  return bytes;
}

std::string describe(const TensorInfo& tensor) {
  return fmt::format("{} [{}]", name_of(tensor.type), fmt::join(tensor.shape, ", "));
}

}  // namespace vparity::harness
