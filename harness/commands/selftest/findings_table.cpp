#include "harness/commands/selftest/findings_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "harness/provider/known_bugs/known_bugs.h"
#include "reports/text/failure_text.h"

namespace vparity::harness {
namespace {

using reports::CaseResult;
using reports::Status;

std::string row(std::size_t width, std::string_view name, std::string_view judgement,
                std::string_view failed, std::string_view error_ratio, std::string_view id,
                std::string_view evidence) {
  std::string text = fmt::format("{:<{}}  {:<9}  {:>7}  {:>11}  {:<12}  {}", name, width, judgement,
                                 failed, error_ratio, id, evidence);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string row_of(const Finding& finding, std::size_t width) {
  const bool with_error_ratio = finding.error_ratio > 0;
  return row(width, finding.subject.provider, name_of(finding.judgement),
             fmt::format("{}/{}", finding.failed, finding.subject.cases.size()),
             with_error_ratio ? fmt::format("{:.3g}", finding.error_ratio) : "", finding.case_id,
             finding.evidence);
}

/// What the bug is and where it was found; nothing for a provider without a known one.
std::string description_of(const std::string& provider) {
  const auto known = known_bugs();
  const auto bug = std::ranges::find(known, provider, &KnownBug::provider);
  if (bug == known.end()) return {};
  return bug->found_in.empty() ? fmt::format(" ({})", bug->what)
                               : fmt::format(" ({}; {})", bug->what, bug->found_in);
}

std::string missed_line(const std::string& provider, const Catalogue& catalogue) {
  const auto entry = std::ranges::find(catalogue, provider, &CatalogueEntry::provider);
  return fmt::format("missed {}{}; its cases: {}\n", provider, description_of(provider),
                     entry == catalogue.end() ? "" : entry->cases);
}

/// A case that did not run is a case of a run that was ended; the table's word says enough.
bool ended_wrongly(const Subject& subject, Status status) {
  if (!is_failure(status) || status == Status::not_run) return false;
  return !subject.has_bug || (status != Status::failed && status != Status::untrusted);
}

/// The first case that ended otherwise than it should, and how many more did.
std::string wrong_end_line(const Subject& subject, const std::vector<CaseResult>& cases) {
  const CaseResult* first = nullptr;
  std::int64_t more = -1;
  for (const std::size_t index : subject.cases) {
    const CaseResult& result = cases.at(index);
    if (!ended_wrongly(subject, result.status)) continue;
    if (++more == 0) first = &result;
  }
  if (first == nullptr) return {};
  return reports::failure_line(*first) +
         (more == 0 ? "\n" : fmt::format(" ({} more of {})\n", more, subject.provider));
}

}  // namespace

std::string findings_table(const std::vector<Finding>& findings) {
  std::size_t width = 0;
  for (const Finding& finding : findings) width = std::max(width, finding.subject.provider.size());
  std::string table =
      row(width, "provider", "judgement", "failed", "error ratio", "case", "worst output");
  for (const Finding& finding : findings) table += row_of(finding, width);
  return table;
}

std::string complaints(const std::vector<Finding>& findings, const Catalogue& catalogue,
                       const std::vector<CaseResult>& cases) {
  std::string text;
  for (const Finding& finding : findings) {
    if (finding.judgement == Judgement::missed)
      text += missed_line(finding.subject.provider, catalogue);
    text += wrong_end_line(finding.subject, cases);
  }
  return text;
}

std::string caught_line(const std::vector<Finding>& findings) {
  const auto bugs = std::ranges::count_if(
      findings, [](const Finding& finding) { return finding.subject.has_bug; });
  const auto caught = std::ranges::count(findings, Judgement::caught, &Finding::judgement);
  return fmt::format("{} of {} caught", caught, bugs);
}

}  // namespace vparity::harness
