// A history on disk: a folder whose files are added and never changed. So several writers can add
// at once, a killed writer leaves the history as it was, and merging two histories takes the files
// of both. Layout: docs/history.md.
#pragma once

#include <string>
#include <vector>

#include "reports/history/history.h"
#include "reports/model/model.h"

namespace vparity::harness {

/// `anchor` is the run of a pinned build beside `run`; the times of `run` are divided by its times.
/// Throws UsageError naming `path` if `anchor` is the run itself, has no throughput, or ran on
/// another machine.
void require_anchor_of(const reports::Report& run, const reports::Report& anchor,
                       const std::string& path);

/// Adds a history of one night to the folder `history`, which is created if missing. False if the
/// run is in it already. Throws UsageError if the folder holds something else, or another run of
/// that name; std::system_error if the files cannot be written.
bool add_night(const std::string& history, const reports::History& night);

/// Throws UsageError naming the file and the place in it.
reports::History read_history(const std::string& history);

/// Adds the nights of `others` and returns their number. All are read before anything is written.
/// Throws as add_night() and read_history().
std::size_t merge_histories(const std::string& into, const std::vector<std::string>& others);

}  // namespace vparity::harness
