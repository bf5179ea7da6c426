// Mutations that keep a text JSON, so that a fuzzer gets past the parser and into what reads its
// values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vparity::fuzz {

/// What separates the JSON values of an input.
enum class JsonText { one_value, lines };

/// For LLVMFuzzerCustomMutator: changes the `size` bytes at `data`, of which there may become
/// `max_size`, and returns how many there are now. One value in the text (of one line) is replaced,
/// removed, repeated or exchanged for another of the same text; now and then, and always where the
/// text is not JSON, libFuzzer's own mutations of bytes are used.
std::size_t mutate_json(std::uint8_t* data, std::size_t size, std::size_t max_size,
                        unsigned int seed, JsonText kind);

}  // namespace vparity::fuzz
