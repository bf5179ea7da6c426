#include "harness/eval/safetensors_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "harness/eval/safetensors_header.h"

namespace vparity::harness {

SafetensorsWriter::SafetensorsWriter(std::string path, const std::vector<TensorInfo>& tensors)
    : path_(std::move(path)) {
  const std::vector<PlacedTensor> placed = place_tensors(tensors);
  header_ = format_safetensors_header(placed);
  const auto data = static_cast<std::int64_t>(header_.size());
  for (const PlacedTensor& tensor : placed)
    places_[tensor.info.name] = {data + tensor.begin,
                                 static_cast<std::int64_t>(size_of(tensor.info.type))};
  file_bytes_ = data + (placed.empty() ? 0 : placed.back().end);
  fd_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd_ < 0) fail("open");
}

SafetensorsWriter::~SafetensorsWriter() { close(fd_); }

void SafetensorsWriter::fail(const char* operation) const {
  throw std::system_error(errno, std::generic_category(), fmt::format("{}: {}", path_, operation));
}

void SafetensorsWriter::write_header() const {
  if (ftruncate(fd_, file_bytes_) != 0) fail("set size");
  write_at(0, std::as_bytes(std::span(header_)));
}

void SafetensorsWriter::write(std::string_view tensor, std::int64_t first,
                              std::span<const std::byte> elements) const {
  const Place& place = places_.find(tensor)->second;
  write_at(place.offset + first * place.element_bytes, elements);
}

void SafetensorsWriter::write_at(std::int64_t offset, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(fd_, bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += written;
  }
}

void SafetensorsWriter::sync() const {
  if (fsync(fd_) != 0) fail("sync");
}

}  // namespace vparity::harness
