// Each relation of its own; nothing where it does not hold for the subject.
#pragma once

#include <optional>

#include "harness/rank/relations/relation.h"

namespace vparity::harness {

/// A constant added to all logits of a row changes lse alone. Not with a softcap, which looks at
/// the logits' size, nor with a z-loss, which is made of lse. The rows are coarsened first, so that
/// the sums are exact in the storage type; so neither side is the subject.
std::optional<Relation> shifted_rows(const RelationSubject& subject);

/// The vocabulary in another order, the ids with it.
std::optional<Relation> permuted_vocabulary(const RelationSubject& subject);

/// Another number of TP ranks out of the same world; more or fewer DP ranks share the rows.
std::optional<Relation> other_tp(const RelationSubject& subject);

/// The vocabulary split in another way.
std::optional<Relation> other_layout(const RelationSubject& subject);

/// Another number of rows per collective.
std::optional<Relation> other_chunk(const RelationSubject& subject);

/// Every fifth column masked, or not there at all.
std::optional<Relation> deleted_columns(const RelationSubject& subject);

/// One row in its batch, or as a batch of its own on DP rank 0.
std::optional<Relation> single_row(const RelationSubject& subject);

}  // namespace vparity::harness
