#include "harness/rank/element_comparison/expectation.h"

#include <type_traits>

#include "harness/case/storage.h"
#include "harness/rank/element_comparison/reference_terms.h"

namespace vparity::harness {
namespace {

using reference::Bounded;
using reference::RowStatistics;

/// A row's statistics as ranks exchange them; its ids every rank has, what belongs to an id
/// travels in an IdRecord.
struct RowRecord {
  reference::RowKind kind;
  bool valid;
  std::int64_t valid_columns;
  double max, log_sum, e_log_sum, e_entropy, e_lse;
  Bounded entropy, lse, loss;
  double naive_max, naive_sum, naive_entropy, naive_lse, naive_loss;
};
struct IdRecord {
  double target;
  Bounded logprob;
  double naive_logprob;
};
static_assert(std::is_trivially_copyable_v<RowRecord> && std::is_trivially_copyable_v<IdRecord>);

RowRecord record_of(const ExpectedRow& expected) {
  const RowStatistics& row = expected.right;
  const NaiveRow& naive = expected.naive;
  return {row.kind,      row.valid,     row.valid_columns, row.max,   row.log_sum, row.e_log_sum,
          row.e_entropy, row.e_lse,     row.entropy,       row.lse,   row.loss,    naive.max,
          naive.sum,     naive.entropy, naive.lse,         naive.loss};
}

NaiveRow naive_row_of(const RowRecord& record) {
  return {.max = record.naive_max,
          .sum = record.naive_sum,
          .entropy = record.naive_entropy,
          .lse = record.naive_lse,
          .loss = record.naive_loss,
          .logprob = {}};
}

ExpectedRow row_of(const RowRecord& record, const IdRecord* per_id, std::vector<std::int64_t> ids,
                   std::int64_t vocab) {
  RowStatistics row;
  row.kind = record.kind;
  row.vocab = vocab;
  row.valid_columns = record.valid_columns;
  row.max = record.max;
  row.log_sum = record.log_sum;
  row.entropy = record.entropy;
  row.lse = record.lse;
  row.loss = record.loss;
  row.valid = record.valid;
  row.e_log_sum = record.e_log_sum;
  row.e_entropy = record.e_entropy;
  row.e_lse = record.e_lse;
  NaiveRow naive = naive_row_of(record);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    row.target.push_back(per_id[k].target);
    row.logprob.push_back(per_id[k].logprob);
    naive.logprob.push_back(per_id[k].naive_logprob);
  }
  row.ids = std::move(ids);
  return {std::move(row), std::move(naive)};
}

/// How many of `rows` rows a TP rank owns.
std::int64_t rows_owned(std::int64_t rows, int rank, int tp) { return (rows + tp - 1 - rank) / tp; }

/// All ranks' records, `per_row` for each row, rank after rank.
template <class Record>
std::vector<Record> gather_records(Communicator& tp, const std::vector<Record>& own,
                                   std::int64_t rows, int per_row) {
  std::vector<Record> all(static_cast<std::size_t>(rows * per_row));
  std::vector<std::size_t> sizes;
  for (int rank = 0; rank < tp.size(); ++rank) {
    const std::int64_t records = rows_owned(rows, rank, tp.size()) * per_row;
    sizes.push_back(static_cast<std::size_t>(records) * sizeof(Record));
  }
  tp.all_gather(std::as_bytes(std::span(own)), std::as_writable_bytes(std::span(all)), sizes);
  return all;
}

ExpectedSums sum_over(Communicator& world, const ExpectedSums& own) {
  ExpectedSums sum;
  for (const auto& part : all_gather_values(world, own)) sum.combine(part);
  return sum;
}

}  // namespace

void ExpectedSums::add(const ExpectedRow& row) {
  right.add(row.right);
  RowStatistics as_naive = row.right;
  as_naive.loss = {row.naive.loss, 0};
  as_naive.entropy = {row.naive.entropy, 0};
  naive.add(as_naive);
}

void ExpectedSums::combine(const ExpectedSums& other) {
  right.combine(other.right);
  naive.combine(other.naive);
}

OwnExpectation make_own_expectation(const Operands& operands, const Problem& problem,
                                    const VocabularySplit& split, const ProcessGrid& grid) {
  const reference::Parameters parameters = reference_parameters(problem.options);
  const int dp_rank = grid.dp().rank();
  const std::int64_t first = operands.first_row(dp_rank);
  const std::int64_t end = first + operands.dp_rows()[static_cast<std::size_t>(dp_rank)];
  std::vector<float> logits(static_cast<std::size_t>(problem.vocab));
  const NaiveKernel naive(format_of(problem.logits_dtype), parameters);
  OwnExpectation own;
  for (std::int64_t row = first + grid.tp().rank(); row < end; row += grid.tp().size()) {
    operands.logits(row, 0, logits);
    ExpectedRow expected;
    expected.right = reference::row_statistics(logits, ids_of(operands, problem, row), parameters);
    expected.naive = naive.forward(logits, expected.right);
    own.sums.add(expected);
    own.occurrence.add_row(expected.right, logits, split, problem.options.ignore_index);
    own.rows.push_back(std::move(expected));
  }
  return own;
}

Expectation share_expectation(const OwnExpectation& own, const Operands& operands,
                              const Problem& problem, const ProcessGrid& grid) {
  std::vector<RowRecord> row_records;
  std::vector<IdRecord> id_records;
  for (const ExpectedRow& row : own.rows) {
    row_records.push_back(record_of(row));
    for (std::size_t k = 0; k < row.right.ids.size(); ++k) {
      id_records.push_back({row.right.target[k], row.right.logprob[k], row.naive.logprob[k]});
    }
  }
  const int tp = grid.tp().size();
  const int dp_rank = grid.dp().rank();
  const std::int64_t first = operands.first_row(dp_rank);
  const std::int64_t rows = operands.dp_rows()[static_cast<std::size_t>(dp_rank)];
  row_records = gather_records(grid.tp(), row_records, rows, 1);
  id_records = gather_records(grid.tp(), id_records, rows, problem.id_columns);

  std::vector<std::int64_t> next;  // of each rank's part of the records
  for (int rank = 0; rank < tp; ++rank) {
    next.push_back(rank == 0 ? 0 : next.back() + rows_owned(rows, rank - 1, tp));
  }
  Expectation all;
  for (std::int64_t t = 0; t < rows; ++t) {
    const std::int64_t record = next[static_cast<std::size_t>(owner_of_row(t, tp))]++;
    all.rows.push_back(row_of(row_records[static_cast<std::size_t>(record)],
                              id_records.data() + record * problem.id_columns,
                              ids_of(operands, problem, first + t), problem.vocab));
  }
  all.sums = sum_over(grid.world(), own.sums);
  return all;
}

}  // namespace vparity::harness
