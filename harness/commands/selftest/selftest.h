// `vparity selftest`: runs the gate on kernels with known bugs, each of which it must catch.
#pragma once

#include "harness/commands/selftest/catalogue.h"
#include "harness/run/request/run_options.h"

namespace vparity::harness {

/// Runs the catalogue's providers on their cases of the CI matrix that was built in (`all_cases`:
/// on all of them), and the right kernels too; prints a table and, last, "N of N caught". Of
/// `options` those count that say how ranks are started and where files go. Returns the exit code
/// (docs/command-line.md): 0 if every bug is caught and the right kernels pass. Throws as
/// run_matrices.
int run_selftest(RunOptions options, bool all_cases,
                 const Catalogue& catalogue = known_bug_catalogue());

}  // namespace vparity::harness
