/// Durations of a V-FPI solve.
#pragma once

namespace nodia {

/// Durations of the parts of one solve; on the device between events of its stream.
struct VfpiTimes {
  double before_s = 0;  ///< matrix, W and first test [s]
  double loop_s = 0;    ///< iterations and their tests, to the last environment's stop [s]
};

}  // namespace nodia
