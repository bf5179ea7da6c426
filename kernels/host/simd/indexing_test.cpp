// Rows that lie 2^30 elements apart: 64-bit offsets, in a mapping of which three pages are touched.
#include <sys/mman.h>

#include "host/simd/row_kernels_test_support.h"

namespace vparity::cpu {
namespace {

class Indexing : public OnEveryTarget {};
VPARITY_ON_EVERY_TARGET(Indexing);

class SparseMapping {
 public:
  explicit SparseMapping(std::size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~SparseMapping() {
    if (mapped()) munmap(data_, bytes_);
  }
  SparseMapping(const SparseMapping&) = delete;
  SparseMapping& operator=(const SparseMapping&) = delete;

  bool mapped() const { return data_ != MAP_FAILED; }
  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  std::size_t bytes_;
  void* data_;
};

// Row t holds {t, t, t}: s = 3, and with A = 1, L = 0, tau = 1 every gradient is p = 1.
TEST_P(Indexing, RowStrideOfTwoToThe30) {
  constexpr std::int64_t stride = std::int64_t{1} << 30;
  const SparseMapping mapping((2 * stride + 1024) * sizeof(float));
  if (!mapping.mapped()) GTEST_SKIP() << "no address space for 8 GiB";
  const MutableRows rows{mapping.data(), DType::fp32, 3, stride};
  const ShardColumns columns{0, 3, 3};
  std::vector<RowGradient> gradients;
  for (std::int64_t t = 0; t < 3; ++t) {
    const auto x = static_cast<float>(t);
    for (std::size_t v = 0; v < 3; ++v) std::memcpy(rows.row(t) + v * sizeof x, &x, sizeof x);
    gradients.push_back({RowGradient::Kind::formula, x, 0, 1, 0, 0});
  }
  const VocabShard logits({rows.data, rows.dtype, rows.rows, rows.row_stride}, columns);

  std::vector<Partial<RowSums>> sums(3);
  forward_rows(logits, {}, false, sums);
  backward_rows(logits, {}, gradients, {}, MutableVocabShard(rows, columns));
  for (std::int64_t t = 0; t < 3; ++t) {
    EXPECT_EQ(sums[static_cast<std::size_t>(t)].value.max, static_cast<float>(t));
    EXPECT_EQ(sums[static_cast<std::size_t>(t)].value.s, 3);
    float gradient[3];
    std::memcpy(gradient, rows.row(t), sizeof gradient);
    for (const float g : gradient) EXPECT_EQ(g, 1.0F);
  }
}

}  // namespace
}  // namespace vparity::cpu
