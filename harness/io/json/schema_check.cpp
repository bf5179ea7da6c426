#include "harness/io/json/schema_check.h"

#include <fmt/format.h>
#include <regex.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "harness/io/json/json_value.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

using nlohmann::json;

struct Violation {
  std::string place;  ///< JSON pointer (RFC 6901)
  std::string message;
};
using Found = std::optional<Violation>;

/// POSIX, because std::regex takes stack by the length of the text that it looks at.
bool obeys_pattern(const std::string& text, const std::string& pattern) {
  regex_t compiled;
  if (::regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0)
    throw std::logic_error("a schema's pattern is no regular expression: " + pattern);
  const std::unique_ptr<regex_t, decltype(&::regfree)> owned(&compiled, &::regfree);
  // With its length, so that a zero byte does not end it.
  regmatch_t whole{.rm_so = 0, .rm_eo = static_cast<regoff_t>(text.size())};
  return ::regexec(&compiled, text.c_str(), 1, &whole, REG_STARTEND) == 0;
}

/// Code points of `text`, which is UTF-8.
std::int64_t characters(const std::string& text) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  return std::ranges::count_if(text, begins);
}

bool is_of_type(const json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  return value.type_name() == type;
}

std::string escaped(std::string name) {
  for (std::size_t at = 0; (at = name.find_first_of("~/", at)) != std::string::npos; at += 2)
    name.replace(at, 1, name[at] == '~' ? "~0" : "~1");
  return name;
}

class Checker {
 public:
  /// A keyword that is not understood would be obeyed by nobody.
  explicit Checker(const json& root) : root_(root) { refuse_unknown_keywords(root); }

  Found check(const json& value, const json& schema) const {
    for (const auto& [keyword, rule] : schema.items()) {
      const auto checker = checkers().at(keyword);
      if (checker == nullptr) continue;
      if (auto found = (this->*checker)(value, rule, schema)) return found;
    }
    return {};
  }

 private:
  using KeywordChecker = Found (Checker::*)(const json& value, const json& rule,
                                            const json& schema) const;

  /// Those without a checker say nothing of their own about a value.
  static const std::map<std::string, KeywordChecker>& checkers() {
    static const std::map<std::string, KeywordChecker> table{
        {"$schema", nullptr},
        {"$defs", nullptr},
        {"title", nullptr},
        {"description", nullptr},
        {"if", nullptr},
        {"else", nullptr},
        {"$ref", &Checker::reference},
        {"additionalProperties", &Checker::additional_properties},
        {"anyOf", &Checker::any_of},
        {"const", &Checker::constant},
        {"enum", &Checker::enumeration},
        {"items", &Checker::items},
        {"maximum", &Checker::maximum},
        {"maxLength", &Checker::max_length},
        {"minItems", &Checker::min_items},
        {"minLength", &Checker::min_length},
        {"minProperties", &Checker::min_properties},
        {"minimum", &Checker::minimum},
        {"pattern", &Checker::pattern},
        {"properties", &Checker::properties},
        {"required", &Checker::required},
        {"then", &Checker::condition},
        {"type", &Checker::type},
    };
    return table;
  }

  static void refuse_unknown_keywords(const json& schema) {
    if (!schema.is_object()) return;
    for (const auto& [keyword, rule] : schema.items()) {
      if (!checkers().contains(keyword))
        throw std::logic_error("a schema's keyword is not understood: " + keyword);
      const bool holds_named_schemas = keyword == "properties" || keyword == "$defs";
      const bool holds_schemas = keyword == "anyOf";
      if (holds_named_schemas || holds_schemas)
        for (const auto& inner : rule) refuse_unknown_keywords(inner);
      else
        refuse_unknown_keywords(rule);
    }
  }

  static Found fail(std::string message) { return Violation{"", std::move(message)}; }

  Found inside(const std::string& name, const json& value, const json& schema) const {
    auto found = check(value, schema);
    if (found) found->place = "/" + escaped(name) + found->place;
    return found;
  }

  Found reference(const json& value, const json& rule, const json&) const {
    const auto pointer = rule.get<std::string>().substr(1);  // after the '#'
    return check(value, root_.at(json::json_pointer(pointer)));
  }

  Found type(const json& value, const json& rule, const json&) const {
    const json types = rule.is_array() ? rule : json::array({rule});
    const bool good = std::ranges::any_of(
        types, [&](const json& one) { return is_of_type(value, one.get<std::string>()); });
    if (good) return {};
    return fail(fmt::format("must be of type {}, not {}",
                            rule.is_array() ? rule.dump() : types[0].get<std::string>(),
                            shown(value)));
  }

