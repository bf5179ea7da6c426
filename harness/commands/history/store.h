// A history on disk: a folder to which files are added and of which none is changed. So writers do
// not meet, one that is killed leaves the history as it was, and two histories are merged by taking
// the files of both. Layout: docs/history.md.
#pragma once

#include <string>
#include <vector>

#include "reports/history/history.h"

namespace vparity::harness {

/// Adds a history of one night to the folder `history`, which is made if it is not there. False if
/// that run is in it already. Throws UsageError if the folder holds something else, or another run
/// of that name; std::system_error if the files cannot be written.
bool add_night(const std::string& history, const reports::History& night);

/// Throws UsageError naming the file and the place in it.
reports::History read_history(const std::string& history);

/// Adds what `others` have, all of which are read before anything is written; returns how many
/// nights that were. Throws as both of the above.
std::size_t merge_histories(const std::string& into, const std::vector<std::string>& others);

}  // namespace vparity::harness
