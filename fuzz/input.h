// Inputs of fuzzers: their bytes as files, which readers take, and mutations of JSON, which reach
// past the parser into the code that reads values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace vparity::fuzz {

/// Replaces the file `path`, whose folder exists, and returns `path`.
std::string write_input(const std::string& path, const std::uint8_t* data, std::size_t size);

/// Whether an input is one JSON value or has one on each line.
enum class JsonText { one_value, lines };

/// For LLVMFuzzerCustomMutator: changes the `size` bytes at `data` and returns how many there are
/// now, at most `max_size`. One value in the text (for `lines`: in one line of it) is replaced,
/// removed, repeated or exchanged for another value of the text. One time in four, and whenever the
/// text is not JSON, libFuzzer's own mutations of bytes are used.
std::size_t mutate_json(std::uint8_t* data, std::size_t size, std::size_t max_size,
                        unsigned int seed, JsonText kind);

}  // namespace vparity::fuzz
