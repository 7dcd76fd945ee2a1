#pragma once

#include <vector>

namespace nodia::studies {

/// Median of the values that are not NaN; NaN if there are none.
double median(std::vector<double> values);

}  // namespace nodia::studies
