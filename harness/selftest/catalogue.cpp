#include "harness/selftest/catalogue.h"

namespace vparity::harness {

const Catalogue& known_fault_catalogue() {
  static const Catalogue catalogue{
      {"faulty-log-of-underflow",
       "*,label_smoothing=0.1,*,logits=wide,*,mode=fast,*,softcap=null,*"},
      {"faulty-shifted-z-loss", "*,mode=fast,*,z_loss=0.0001,"},
      {"faulty-maximum-from-zero", "*,logits=large_offset,mask=none,mode=fast,*"},
      {"faulty-zero-times-infinity", "*,mask=random,mode=fast,*,tp=2,*"},
      {"faulty-storage-type-sums", "*,dtype=bf16,*,logits=normal,*,mode=fast,*,vocab=1003,*"},
      {"faulty-entropy-sign", "*,mode=fast,*,tokens=5,tp=2,*"},
      {"faulty-logprob-from-lse", "*,logits=large_offset,mask=none,mode=fast,*"},
      {"faulty-uncentred-entropy", "*,logits=large_offset,mask=none,mode=fast,*"},

      {"faulty-local-smoothing", "*,label_smoothing=0.1,*,mode=fast,*,tp=[24],*"},
      {"faulty-unguarded-merge", "*,mask=one_shard,mode=fast,*"},
      {"faulty-owner-mask-product", "*,mask=all_but_one,mode=fast,*,tp=[24],*"},
      {"faulty-infinity-sentinel", "*,mask=target,mode=fast,*,tp=[24],*"},
      {"faulty-owner-only-gradient", "*,labels=uniform,*,tp=2,*,vocab=257,*"},
      {"faulty-gradient-times-tp", "*,labels=uniform,*,tp=2,*,vocab=257,*"},
      {"faulty-no-maximum-exchange", "*,logits=ascending,*,mode=fast,*,tp=2,*"},
      {"faulty-shard-edge", "*,labels=shard_edges,*,mode=fast,*,tp=[24],*"},
      {"faulty-mean-of-means", "*,dp_rows=uneven,*,vocab=131,*"},
      {"faulty-local-token-count", "*,dp_rows=uneven,*,reduction=mean,*,vocab=131,*"},

      {"faulty-bf16-gradient", "*,dtype=fp32,*,logits=lm_like,*,mode=fast,*,vocab=1003,*"},
      {"faulty-rounded-probability", "*,dtype=bf16,*,logits=one_peak,*,mode=fast,*"},
      {"faulty-ignored-times-zero", "*,grad_of=loss,*,logits=nonfinite,*,mode=fast,*"},
      {"faulty-first-upstream", "*,vocab=257,weights=random_signed,*"},
      {"faulty-zero-gradient", "*,mode=fast,*,tokens=5,tp=2,*"},

      {"faulty-overwritten-logits", "*,row_stride=packed,*,vocab=130,*"},
      {"faulty-empty-kernel", "*,row_stride=packed,*,vocab=130,*"},
      {"faulty-skipped-last-row", "*,row_stride=packed,*,vocab=130,*"},
      {"faulty-left-over-result", "*,mode=fast,*,tokens=5,tp=2,*"},
      {"faulty-32-bit-offsets", "*,row_stride=huge,*"},
  };
  return catalogue;
}

}  // namespace vparity::harness
