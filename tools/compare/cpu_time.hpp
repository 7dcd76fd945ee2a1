/// CPU time: a measure of cost that other programs on the machine hardly influence.
#pragma once

#include <ctime>

namespace nodia::studies {

/// CPU time of all threads of this process since its start [s].
inline double process_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace nodia::studies
