#include "harness/rank/worker/gpu_libraries.h"

#include "harness/machine/gpus.h"

#if VPARITY_WITH_NCCL
#include "vparity/nccl_communicator.h"
#endif

namespace vparity::harness {

nlohmann::ordered_json gpu_libraries() {
  const nlohmann::ordered_json cuda = cuda_libraries();
  auto libraries = nlohmann::ordered_json::object();
  if (cuda.at("runtime").is_string()) libraries["cuda"] = cuda.at("runtime");
  if (cuda.at("driver").is_string()) libraries["driver"] = cuda.at("driver");
#if VPARITY_WITH_NCCL
  libraries["nccl"] = nccl_version();
#endif
  return libraries;
}

}  // namespace vparity::harness
