#include "fuzz/input.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace vparity::fuzz {
namespace {

using nlohmann::ordered_json;

class Choice {
 public:
  explicit Choice(unsigned int seed) : engine_(seed) {}
  /// Uniform in [0, count), count > 0.
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine_);
  }

 private:
  std::minstd_rand engine_;
};

/// Every value in `root`, starting with itself.
void collect(ordered_json& root, std::vector<ordered_json*>& found) {
  found.push_back(&root);
  if (!root.is_structured()) return;
  for (auto& child : root) collect(child, found);
}

/// Values at the limits of types and of what readers allow.
const std::vector<ordered_json>& borders() {
  static const std::vector<ordered_json> values{nullptr,
                                                true,
                                                false,
                                                0,
                                                -1,
                                                1,
                                                INT64_MAX,
                                                INT64_MIN,
                                                UINT64_MAX,
                                                0.5,
                                                -0.0,
                                                1e308,
                                                5e-324,
                                                "",
                                                "\u0000",
                                                "\u202e<&\"'\x1b[0m",
                                                ordered_json::array(),
                                                ordered_json::object(),
                                                std::string(300, 'x')};
  return values;
}

std::string mutated_text(std::string text) {
  constexpr std::size_t growth = 16;
  const std::size_t size = text.size();
  text.resize(size + growth);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
  return text;
}

void mutate_scalar(ordered_json& value, Choice& choice) {
  if (value.is_string())
    value = mutated_text(value.get<std::string>());
  else if (value.is_number_integer())
    value = value.get<std::int64_t>() ^ (std::int64_t{1} << choice.below(63));
  else
    value = borders()[choice.below(borders().size())];
}

void remove_or_repeat_child(ordered_json& parent, Choice& choice) {
  const auto child =
      std::next(parent.begin(), static_cast<std::ptrdiff_t>(choice.below(parent.size())));
  if (choice.below(2) == 0)
    parent.erase(child);
  else if (parent.is_array())
    parent.push_back(ordered_json(*child));
  else
    parent[child.key() + "_"] = ordered_json(*child);
}

void mutate(ordered_json& root, Choice& choice) {
  std::vector<ordered_json*> values;
  collect(root, values);
  ordered_json& value = *values[choice.below(values.size())];
  switch (choice.below(4)) {
    case 0:
      value = borders()[choice.below(borders().size())];
      break;
    case 1:
      value = ordered_json(*values[choice.below(values.size())]);
      break;
    default:
      if (value.is_structured() && !value.empty())
        remove_or_repeat_child(value, choice);
      else
        mutate_scalar(value, choice);
  }
}

std::optional<std::string> mutated_json(std::string_view text, Choice& choice) {
  auto root = ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded()) return std::nullopt;
  mutate(root, choice);
  return root.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// The part of `text` to mutate: all of it, or one line.
std::string_view part_of(std::string_view text, JsonText kind, Choice& choice) {
  if (kind == JsonText::one_value || text.empty()) return text;
  const std::size_t within = choice.below(text.size());
  const std::size_t begin = within == 0 ? 0 : text.rfind('\n', within - 1) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

std::string write_input(const std::string& path, const std::uint8_t* data, std::size_t size) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
  return path;
}

std::size_t mutate_json(std::uint8_t* data, std::size_t size, std::size_t max_size,
                        unsigned int seed, JsonText kind) {
  Choice choice(seed);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (constexpr std::size_t one_in = 4; choice.below(one_in) == 0)
    return LLVMFuzzerMutate(data, size, max_size);
  const auto part = part_of(text, kind, choice);
  const auto changed = mutated_json(part, choice);
  if (!changed || size - part.size() + changed->size() > max_size)
    return LLVMFuzzerMutate(data, size, max_size);
  const auto begin = static_cast<std::size_t>(part.data() - text.data());
  const std::string after(text.substr(begin + part.size()));
  std::memcpy(data + begin, changed->data(), changed->size());
  std::memcpy(data + begin + changed->size(), after.data(), after.size());
  return begin + changed->size() + after.size();
}

}  // namespace vparity::fuzz
