#include "harness/run/launcher/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace vparity::harness {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

// Open MPI binds Unix sockets some 45 characters below TMPDIR, and their paths end at 107.
constexpr std::size_t longest_tmpdir = 60;

void append(Arguments& to, const Arguments& more) { to.insert(to.end(), more.begin(), more.end()); }

std::string worker_of(const LaunchSpec& spec) {
  const std::string path = spec.worker.empty()
                               ? fs::read_symlink("/proc/self/exe").parent_path() / "vparity-worker"
                               : fs::path(spec.worker);
  if (::access(path.c_str(), X_OK) == 0) return path;
  throw std::runtime_error(
      fmt::format("cannot run {}: it must stand beside vparity; is the build complete?", path));
}

Arguments open_mpi_options() {
  Arguments options{"--oversubscribe", "--bind-to", "none"};
  if (::geteuid() == 0) options.push_back("--allow-run-as-root");
  // Containers forbid the reads of other processes' memory that vader would use; ranks that wait
  // must leave the core to others; and no word about network cards that are not there.
  append(options,
         {"--mca", "btl_vader_single_copy_mechanism", "none", "--mca", "btl", "^openib", "--mca",
          "btl_base_warn_component_unused", "0", "--mca", "mpi_yield_when_idle", "1"});
  return options;
}

Arguments options_for(const MpiLauncher& mpirun) {
  if (mpirun.version.starts_with("Open MPI")) return open_mpi_options();
  if (mpirun.version.starts_with("MPICH")) return {"-bind-to", "none"};
  return {};
}

std::string* find_variable(std::vector<std::string>& environment, std::string_view name) {
  const auto found = std::ranges::find_if(environment, [&](const std::string& entry) {
    return entry.starts_with(name) && entry.substr(name.size()).starts_with('=');
  });
  return found == environment.end() ? nullptr : &*found;
}

bool usable_tmpdir(const std::string& entry) {
  const fs::path path = entry.substr(std::string_view("TMPDIR=").size());
  return path.native().size() <= longest_tmpdir && ::access(path.c_str(), W_OK | X_OK) == 0;
}

// What mpirun tells the ranks of a job about themselves. mpirun takes it for a call by one of its
// own ranks and refuses, also when a job's rank merely is where `vparity` was started.
void leave_surrounding_job(std::vector<std::string>& environment) {
  if (!find_variable(environment, "PMIX_RANK") && !find_variable(environment, "PMI_RANK")) return;
  constexpr std::string_view about_the_job[]{"OMPI_COMM",
                                             "OMPI_APP_CTX",
                                             "OMPI_FILE_LOCATION",
                                             "OMPI_FIRST_RANKS",
                                             "OMPI_NUM_APP_CTX",
                                             "OMPI_UNI",
                                             "OMPI_MCA_orte",
                                             "OMPI_MCA_ess",
                                             "OMPI_MCA_pmix",
                                             "OMPI_MCA_initial_wdir",
                                             "PMIX_",
                                             "PMI_"};
  std::erase_if(environment, [&](const std::string& entry) {
    return std::ranges::any_of(about_the_job,
                               [&](std::string_view prefix) { return entry.starts_with(prefix); });
  });
}

// Settings under which mpirun wraps what rank 0 says on standard output, where its events travel,
// or starts other ranks than the run asks for. What else a user sets is that user's wish.
void leave_settings_that_break_a_run(std::vector<std::string>& environment) {
  constexpr std::string_view breaking[]{"OMPI_MCA_orte_tag_output",
                                        "OMPI_MCA_orte_timestamp_output",
                                        "OMPI_MCA_orte_xml_output",
                                        "OMPI_MCA_rmaps_base_mapping_policy",
                                        "OMPI_MCA_rmaps_base_no_oversubscribe",
                                        "OMPI_MCA_orte_default_hostfile"};
  std::erase_if(environment, [&](const std::string& entry) {
    return std::ranges::find(breaking, std::string_view(entry).substr(0, entry.find('='))) !=
           std::end(breaking);
  });
}

// Open MPI gives up without HOME, and with a TMPDIR that it cannot put its sockets into.
void make_usable_for_mpi(Command& command) {
  auto& environment = command.environment;
  leave_surrounding_job(environment);
  leave_settings_that_break_a_run(environment);
  if (!find_variable(environment, "HOME")) environment.push_back("HOME=/tmp");
  auto* tmpdir = find_variable(environment, "TMPDIR");
  if (!tmpdir || usable_tmpdir(*tmpdir)) return;
  command.note = fmt::format("{} is not writable or too long for sockets; ranks use /tmp", *tmpdir);
  *tmpdir = "TMPDIR=/tmp";
}

Arguments worker_options(const LaunchSpec& spec) {
  return {"--plan", spec.job_file, "--states", states_file_of(spec)};
}

Command threads_command(const LaunchSpec& spec) {
  Arguments arguments{worker_of(spec), "--threads", std::to_string(spec.ranks)};
  append(arguments, worker_options(spec));
  return {arguments, current_environment(), {}};
}

Command mpirun_command(const LaunchSpec& spec, const MpiLauncher& mpirun) {
  if (!mpirun.found()) {
    throw std::runtime_error("no mpirun found, neither where CMake saw one nor in PATH");
  }
  Arguments arguments{mpirun.path, "-n", std::to_string(spec.ranks)};
  append(arguments, options_for(mpirun));
  append(arguments, spec.launcher_args);
  arguments.push_back(worker_of(spec));
  append(arguments, worker_options(spec));
  Command command{arguments, current_environment(), {}};
  make_usable_for_mpi(command);
  return command;
}

}  // namespace

std::string states_file_of(const LaunchSpec& spec) { return spec.job_file + ".ranks"; }

Command job_command(const LaunchSpec& spec, const MpiLauncher& mpirun) {
  return spec.kind == LauncherKind::threads ? threads_command(spec) : mpirun_command(spec, mpirun);
}

}  // namespace vparity::harness
