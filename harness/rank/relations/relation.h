// Pairs of runs whose outputs must agree by mathematics, whatever they are: nobody has to know the
// right ones.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "harness/case/operands.h"
#include "harness/provider/provider.h"

namespace vparity::harness {

/// What one of the two runs is given, and on how many tensor-parallel ranks.
struct Side {
  std::shared_ptr<const Operands> operands;
  Problem problem;
  int tp = 1;
};

/// Output row r of `second` equals row first_row + r of `first`, for all rows of `second`, but lse,
/// which is larger by lse_shift(r).
struct Relation {
  std::string_view name;
  Side first;
  Side second;
  bool first_is_subject = false;  ///< nothing of `first` differs from what is being checked
  bool same_bits = false;         ///< semantics 6 promises more than agreement within the bounds
  std::int64_t first_row = 0;
  /// Where the gradient of a column of `first` stands in `second`; -1: nowhere.
  std::function<std::int64_t(std::int64_t column)> column = [](std::int64_t v) { return v; };
  std::function<double(std::int64_t row)> lse_shift = [](std::int64_t) { return 0.0; };
};

/// What is being checked. `operands` is borrowed and outlives its relations.
struct RelationSubject {
  const Operands& operands;
  Problem problem;
  int tp = 1;
  int world = 1;  ///< ranks, of which every divisor is a TP size

  Side side() const {
    return {std::shared_ptr<const Operands>(std::shared_ptr<void>(), &operands), problem, tp};
  }
};

/// Those that hold for the subject, each of at most a few runs.
std::vector<Relation> relations_of(const RelationSubject& subject);

/// Whether these are looked at in a case: in one of eight, chosen by its id alone.
bool has_relations(std::string_view case_id);

}  // namespace vparity::harness
