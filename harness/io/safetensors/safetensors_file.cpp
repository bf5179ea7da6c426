#include "harness/io/safetensors/safetensors_file.h"

#include <fmt/format.h>

#include <bit>

#include "harness/io/safetensors/safetensors_header.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {

static_assert(std::endian::native == std::endian::little, "the data of a file is little-endian");

namespace {

/// The header's text, its length checked against the limit and the file.
std::string_view header_of(const std::string& path, std::span<const std::byte> file) {
  constexpr std::size_t length_bytes = safetensors_length_bytes;
  if (file.size() < length_bytes)
    throw UsageError(fmt::format("{}: truncated: {} bytes, but the header's length alone takes {}",
                                 path, file.size(), length_bytes));
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), length_bytes);
  if (length > safetensors_max_header_bytes)
    throw UsageError(fmt::format("{}: header length {} is above the format's limit of {} bytes",
                                 path, length, safetensors_max_header_bytes));
  if (length > file.size() - length_bytes)
    throw UsageError(fmt::format("{}: truncated: header length {}, but only {} bytes follow it",
                                 path, length, file.size() - length_bytes));
  return {reinterpret_cast<const char*>(file.data()) + length_bytes, length};
}

}  // namespace

SafetensorsFile::SafetensorsFile(const std::string& path) : path_(path), file_(path) {
  const std::string_view header = header_of(path, file_.bytes());
  const auto data = file_.bytes().subspan(safetensors_length_bytes + header.size());
  for (PlacedTensor& tensor :
       parse_safetensors_header(path, header, static_cast<std::int64_t>(data.size())))
    tensors_.push_back({std::move(tensor.info),
                        data.subspan(static_cast<std::size_t>(tensor.begin),
                                     static_cast<std::size_t>(tensor.end - tensor.begin))});
}

const TensorView* SafetensorsFile::find(std::string_view name) const {
  for (const TensorView& tensor : tensors_)
    if (tensor.info.name == name) return &tensor;
  return nullptr;
}

}  // namespace vparity::harness
