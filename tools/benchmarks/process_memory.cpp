#include "tools/benchmarks/process_memory.hpp"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace nodia::studies {
namespace {

/// VmHWM of /proc/self/status; 0 if it is absent.
double peak_MB() {
  std::ifstream file("/proc/self/status");
  std::string word;
  while (file >> word)
    if (word == "VmHWM:") {
      double kB = 0;
      file >> kB;
      return kB * 1024 / 1e6;
    }
  return 0;
}

/// Resets the peak. @return false if the system does not allow it
bool forget_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << 5 << std::flush;
  return file.good();
}

}  // namespace

double resident_MB() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

MemoryRise::MemoryRise() {
  malloc_trim(0);
  peak_known_ = forget_peak();
  before_MB_ = resident_MB();
}

double MemoryRise::MB() const {
  return std::max(0.0, (peak_known_ ? peak_MB() : resident_MB()) - before_MB_);
}

}  // namespace nodia::studies
