/// Which overlaps of a scene's objects are told, and when.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "host/scene/objects.hpp"
#include "host/simulation/simulation.hpp"

namespace nodia {

/// Two objects that lie in each other, by their numbers.
struct ObjectOverlap {
  std::int32_t i = 0, j = 0;
  double depth_m = 0;  ///< of the deepest point of either in the other
  double share = 0;    ///< depth over the smallest extent of the smaller one [-]
};

/// What has been told of overlaps.
struct OverlapMemory {
  struct Told {
    std::int32_t i, j;
    double depth_m;  ///< at the start; infinite where the pair is not told any more
  };
  std::vector<Told> told;               ///< few
  std::vector<OverlapNotice> at_start;  ///< that come with the next step
};

/// Tells overlaps of more than a thousandth of the smaller object at the start, and later every
/// pair once, when it first is deeper than a twentieth of the smaller object and twice as deep as
/// at the start.
class OverlapWatch {
 public:
  explicit OverlapWatch(const Scene& scene) : objects_(scene) {}

  /// Of a new start; forgets what was told. The notices come with the next step.
  void start(const std::vector<ObjectOverlap>& overlaps);
  /// Of the end of a step, any order, pairs more than once. @param notices  out, replaced
  void end_step(const std::vector<ObjectOverlap>& overlaps, std::vector<OverlapNotice>* notices);

  const Objects& objects() const { return objects_; }

  const OverlapMemory& memory() const { return memory_; }
  void set_memory(OverlapMemory memory) { memory_ = std::move(memory); }

 private:
  using Told = OverlapMemory::Told;
  Told* find(std::int32_t i, std::int32_t j);
  OverlapNotice notice(const ObjectOverlap& overlap, bool at_start) const;

  Objects objects_;
  OverlapMemory memory_;
};

}  // namespace nodia
