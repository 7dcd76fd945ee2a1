#include "host/io/machine.hpp"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <thread>

namespace nodia {
namespace {

/// Value of the first CPU in /proc/cpuinfo; "unknown" without one.
std::string cpu_value(const std::string& key) {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(':');
    if (line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1) != key) continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    if (start != std::string::npos) return line.substr(start);
  }
  return "unknown";
}

int usable_processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::thread::hardware_concurrency());
}

/// MemAvailable of /proc/meminfo; without it, no limit.
std::size_t kernel_available_bytes() {
  std::ifstream info("/proc/meminfo");
  std::string key, unit;
  for (std::size_t kib = 0; info >> key >> kib >> unit;)
    if (key == "MemAvailable:") return 1024 * kib;
  return std::numeric_limits<std::size_t>::max();
}

/// Reads the number in a file of the control group. @return false if there is none
bool read_bytes(const char* path, std::size_t* bytes) {
  std::ifstream file(path);
  return static_cast<bool>(file >> *bytes);
}

/// Memory that the control group (the root that a container shows) has free.
std::size_t group_available_bytes() {
  std::size_t limit = 0, used = 0;
  if (!(read_bytes("/sys/fs/cgroup/memory.max", &limit) &&
        read_bytes("/sys/fs/cgroup/memory.current", &used)) &&
      !(read_bytes("/sys/fs/cgroup/memory/memory.limit_in_bytes", &limit) &&
        read_bytes("/sys/fs/cgroup/memory/memory.usage_in_bytes", &used)))
    return std::numeric_limits<std::size_t>::max();
  return limit > used ? limit - used : 0;
}

}  // namespace

std::size_t available_memory_bytes() {
  return std::min(kernel_available_bytes(), group_available_bytes());
}

Machine this_machine() {
  utsname system{};
  uname(&system);
  return {cpu_value("model name"), usable_processors(),
          fmt::format("{} {} {}", system.sysname, system.release, system.machine)};
}

std::string cpu_family() {
  return fmt::format("{} {}, glibc {}", cpu_value("vendor_id"), cpu_value("cpu family"),
                     gnu_get_libc_version());
}

}  // namespace nodia