  Found constant(const json& value, const json& rule, const json&) const {
    if (value == rule) return {};
    return fail(fmt::format("is {}, must be {}", shown(value), rule.dump()));
  }

  Found enumeration(const json& value, const json& rule, const json&) const {
    if (std::ranges::find(rule, value) != rule.end()) return {};
    return fail(fmt::format("is {}, must be one of {}", shown(value), rule.dump()));
  }

  Found pattern(const json& value, const json& rule, const json&) const {
    if (!value.is_string() || obeys_pattern(value.get_ref<const std::string&>(), rule)) return {};
    return fail(fmt::format("{} is not of the form {}", shown(value), rule.get<std::string>()));
  }

  Found min_length(const json& value, const json& rule, const json&) const {
    if (!value.is_string() || value.get_ref<const std::string&>().size() >= rule) return {};
    return fail("must not be empty");
  }

  Found max_length(const json& value, const json& rule, const json&) const {
    if (!value.is_string() || characters(value.get_ref<const std::string&>()) <= rule) return {};
    return fail(fmt::format("must be no longer than {} characters", rule.dump()));
  }

  Found minimum(const json& value, const json& rule, const json&) const {
    if (!value.is_number() || value >= rule) return {};
    return fail(fmt::format("{} is less than {}", shown(value), rule.dump()));
  }

  Found maximum(const json& value, const json& rule, const json&) const {
    if (!value.is_number() || value <= rule) return {};
    return fail(fmt::format("{} is more than {}", shown(value), rule.dump()));
  }

  Found min_items(const json& value, const json& rule, const json&) const {
    if (!value.is_array() || value.size() >= rule) return {};
    return fail(fmt::format("must have at least {} elements", rule.dump()));
  }

  Found min_properties(const json& value, const json& rule, const json&) const {
    if (!value.is_object() || value.size() >= rule) return {};
    return fail(fmt::format("must have at least {} members", rule.dump()));
  }

  Found items(const json& value, const json& rule, const json&) const {
    if (!value.is_array()) return {};
    for (std::size_t i = 0; i < value.size(); ++i)
      if (auto found = inside(std::to_string(i), value[i], rule)) return found;
    return {};
  }

  Found properties(const json& value, const json& rule, const json&) const {
    if (!value.is_object()) return {};
    for (const auto& [name, schema] : rule.items())
      if (value.contains(name))
        if (auto found = inside(name, value[name], schema)) return found;
    return {};
  }

  Found additional_properties(const json& value, const json& rule, const json& schema) const {
    if (!value.is_object()) return {};
    static const json none = json::object();
    const json& known = schema.contains("properties") ? schema["properties"] : none;
    for (const auto& [name, member] : value.items()) {
      if (known.contains(name)) continue;
      if (rule == false) return fail(unknown_key(name, known));
      if (auto found = inside(name, member, rule)) return found;
    }
    return {};
  }

  static std::string unknown_key(const std::string& name, const json& known) {
    std::vector<std::string> names;
    for (const auto& [known_name, unused] : known.items()) names.push_back(known_name);
    return fmt::format("unknown key {}{}", shown(name), suggestion(name, names));
  }

  Found required(const json& value, const json& rule, const json&) const {
    if (!value.is_object()) return {};
    for (const auto& name : rule)
      if (!value.contains(name.get_ref<const std::string&>()))
        return fail(fmt::format("{} is missing", name.dump()));
    return {};
  }

  Found any_of(const json& value, const json& rule, const json&) const {
    Found last;
    for (const auto& alternative : rule) {
      last = check(value, alternative);
      if (!last) return {};
    }
    return last;
  }

  /// Last of the three, so that what is wrong by itself is found first.
  Found condition(const json& value, const json& then, const json& schema) const {
    if (!check(value, schema.at("if"))) return check(value, then);
    return schema.contains("else") ? check(value, schema["else"]) : std::nullopt;
  }

  const json& root_;
};

}  // namespace

void require_valid(const json& value, const json& schema, const std::string& file) {
  const auto found = Checker(schema).check(value, schema);
  if (!found) return;
  throw UsageError(fmt::format("{}: {}{}{}", file, found->place, found->place.empty() ? "" : ": ",
                               found->message));
}

}  // namespace vparity::harness
