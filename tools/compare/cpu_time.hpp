/// CPU time, for costs that other programs on the machine must not change.
#pragma once

#include <ctime>

namespace nodia::studies {

/// Of this process, all its threads, since it began [s].
inline double process_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace nodia::studies
