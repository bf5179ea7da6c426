// The files of a night: its values, and the list of cases that they belong to, which other nights
// share. Formats: docs/history.md.
#pragma once

#include <string>
#include <vector>

#include "reports/history/history.h"

namespace vparity::harness {

/// Text, and the name it goes by in its folder.
struct NamedText {
  std::string name, text;
};

/// The name is made of what the list says, so that equal lists are one file.
NamedText case_list_file(const std::vector<reports::Series>& series);

/// Of a history of one night. The name sorts by time, and is that of the run alone.
NamedText night_file(const reports::History& night);

/// What stands in a list: series without points. Throws UsageError naming file and place.
std::vector<reports::Series> read_case_list(const std::string& path);

struct NightFile {
  reports::Night night;
  std::string case_list;               ///< name of the file
  std::vector<reports::Point> points;  ///< in the order of the list
};
/// Throws UsageError naming file and place.
NightFile read_night(const std::string& path);

}  // namespace vparity::harness
