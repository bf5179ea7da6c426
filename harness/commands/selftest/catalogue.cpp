#include "harness/commands/selftest/catalogue.h"

namespace vparity::harness {
namespace {

CatalogueEntry on_device(const char* provider, const char* cases) {
  return {provider, cases, Backend::cuda_sim};
}

}  // namespace

const Catalogue& known_bug_catalogue() {
  static const Catalogue catalogue{
      {"known-bug-log-of-underflow",
       "*,label_smoothing=0.1,*,logits=wide,*,mode=fast,*,softcap=null,*"},
      {"known-bug-shifted-z-loss", "*,mode=fast,*,z_loss=0.0001,"},
      {"known-bug-maximum-from-zero", "*,logits=large_offset,mask=none,mode=fast,*"},
      {"known-bug-zero-times-infinity", "*,mask=random,mode=fast,*,tp=2,*"},
      {"known-bug-storage-type-sums", "*,dtype=bf16,*,logits=normal,*,mode=fast,*,vocab=1003,*"},
      {"known-bug-entropy-sign", "*,mode=fast,*,tokens=5,tp=2,*"},
      {"known-bug-logprob-from-lse", "*,logits=large_offset,mask=none,mode=fast,*"},
      {"known-bug-uncentred-entropy", "*,logits=large_offset,mask=none,mode=fast,*"},

      {"known-bug-local-smoothing", "*,label_smoothing=0.1,*,mode=fast,*,tp=[24],*"},
      {"known-bug-unguarded-merge", "*,mask=one_shard,mode=fast,*"},
      {"known-bug-owner-mask-product", "*,mask=all_but_one,mode=fast,*,tp=[24],*"},
      {"known-bug-infinity-sentinel", "*,mask=target,mode=fast,*,tp=[24],*"},
      {"known-bug-owner-only-gradient", "*,labels=uniform,*,tp=2,*,vocab=257,*"},
      {"known-bug-gradient-times-tp", "*,labels=uniform,*,tp=2,*,vocab=257,*"},
      {"known-bug-no-maximum-exchange", "*,logits=ascending,*,mode=fast,*,tp=2,*"},
      {"known-bug-shard-edge", "*,labels=shard_edges,*,mode=fast,*,tp=[24],*"},
      {"known-bug-mean-of-means", "*,dp_rows=uneven,*,vocab=131,*"},
      {"known-bug-local-token-count", "*,dp_rows=uneven,*,reduction=mean,*,vocab=131,*"},

      {"known-bug-bf16-gradient", "*,dtype=fp32,*,logits=lm_like,*,mode=fast,*,vocab=1003,*"},
      {"known-bug-rounded-probability", "*,dtype=bf16,*,logits=one_peak,*,mode=fast,*"},
      {"known-bug-ignored-times-zero", "*,grad_of=loss,*,logits=nonfinite,*,mode=fast,*"},
      {"known-bug-first-upstream", "*,vocab=257,weights=random_signed,*"},
      {"known-bug-zero-gradient", "*,mode=fast,*,tokens=5,tp=2,*"},

      {"known-bug-overwritten-logits", "*,row_stride=packed,*,vocab=130,*"},
      {"known-bug-empty-kernel", "*,row_stride=packed,*,vocab=130,*"},
      {"known-bug-skipped-last-row", "*,row_stride=packed,*,vocab=130,*"},
      {"known-bug-left-over-result", "*,mode=fast,*,tokens=5,tp=2,*"},
      {"known-bug-32-bit-offsets", "*,row_stride=huge,*"},

      on_device("known-bug-cuda-stale-sums", "*,logits=ascending,mask=none,mode=fast,*"),
      on_device("known-bug-cuda-short-reduction",
                "*,labels=uniform,*,tp=2,*,vocab=257,weights=ones,*"),
      on_device("known-bug-cuda-lost-warp",
                "*,dtype=fp32,*,mode=fast,*,tokens=5,tp=1,*,vocab=1003,*"),
      on_device("known-bug-cuda-missing-barrier",
                "*,dtype=fp32,*,mode=fast,*,tokens=5,*,vocab=1003,*"),
      on_device("known-bug-cuda-skipped-tail",
                "*,in_place=false,*,mode=fast,*,row_stride=packed,*,vocab=130,*"),
      on_device("known-bug-cuda-skipped-head",
                "*,alignment=odd,*,in_place=false,*,mode=fast,*,row_stride=packed,*,vocab=130,*"),
      on_device("known-bug-cuda-dropped-nan", "*,logits=nonfinite,mask=none,mode=fast,*"),
      on_device("known-bug-cuda-infinity-as-number", "*,logits=nonfinite,mask=none,mode=fast,*"),
      on_device("known-bug-cuda-maximum-from-zero", "*,logits=large_offset,mask=none,mode=fast,*"),
      on_device("known-bug-cuda-one-tile-per-block",
                "*,dp=1,*,layout=padded,logits=normal,mask=none,mode=fast,*,tp=2,*,vocab=1003,*"),
      on_device("known-bug-cuda-32-bit-offsets", "*,in_place=false,*,row_stride=huge,*"),
      on_device("known-bug-cuda-summed-padding",
                "*,layout=padded,logits=normal,mask=padding,mode=fast,*"),

      on_device("known-bug-cuda-first-block-only",
                "*,dp=1,*,dtype=fp32,*,mode=fast,*,tp=2,*,vocab=128256,*"),
      on_device("known-bug-cuda-unmoved-blocks",
                "*,dp=1,*,dtype=fp32,*,mode=fast,*,tp=2,*,vocab=128256,*"),
      on_device("known-bug-cuda-owner-by-division",
                "*,labels=shard_edges,layout=balanced,*,mode=fast,*,tp=4,*,vocab=129,*"),
      on_device("known-bug-cuda-owner-mask-product",
                "*,logits=normal,mask=all_but_one,mode=fast,*,tp=[24],*"),
      on_device("known-bug-cuda-local-smoothing",
                "*,label_smoothing=0.1,*,mask=none,mode=fast,*,tp=[24],*"),
      on_device("known-bug-cuda-32-bit-ids", "*,labels=uniform,*,tp=2,*,vocab=257,weights=ones,*"),

      on_device("known-bug-cuda-rounded-one-hot",
                "*,dtype=bf16,*,logits=one_peak,mask=none,mode=fast,*"),
      on_device("known-bug-cuda-overwritten-duplicates",
                "*,ids=3,*,labels=uniform,*,vocab=257,weights=random_signed,*"),
      on_device("known-bug-cuda-missing-temperature", "*,mode=fast,*,temperature=0.7,*"),
      on_device("known-bug-cuda-other-rows-statistics",
                "*,labels=uniform,*,vocab=257,weights=random_signed,*"),
      on_device("known-bug-cuda-no-entropy-gradient",
                "*,labels=uniform,*,vocab=257,weights=random_signed,*"),
      on_device("known-bug-cuda-local-token-count",
                "*,dp_rows=uneven,*,reduction=mean,*,vocab=131,*"),
      on_device("known-bug-cuda-missing-slope", "*,mode=fast,*,softcap=30,*"),
      on_device("known-bug-cuda-unwritten-ignored-rows",
                "*,labels=ignored_30,*,logits=nonfinite,*,mode=fast,*"),
      on_device("known-bug-cuda-unwritten-padding",
                "*,layout=padded,logits=normal,mask=padding,mode=fast,*"),
      on_device("known-bug-cuda-target-after-pass",
                "*,in_place=true,*,mode=fast,*,row_stride=packed,*,vocab=130,*"),
  };
  return catalogue;
}

}  // namespace vparity::harness
