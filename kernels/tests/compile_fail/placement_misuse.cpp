// Passes one placement for another. No case may compile, except MISUSE 0, the control that
// must (see CMakeLists.txt).
#include "vparity/policy_statistics.h"

void use(vparity::PolicyStatistics& kernels, const vparity::Rows& rows,
         const vparity::FullLogits& full, const vparity::VocabShard& shard,
         const vparity::MutableVocabShard& gradient, const vparity::TokenIds& ids,
         const vparity::Replicated<float>& loss, const vparity::SavedStatistics& saved,
         const vparity::Partial<vparity::Replicated<float>>& partial) {
#if MISUSE == 0
  kernels.forward(shard, ids, {.loss = loss});
  kernels.forward(full.as_only_shard(), ids, {.loss = loss});
  kernels.backward(shard, ids, saved, {}, gradient);
#elif MISUSE == 1  // would add log TP to every log-sum-exp
  kernels.forward(full, ids, {.loss = loss});
#elif MISUSE == 2
  kernels.forward(rows, ids, {.loss = loss});
#elif MISUSE == 3  // one shard's part where all ranks hold the same
  kernels.forward(shard, ids, {.loss = partial});
#elif MISUSE == 4  // the gradient of one shard into memory that is not to be written
  kernels.backward(shard, ids, saved, {}, shard);
#elif MISUSE == 5
  const vparity::FullLogits from_shard = shard;
#endif
  static_cast<void>(rows);
  static_cast<void>(partial);
}
