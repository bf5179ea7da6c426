#include "harness/io/safetensors/safetensors_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/io/json/json_file.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

using nlohmann::json;

/// Where an error is: the file, and the tensor once there is one.
struct Location {
  std::string text;

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) const {
    throw UsageError(text + ": " + fmt::format(message, std::forward<Args>(args)...));
  }
  Location tensor(std::string_view name) const {
    return {fmt::format("{}: tensor '{}'", text, name)};
  }
};

json parse_object(const Location& file, std::string_view text) {
  json header = parse_json(text, file.text + ": header");
  if (!header.is_object()) file.fail("header is a JSON {}, must be an object", header.type_name());
  return header;
}

void check_metadata(const Location& file, const json& metadata) {
  if (!metadata.is_object()) file.fail("__metadata__ must be an object of strings");
  for (const auto& [key, value] : metadata.items())
    if (!value.is_string()) file.fail("__metadata__: '{}' must be a string", key);
}

const json& member(const Location& tensor, const json& entry, const char* name) {
  if (const auto found = entry.find(name); found != entry.end()) return *found;
  tensor.fail("'{}' is missing", name);
}

/// An array of integers in [0, 2^63).
std::vector<std::int64_t> integers(const Location& tensor, const json& array, const char* name) {
  if (!array.is_array()) tensor.fail("{} must be an array of integers", name);
  std::vector<std::int64_t> values;
  for (const json& item : array) {
    if (!item.is_number_unsigned() ||
        item.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
      tensor.fail("{} {} must hold integers from 0 to 2^63 - 1", name, array.dump());
    values.push_back(item.get<std::int64_t>());
  }
  return values;
}

TensorType type_of(const Location& tensor, const json& dtype) {
  if (!dtype.is_string()) tensor.fail("dtype must be a string");
  const auto name = dtype.get<std::string>();
  if (const auto type = tensor_type_named(name)) return *type;
  tensor.fail("unknown dtype '{}'{}", name, suggestion(name, tensor_type_names()));
}

PlacedTensor parse_tensor(const Location& at, const std::string& name, const json& entry,
                          std::int64_t data_bytes) {
  if (!entry.is_object()) at.fail("must be an object with dtype, shape and data_offsets");
  const std::vector<std::string> known{"dtype", "shape", "data_offsets"};
  for (const auto& [key, value] : entry.items())
    if (std::ranges::find(known, key) == known.end())
      at.fail("unknown member '{}'{}", key, suggestion(key, known));

  PlacedTensor tensor{{name, type_of(at, member(at, entry, "dtype")),
                       integers(at, member(at, entry, "shape"), "shape")}};
  const auto offsets = integers(at, member(at, entry, "data_offsets"), "data_offsets");
  if (offsets.size() != 2 || offsets[0] > offsets[1])
    at.fail("data_offsets {} must be [BEGIN, END] with BEGIN <= END", entry["data_offsets"].dump());
  tensor.begin = offsets[0];
  tensor.end = offsets[1];

  const auto needed = byte_count(tensor.info);
  if (!needed) at.fail("{} is larger than any file", describe(tensor.info));
  if (tensor.end - tensor.begin != *needed)
    at.fail("data_offsets [{}, {}] hold {} bytes, but {} takes {}", tensor.begin, tensor.end,
            tensor.end - tensor.begin, describe(tensor.info), *needed);
  if (tensor.end > data_bytes)
    at.fail("data ends at byte {}, but the file holds only {} bytes of data (truncated?)",
            tensor.end, data_bytes);
  return tensor;
}

void check_coverage(const Location& file, const std::vector<PlacedTensor>& tensors,
                    std::int64_t data_bytes) {
  std::int64_t end = 0;
  std::string before = "the header";
  for (const PlacedTensor& tensor : tensors) {
    const Location at = file.tensor(tensor.info.name);
    if (tensor.begin < end)
      at.fail("data begins at byte {} and overlaps {}, which ends at {}", tensor.begin, before,
              end);
    if (tensor.begin > end)
      at.fail(
          "data begins at byte {}, {} bytes after the end of {}; tensors follow each other without "
          "gaps",
          tensor.begin, tensor.begin - end, before);
    end = tensor.end;
    before = fmt::format("tensor '{}'", tensor.info.name);
  }
  if (end != data_bytes)
    file.fail("{} trailing bytes after the end of {} at byte {}", data_bytes - end, before, end);
}

}  // namespace

std::vector<PlacedTensor> parse_safetensors_header(const std::string& file, std::string_view header,
                                                   std::int64_t data_bytes) {
  const Location location{file};
  const json entries = parse_object(location, header);
  std::vector<PlacedTensor> tensors;
  for (const auto& [name, entry] : entries.items()) {
    if (name == "__metadata__")
      check_metadata(location, entry);
    else
      tensors.push_back(parse_tensor(location.tensor(name), name, entry, data_bytes));
  }
  std::ranges::sort(tensors, {}, [](const PlacedTensor& t) { return std::pair(t.begin, t.end); });
  check_coverage(location, tensors, data_bytes);
  return tensors;
}

std::vector<PlacedTensor> place_tensors(const std::vector<TensorInfo>& tensors) {
  std::vector<PlacedTensor> placed;
  std::int64_t end = 0;
  for (const TensorInfo& tensor : tensors) {
    const std::int64_t begin = end;
    end += byte_count(tensor).value();
    placed.push_back({tensor, begin, end});
  }
  return placed;
}

std::string format_safetensors_header(const std::vector<PlacedTensor>& tensors) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  for (const PlacedTensor& tensor : tensors)
    header[tensor.info.name] = {{"dtype", name_of(tensor.info.type)},
                                {"shape", tensor.info.shape},
                                {"data_offsets", {tensor.begin, tensor.end}}};
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string length(safetensors_length_bytes, '\0');
  for (std::size_t i = 0; i < length.size(); ++i)
    length[i] = static_cast<char>(text.size() >> (8 * i) & 0xFF);
  return length + text;
}

}  // namespace vparity::harness
