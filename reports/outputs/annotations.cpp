#include "reports/outputs/annotations.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "reports/model/gate.h"
#include "reports/text/failure_text.h"
#include "reports/text/text_safety.h"

namespace vparity::reports {
namespace {

constexpr std::size_t most = 9;

std::string case_message(const CaseResult& result, const std::string& default_key) {
  return fmt::format("{} {}: {}\nrepeat: {}", name_of(result.status),
                     brief_name(result, default_key), what_failed(result), result.repeat);
}

}  // namespace

std::string github_annotations(std::vector<std::string> messages) {
  if (messages.size() > most) {
    const auto more = messages.size() - most;
    messages.resize(most);
    messages.push_back(fmt::format("{} more: see summary.md", more));
  }
  std::string lines;
  for (const auto& message : messages)
    lines += "::error title=vparity::" + github_escaped(message) + "\n";
  return lines;
}

std::string github_annotations(const Report& report, const std::string& default_key) {
  std::vector<std::string> messages;
  for (const auto& complaint : other_complaints(report)) messages.push_back(complaint.text);
  for (const auto* result : failing_cases(report))
    messages.push_back(case_message(*result, default_key));
  return github_annotations(std::move(messages));
}

}  // namespace vparity::reports
