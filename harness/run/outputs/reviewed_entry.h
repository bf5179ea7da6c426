// Shared checks of the files in which people list exceptions with a reason: known failures and
// accepted changes.
#pragma once

#include <string>

#include "harness/io/json/json_place.h"

namespace vparity::harness {

/// Throws UsageError if no case key can ever match `glob`, which is not empty.
void require_possible_glob(const std::string& glob, const JsonPlace& place);

/// Throws UsageError if the day `date`, "YYYY-MM-DD", does not exist.
void require_day(const std::string& date, const JsonPlace& place);

}  // namespace vparity::harness
