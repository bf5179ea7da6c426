// The two files of a night: its values, and the list of cases that they belong to. Nights share
// lists. Formats: docs/history.md.
#pragma once

#include <string>
#include <vector>

#include "reports/history/history.h"

namespace vparity::harness {

/// The content of a file and its name in its folder.
struct NamedText {
  std::string name, text;
};

/// The name is a hash of the content, so that equal lists are one file.
NamedText case_list_file(const std::vector<reports::Series>& series);

/// Of a history of one night. The name sorts by time and depends on the run alone.
NamedText night_file(const reports::History& night);

/// The cases of a list, as series without points. Throws UsageError naming file and place.
std::vector<reports::Series> read_case_list(const std::string& path);

struct NightFile {
  reports::Night night;
  std::string case_list;               ///< name of the file
  std::vector<reports::Point> points;  ///< in the order of the list
};
/// Throws UsageError naming file and place.
NightFile read_night(const std::string& path);

}  // namespace vparity::harness
