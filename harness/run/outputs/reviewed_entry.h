// What the files have in common in which people write down, with a reason, which cases are to be
// judged otherwise: known failures, accepted changes.
#pragma once

#include <string>

#include "harness/io/json/json_place.h"

namespace vparity::harness {

/// Throws UsageError if no case key can ever match `glob`, which is not empty.
void require_possible_glob(const std::string& glob, const JsonPlace& place);

/// Throws UsageError if no calendar has the day `date`, "YYYY-MM-DD".
void require_day(const std::string& date, const JsonPlace& place);

}  // namespace vparity::harness
