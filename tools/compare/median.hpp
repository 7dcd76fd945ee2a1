#pragma once

#include <vector>

namespace nodia::studies {

/// Of the values that are numbers; NaN where there are none.
double median(std::vector<double> values);

}  // namespace nodia::studies
