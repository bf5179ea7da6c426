// What a week is to nights that begin at about the same time of the day.
#pragma once

#include "reports/history/history.h"

namespace vparity::reports {

/// `earlier` began less than a week before `later`: than 6 1/2 days, since nights do not begin at
/// the same minute. Times that cannot be read are all the same.
bool within_a_week(const Night& earlier, const Night& later);

}  // namespace vparity::reports
