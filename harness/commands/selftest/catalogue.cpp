#include "harness/commands/selftest/catalogue.h"

namespace vparity::harness {
namespace {

CatalogueEntry on_device(const char* provider, const char* cases) {
  return {provider, cases, Backend::cuda_sim};
}

}  // namespace

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

      on_device("faulty-cuda-stale-sums", "*,logits=ascending,mask=none,mode=fast,*"),
      on_device("faulty-cuda-short-reduction",
                "*,labels=uniform,*,tp=2,*,vocab=257,weights=ones,*"),
      on_device("faulty-cuda-lost-warp", "*,dtype=fp32,*,mode=fast,*,tokens=5,tp=1,*,vocab=1003,*"),
      on_device("faulty-cuda-missing-barrier",
                "*,dtype=fp32,*,mode=fast,*,tokens=5,*,vocab=1003,*"),
      on_device("faulty-cuda-skipped-tail",
                "*,in_place=false,*,mode=fast,*,row_stride=packed,*,vocab=130,*"),
      on_device("faulty-cuda-skipped-head",
                "*,alignment=odd,*,in_place=false,*,mode=fast,*,row_stride=packed,*,vocab=130,*"),
      on_device("faulty-cuda-dropped-nan", "*,logits=nonfinite,mask=none,mode=fast,*"),
      on_device("faulty-cuda-infinity-as-number", "*,logits=nonfinite,mask=none,mode=fast,*"),
      on_device("faulty-cuda-maximum-from-zero", "*,logits=large_offset,mask=none,mode=fast,*"),
      on_device("faulty-cuda-one-tile-per-block",
                "*,dp=1,*,layout=padded,logits=normal,mask=none,mode=fast,*,tp=2,*,vocab=1003,*"),
      on_device("faulty-cuda-32-bit-offsets", "*,in_place=false,*,row_stride=huge,*"),
      on_device("faulty-cuda-summed-padding",
                "*,layout=padded,logits=normal,mask=padding,mode=fast,*"),

      on_device("faulty-cuda-first-block-only",
                "*,dp=1,*,dtype=fp32,*,mode=fast,*,tp=2,*,vocab=128256,*"),
      on_device("faulty-cuda-unmoved-blocks",
                "*,dp=1,*,dtype=fp32,*,mode=fast,*,tp=2,*,vocab=128256,*"),
      on_device("faulty-cuda-owner-by-division",
                "*,labels=shard_edges,layout=balanced,*,mode=fast,*,tp=4,*,vocab=129,*"),
      on_device("faulty-cuda-owner-mask-product",
                "*,logits=normal,mask=all_but_one,mode=fast,*,tp=[24],*"),
      on_device("faulty-cuda-local-smoothing",
                "*,label_smoothing=0.1,*,mask=none,mode=fast,*,tp=[24],*"),
      on_device("faulty-cuda-32-bit-ids", "*,labels=uniform,*,tp=2,*,vocab=257,weights=ones,*"),

      on_device("faulty-cuda-rounded-one-hot",
                "*,dtype=bf16,*,logits=one_peak,mask=none,mode=fast,*"),
      on_device("faulty-cuda-overwritten-duplicates",
                "*,ids=3,*,labels=uniform,*,vocab=257,weights=random_signed,*"),
      on_device("faulty-cuda-missing-temperature", "*,mode=fast,*,temperature=0.7,*"),
      on_device("faulty-cuda-other-rows-statistics",
                "*,labels=uniform,*,vocab=257,weights=random_signed,*"),
      on_device("faulty-cuda-no-entropy-gradient",
                "*,labels=uniform,*,vocab=257,weights=random_signed,*"),
      on_device("faulty-cuda-local-token-count", "*,dp_rows=uneven,*,reduction=mean,*,vocab=131,*"),
      on_device("faulty-cuda-missing-slope", "*,mode=fast,*,softcap=30,*"),
      on_device("faulty-cuda-unwritten-ignored-rows",
                "*,labels=ignored_30,*,logits=nonfinite,*,mode=fast,*"),
      on_device("faulty-cuda-unwritten-padding",
                "*,layout=padded,logits=normal,mask=padding,mode=fast,*"),
      on_device("faulty-cuda-target-after-pass",
                "*,in_place=true,*,mode=fast,*,row_stride=packed,*,vocab=130,*"),
  };
  return catalogue;
}

}  // namespace vparity::harness
