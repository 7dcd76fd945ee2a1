#include "scenarios/build/memory_need.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/io/machine.hpp"
#include "host/simulation/memory_estimate.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr double kMostPartBytes = 64e6;  ///< limit of the frames that a trajectory buffers [bytes]

}  // namespace

MemoryNeed memory_need(const Scenario& like, int n_env, int n_recorded) {
  MemoryNeed need;
  need.n_env = n_env;
  need.environment_bytes = estimated_bytes(like.scene);
  need.recording_bytes =
      n_recorded *
      std::min(kMostPartBytes, like.output.part_frames * estimated_frame_bytes(like.scene));
  need.total_bytes = kProgramBytes + n_env * need.environment_bytes + need.recording_bytes;
  need.available_bytes = static_cast<double>(available_memory_bytes());
  return need;
}

void require_memory(const MemoryNeed& need) {
  if (need.total_bytes <= need.available_bytes) return;
  throw InputError(fmt::format(
      "memory: about {} for {} (must be at most the {} that are free; {})",
      shown_bytes(need.total_bytes),
      need.n_env == 1 ? "the scenario" : fmt::format("{} environments", need.n_env),
      shown_bytes(need.available_bytes),
      need.n_env == 1 ? "a coarser mesh needs less"
                      : "fewer environments, recorded environments or nodes need less"));
}

std::string shown_bytes(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.1f} GB", 1e-9 * bytes);
  if (bytes < 1e6) return fmt::format("{:.0f} kB", 1e-3 * bytes);
  return fmt::format("{:.{}f} MB", 1e-6 * bytes, bytes < 1e7 ? 1 : 0);
}

}  // namespace nodia
