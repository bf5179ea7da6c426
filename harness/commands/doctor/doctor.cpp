#include "harness/commands/doctor/doctor.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "harness/commands/doctor/bandwidth.h"
#include "harness/commands/doctor/machine.h"
#include "harness/machine/build_info.h"
#include "harness/machine/cache.h"
#include "harness/machine/gpus.h"
#include "harness/machine/host.h"

namespace vparity::harness {
namespace {

using nlohmann::ordered_json;

/// All threads together read at least twice the last-level cache. Their buffers, two for each
/// thread, take at most an eighth of the memory.
std::size_t buffer_bytes(int threads) {
  const std::int64_t wanted =
      std::max(std::int64_t{64} << 20, 2 * last_level_cache_bytes() / threads);
  constexpr std::int64_t least = std::int64_t{1} << 20;
  return static_cast<std::size_t>(std::clamp(memory_bytes() / 16 / threads, least, wanted));
}

ordered_json bandwidth_json(int threads) {
  constexpr std::chrono::milliseconds per_figure{200};
  const Bandwidth measured = measure_bandwidth(threads, buffer_bytes(threads), per_figure);
  return {{"threads", measured.threads},
          {"read_gbps", measured.read_gbps},
          {"copy_gbps", measured.copy_gbps}};
}

ordered_json bandwidths() {
  ordered_json all = ordered_json::array({bandwidth_json(1)});
  if (usable_cores() > 1) all.push_back(bandwidth_json(usable_cores()));
  return all;
}

ordered_json build_json() {
  const BuildInfo build = build_info();
  return {{"compiler", build.compiler}, {"type", build.type}, {"flags", build.flags}};
}

ordered_json cores_json() {
  const auto limit = cgroup_cores();
  return {{"online", online_cores()},
          {"usable", usable_cores()},
          {"cgroup_limit", limit ? ordered_json(*limit) : ordered_json()}};
}

ordered_json trial_json(const char* launcher, const LaunchTrial& trial) {
  return {{"launcher", launcher}, {"ok", trial.ok}, {"message", trial.message}};
}

ordered_json mpi_json(const MpiLauncher& mpirun, const nlohmann::json& ready) {
  const auto text = [](const std::string& value) {
    return value.empty() ? ordered_json() : ordered_json(value);
  };
  return {{"built_with_mpi", built_with_mpi()},
          {"library", text(ready.is_object() ? ready.value("mpi", "") : "")},
          {"mpirun", text(mpirun.path)},
          {"mpirun_version", text(mpirun.version)}};
}

ordered_json cuda_json() {
  const Gpus gpus = find_gpus();
  ordered_json cuda{{"built", gpus.built_with_cuda}, {"nccl_built", gpus.built_with_nccl}};
  cuda.update(cuda_libraries());
  cuda["gpus"] = describe_gpus();
  cuda["no_gpu"] = gpus.count > 0 ? ordered_json() : ordered_json(gpus.reason);
  cuda["driver_gpus"] = gpu_models();
  return cuda;
}

}  // namespace

ordered_json examine_machine() {
  const LaunchTrial threads = try_launch(LauncherKind::threads);
  ordered_json launch = ordered_json::array({trial_json("threads", threads)});
  const MpiLauncher mpirun = find_mpirun();
  nlohmann::json mpi_ready;
  if (built_with_mpi() && mpirun.found()) {
    const LaunchTrial trial = try_launch(LauncherKind::mpirun);
    launch.push_back(trial_json("mpirun", trial));
    mpi_ready = trial.ready;
  }
  const auto nccl = nccl_version();
  return {{"version", version_text(build_info())},
          {"build", build_json()},
          {"host", describe_host()},
          {"cores", cores_json()},
          {"simd", simd_targets()},
          {"bandwidth", bandwidths()},
          {"mpi", mpi_json(mpirun, mpi_ready)},
          {"launch", launch},
          {"cuda", cuda_json()},
          {"nccl", nccl ? ordered_json(*nccl) : ordered_json()}};
}

bool can_run(const ordered_json& examination) {
  return std::ranges::all_of(examination.at("launch"),
                             [](const ordered_json& trial) { return trial.at("ok").get<bool>(); });
}

}  // namespace vparity::harness
