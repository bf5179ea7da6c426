#include "harness/run/launcher/launcher.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "harness/run/launcher/child_process.h"
#include "harness/run/launcher/command.h"
#include "harness/run/launcher/first_failing_rank.h"
#include "harness/run/launcher/job_log.h"
#include "harness/run/launcher/log_evidence.h"
#include "harness/run/launcher/process_tree.h"
#include "harness/run/launcher/signal_queue.h"

namespace vparity::harness {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

Clock::time_point after(Seconds duration) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(duration);
}

std::string text_member(const nlohmann::json& body, const char* name) {
  const auto found = body.find(name);
  return found != body.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// One job from its start to the end of its last process.
class Job {
 public:
  Job(const LaunchSpec& spec, const Command& command, JobLog& log,
      const std::function<void(const Event&)>& on_event)
      : limits_(spec.limits),
        states_(states_file_of(spec), spec.ranks),
        log_(log),
        on_event_(on_event),
        child_(command),
        deadline_(after(limits_.launch)) {}

  ~Job() {
    listening_ = false;
    end_all_processes();
  }

  JobOutcome run() {
    while (!child_.exit_status() && !interrupt_ && Clock::now() < deadline_) wait(deadline_);
    read_pipes();  // what was said before the end counts
    // The verdict stands, and so does its evidence, whatever the ranks say while they are ended.
    JobOutcome outcome = verdict();
    if (outcome.end != JobEnd::done) add_evidence(outcome);
    listening_ = false;
    end_all_processes();
    read_pipes();
    take_signals();
    outcome.signal = interrupt_;
    return outcome;
  }

 private:
  enum class Stage { launching, running, ending };

  /// Sleeps until something happens or `until`, and takes in what has come.
  void wait(Clock::time_point until);
  /// Takes in all that was written before the call.
  void read_pipes();
  void read_into_log();
  void read_events();
  void take_signals();
  void dispatch(const std::string& line);
  void follow(const Event& event);
  void enter(Stage stage, Seconds limit);

  JobOutcome verdict();
  JobOutcome verdict_of_ended(const ExitStatus& status) const;
  JobOutcome verdict_of_late() const;
  JobOutcome outcome(JobEnd end, std::string message) const;
  void add_evidence(JobOutcome& outcome) const;

  bool anything_left();
  void wait_for_end(Clock::time_point until);
  void end_all_processes();

  TimeLimits limits_;
  RankStates states_;
  JobLog& log_;
  const std::function<void(const Event&)>& on_event_;
  SignalQueue signals_{SIGINT, SIGTERM, SIGHUP, SIGCHLD};
  ProcessTree tree_;
  ChildProcess child_;
  LineSplitter lines_;
  Clock::time_point deadline_;
  Stage stage_ = Stage::launching;
  bool listening_ = true;
  bool done_ = false;
  int interrupt_ = 0;
  bool hurry_ = false;  ///< told to stop while the processes are being ended
  std::string refusal_;
  std::string running_case_;
  std::string phase_;
};

void Job::wait(Clock::time_point until) {
  using std::chrono::milliseconds;
  const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
  const auto timeout = std::clamp(left, milliseconds(0), milliseconds(1000));
  // A closed descriptor is -1, which poll leaves out.
  std::array<pollfd, 3> ready{{{child_.output().get(), POLLIN, 0},
                               {child_.errors().get(), POLLIN, 0},
                               {signals_.descriptor(), POLLIN, 0}}};
  ::poll(ready.data(), ready.size(), static_cast<int>(timeout.count()));
  read_pipes();
  take_signals();
}

// One read empties a pipe of what was in it; a loop might never catch up with a rank that does not
// stop talking.
constexpr std::size_t pipe_capacity = std::size_t{1} << 16;  // pipe(7)
using PipeBuffer = std::array<char, pipe_capacity>;

void Job::read_pipes() {
  read_into_log();
  read_events();
}

void Job::read_into_log() {
  PipeBuffer buffer;
  const ssize_t got = ::read(child_.errors().get(), buffer.data(), buffer.size());
  if (got > 0) log_.append({buffer.data(), static_cast<std::size_t>(got)});
  if (got == 0) child_.errors().close();
}

void Job::read_events() {
  PipeBuffer buffer;
  const ssize_t got = ::read(child_.output().get(), buffer.data(), buffer.size());
  if (got > 0) {
    lines_.feed({buffer.data(), static_cast<std::size_t>(got)},
                [this](const std::string& line) { dispatch(line); });
  }
  if (got == 0) child_.output().close();
}

void Job::take_signals() {
  while (const auto signal = signals_.take()) {
    if (*signal == SIGCHLD) {
      tree_.reap_orphans(child_.pid());
    } else {
      interrupt_ = *signal;
      hurry_ = !listening_;
    }
  }
}

void Job::dispatch(const std::string& line) {
  if (!listening_) return;
  if (const auto event = parse_event(line)) {
    follow(*event);
    on_event_(*event);
  } else {
    log_.append(line + "\n");  // a library's output, not an event
  }
}

void Job::follow(const Event& event) {
  if (event.kind == "ready") {
    enter(Stage::running, limits_.per_case);
  } else if (event.kind == "case") {
    running_case_ = text_member(event.body, "id");
    enter(Stage::running, limits_.per_case);
  } else if (event.kind == "phase") {
    phase_ = text_member(event.body, "phase");
  } else if (event.kind == "result") {
    running_case_.clear();
    phase_.clear();
    enter(Stage::running, limits_.per_case);
  } else if (event.kind == "refused") {
    refusal_ = text_member(event.body, "message");
    enter(Stage::ending, limits_.tear_down);
  } else if (event.kind == "done") {
    done_ = true;
    enter(Stage::ending, limits_.tear_down);
  }
}

void Job::enter(Stage stage, Seconds limit) {
  stage_ = stage;
  deadline_ = after(limit);
}

JobOutcome Job::outcome(JobEnd end, std::string message) const {
  return {end, std::move(message), running_case_, phase_};
}

JobOutcome Job::verdict() {
  if (!refusal_.empty()) return outcome(JobEnd::refused, refusal_);
  if (child_.exit_status()) return verdict_of_ended(*child_.exit_status());
  if (interrupt_ != 0) return outcome(JobEnd::interrupted, strsignal(interrupt_));
  return verdict_of_late();
}

JobOutcome Job::verdict_of_ended(const ExitStatus& status) const {
  if (done_ && status.success()) return outcome(JobEnd::done, {});
  if (stage_ == Stage::launching) {
    return outcome(JobEnd::launch_failed, "ended before the ranks were ready: " + status.text());
  }
  const auto* when = done_ ? "after the last case: " : "before the job was done: ";
  return outcome(JobEnd::crashed, "the ranks ended " + (when + status.text()));
}

JobOutcome Job::verdict_of_late() const {
  switch (stage_) {
    case Stage::launching:
      return outcome(JobEnd::launch_failed,
                     fmt::format("the ranks were not ready within {} s", limits_.launch.count()));
    case Stage::running:
      return outcome(JobEnd::timeout,
                     fmt::format("no result within {} s{}", limits_.per_case.count(),
                                 phase_.empty() ? "" : ", in phase " + phase_));
    case Stage::ending:
      break;
  }
  return outcome(JobEnd::timeout, fmt::format("the ranks did not end within {} s after their last "
                                              "event",
                                              limits_.tear_down.count()));
}

void Job::add_evidence(JobOutcome& outcome) const {
  if (outcome.end == JobEnd::interrupted || outcome.end == JobEnd::refused) return;
  const auto culprit = first_failing_rank({.log = log_.tail(),
                                           .states = states_.read(),
                                           .running_case = running_case_,
                                           .phase = phase_});
  if (!culprit.empty()) outcome.message += "; " + culprit;
  const bool launched = outcome.end != JobEnd::launch_failed;
  const auto lines = launched ? last_lines_of_ranks(log_.tail()) : last_lines(log_.tail());
  if (!lines.empty()) outcome.message += "; log: " + lines;
}

bool Job::anything_left() {
  child_.exit_status();
  tree_.reap_orphans(child_.pid());
  return !tree_.members().empty();
}

void Job::wait_for_end(Clock::time_point until) {
  constexpr std::chrono::milliseconds tick{20};
  while (Clock::now() < until && !hurry_ && anything_left()) wait(std::min(until, after(tick)));
}

void Job::end_all_processes() {
  if (!anything_left()) return;
  tree_.signal(SIGTERM);
  tree_.signal(SIGCONT);  // a stopped process hears SIGTERM only then
  wait_for_end(after(limits_.tear_down));
  const auto patience = after(limits_.tear_down);
  while (anything_left() && Clock::now() < patience) {
    tree_.signal(SIGKILL);
    hurry_ = false;
    wait_for_end(after(std::chrono::milliseconds(100)));
  }
}

}  // namespace

bool built_with_mpi() { return VPARITY_WITH_MPI; }

JobOutcome run_job(const LaunchSpec& spec, const std::function<void(const Event&)>& on_event) {
  JobLog log(spec.log_file);
  std::optional<Job> job;
  try {
    const auto mpirun = spec.kind == LauncherKind::mpirun
                            ? find_mpirun(spec.mpirun, spec.limits.launch)
                            : MpiLauncher{};
    const auto command = job_command(spec, mpirun);
    if (!command.note.empty()) log.append(command.note + "\n");
    job.emplace(spec, command, log, on_event);
  } catch (const std::runtime_error& error) {
    return {.end = JobEnd::launch_failed, .message = error.what()};
  }
  return job->run();
}

}  // namespace vparity::harness
