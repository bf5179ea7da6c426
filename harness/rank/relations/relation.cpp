#include "harness/rank/relations/relation.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "harness/rank/relations/relations.h"

namespace vparity::harness {
namespace {

constexpr std::array relations{shifted_rows, permuted_vocabulary, other_tp,  other_layout,
                               other_chunk,  deleted_columns,     single_row};

}  // namespace

std::vector<Relation> relations_of(const RelationSubject& subject) {
  std::vector<Relation> all;
  if (std::ranges::max(subject.operands.dp_rows()) == 0) return all;
  for (const auto relation : relations) {
    if (auto holds = relation(subject)) all.push_back(std::move(*holds));
  }
  return all;
}

bool has_relations(std::string_view case_id) {
  unsigned digit = 0;  // the first of twelve hexadecimal ones
  std::from_chars(case_id.data(), case_id.data() + 1, digit, 16);
  return digit % 8 == 0;
}

}  // namespace vparity::harness
