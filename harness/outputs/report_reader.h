// Reports of finished runs, read back as strictly as they were written.
#pragma once

#include <string>

#include "reports/model.h"

namespace vparity::harness {

/// parity.json of a run's directory. Throws UsageError naming the file and the place in it: not
/// there, not JSON, against the schema, or contradicting itself (an id that is not its key's or
/// stands there twice, a summary that is not that of its cases).
reports::ParityReport read_report(const std::string& run);

}  // namespace vparity::harness
