// Bugs in what is written where.
#pragma once

#include <cmath>
#include <utility>

#include "harness/provider/known_bugs/known_bug.h"
#include "harness/provider/plain/plain_kernels.h"

namespace vparity::harness::bugs {

struct OverwrittenLogits : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-overwritten-logits", "the maximum is subtracted from the caller's logits in place",
      "NVIDIA/Megatron-LM#1594, verl#2484", "*,row_stride=packed,*,vocab=130,*"};
  using PlainKernels::PlainKernels;
  GlobalResults forward(const VocabShard& logits, const TokenIds& ids,
                        const StatisticsViews& out) override {
    const GlobalResults results = PlainKernels::forward(logits, ids, out);
    const Rows& given = logits.rows();
    const MutableRows taken{const_cast<std::byte*>(given.data), given.dtype, given.rows,
                            given.row_stride};
    for (std::int64_t t = 0; t < given.rows; ++t) {
      std::vector<double> x = read_row(given, t);
      for (double& element : x) element -= rows()[static_cast<std::size_t>(t)].sums.max;
      write_elements(taken, t, x);
    }
    return results;
  }
};

struct EmptyKernel : PlainKernels {
  static constexpr KnownBug known{"known-bug-empty-kernel", "nothing is written", "",
                                  "*,row_stride=packed,*,vocab=130,*"};
  using PlainKernels::PlainKernels;
  void write_row(std::int64_t, const PlainRow&, const StatisticsViews&) const override {}
  void backward(const VocabShard&, const TokenIds&, const UpstreamGradients&,
                const MutableVocabShard&) override {}
};

struct SkippedLastRow : PlainKernels {
  static constexpr KnownBug known{"known-bug-skipped-last-row", "the last row is not written", "",
                                  "*,row_stride=packed,*,vocab=130,*"};
  using PlainKernels::PlainKernels;
  GlobalResults forward(const VocabShard& logits, const TokenIds& ids,
                        const StatisticsViews& out) override {
    last_row_ = logits.rows().rows - 1;
    return PlainKernels::forward(logits, ids, out);
  }
  void write_row(std::int64_t t, const PlainRow& row, const StatisticsViews& out) const override {
    if (t != last_row_) PlainKernels::write_row(t, row, out);
  }

 private:
  std::int64_t last_row_ = -1;
};

struct LeftOverResult : PlainKernels {
  static constexpr KnownBug known{"known-bug-left-over-result",
                                  "the outputs are those that the previous case has left", "",
                                  "*,mode=fast,*,tokens=5,tp=2,*"};
  using PlainKernels::PlainKernels;
  void write_row(std::int64_t t, const PlainRow& row, const StatisticsViews& out) const override {
    thread_local std::vector<PlainRow> memory;  // of this rank, never cleared
    const auto place = static_cast<std::size_t>(t);
    if (memory.size() <= place) memory.resize(place + 1);
    memory[place].logprob.resize(row.logprob.size());
    PlainKernels::write_row(t, std::exchange(memory[place], row), out);
  }
};

struct Offsets32Bit : PlainKernels {
  static constexpr KnownBug known{"known-bug-32-bit-offsets", "row offsets are 32-bit numbers",
                                  "pytorch/pytorch#190139", "*,row_stride=huge,*"};
  using PlainKernels::PlainKernels;
  std::int64_t row_offset(std::int64_t t, std::int64_t row_stride, DType dtype) const override {
    return static_cast<std::uint32_t>(PlainKernels::row_offset(t, row_stride, dtype));
  }
};

}  // namespace vparity::harness::bugs
