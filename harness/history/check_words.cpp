#include "harness/history/check_words.h"

#include "harness/case/axes.h"
#include "harness/outputs/output_files.h"
#include "harness/standard_output.h"
#include "reports/history/alarms_text.h"

namespace vparity::harness {

void say_check(const reports::HistoryCheck& check, const reports::History& history,
               const std::vector<reports::AcceptedChange>& accepted, bool all) {
  const auto default_key = case_key(CaseParameters{});
  print_annotations(alarm_messages(check, history, default_key));
  print_out(history_check_text(check, history, accepted, default_key, all));
}

}  // namespace vparity::harness
