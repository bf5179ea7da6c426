// What a person sees of a run while it goes on.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/run/record/run_record.h"
#include "harness/run/request/run_options.h"
#include "reports/model/model.h"

namespace vparity::harness {

struct Progress {
  std::int64_t planned = 0;
  std::int64_t decided = 0;
  std::int64_t failed = 0;
  std::int64_t decided_here = 0;  ///< by this process; a resumed run has others
  double elapsed_s = 0;           ///< of this process
};

/// "123/560 cases, 2 failed, about 20 s left". Without the estimate until this process has decided
/// a case.
std::string progress_text(const Progress& progress);

/// Plain lines on standard output; on a terminal also one progress line that is rewritten.
class Reporter {
 public:
  /// `record` says how far the run is, and is borrowed.
  Reporter(Verbosity verbosity, const RunRecord& record);
  ~Reporter();
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  void group_starts(std::string_view name, std::int64_t cases, int ranks);
  /// A new job runs the cases that the last one left.
  void group_goes_on(std::string_view name, std::int64_t cases);
  void decided(const reports::CaseResult& result);
  void operands_saved(std::string_view id, std::string_view replay);
  void left_out(std::int64_t cases, std::string_view why);

  /// One line on standard error. The text may come from ranks and launchers.
  void warn(std::string_view text);

 private:
  using Clock = std::chrono::steady_clock;

  void line(std::string_view text);
  bool shows_groups() const;
  void show_case(const reports::CaseResult& result);
  void show_progress();
  void clear_progress();

  Verbosity verbosity_;
  bool terminal_;
  const RunRecord& record_;
  std::int64_t decided_here_ = 0;
  bool progress_shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_progress_ = start_;
};

}  // namespace vparity::harness
