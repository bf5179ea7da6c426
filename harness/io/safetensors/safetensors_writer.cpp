#include "harness/io/safetensors/safetensors_writer.h"

#include <fcntl.h>

#include "harness/io/safetensors/safetensors_header.h"

namespace vparity::harness {

SafetensorsWriter::SafetensorsWriter(const std::string& path,
                                     const std::vector<TensorInfo>& tensors)
    : file_(path, O_WRONLY) {
  const std::vector<PlacedTensor> placed = place_tensors(tensors);
  header_ = format_safetensors_header(placed);
  const auto data = static_cast<std::int64_t>(header_.size());
  for (const PlacedTensor& tensor : placed)
    places_[tensor.info.name] = {data + tensor.begin,
                                 static_cast<std::int64_t>(size_of(tensor.info.type))};
  file_bytes_ = data + (placed.empty() ? 0 : placed.back().end);
}

void SafetensorsWriter::write_header() {
  file_.truncate(static_cast<std::size_t>(file_bytes_));
  file_.write_at(0, std::as_bytes(std::span(header_)));
}

void SafetensorsWriter::write(std::string_view tensor, std::int64_t first,
                              std::span<const std::byte> elements) {
  const Place& place = places_.find(tensor)->second;
  file_.write_at(place.offset + first * place.element_bytes, elements);
}

}  // namespace vparity::harness
