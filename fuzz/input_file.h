// A fuzzer's bytes as a file, because that is what the readers take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>

namespace vparity::fuzz {

/// Replaces the file `path`, whose folder exists, and returns it.
inline std::string write_input(const std::string& path, const std::uint8_t* data,
                               std::size_t size) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
  return path;
}

}  // namespace vparity::fuzz
