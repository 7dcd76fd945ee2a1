/// Decides which overlaps of a scene's objects are reported.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "host/scene/objects.hpp"
#include "host/simulation/simulation.hpp"

namespace nodia {

/// Two overlapping objects, by their numbers, or two links of one robot.
struct ObjectOverlap {
  std::int32_t i = 0, j = 0;
  double depth_m = 0;  ///< depth of the deepest point of one object in the other
  double share = 0;    ///< depth over the smallest extent of the smaller object [-]
  std::int32_t link_i = 0, link_j = 0;  ///< links of a robot that overlaps itself
};

/// Overlaps that were reported.
struct OverlapMemory {
  struct Told {
    std::int32_t i, j;
    double depth_m;  ///< depth at the start; infinite: the pair is not reported again
  };
  std::vector<Told> told;               ///< few
  std::vector<OverlapNotice> at_start;  ///< notices for the next step
};

/// Reports overlaps of more than 1/1000 of the smaller object at the start. Later it reports every
/// pair once, if it is deeper than 1/20 of the smaller object and twice as deep as at the start.
class OverlapWatch {
 public:
  explicit OverlapWatch(const Scene& scene);

  /// Starts again from these overlaps and clears the memory. The next step returns the notices.
  void start(const std::vector<ObjectOverlap>& overlaps);
  /// Evaluates overlaps at the end of a step; pairs may repeat. @param notices  out, replaced
  void end_step(const std::vector<ObjectOverlap>& overlaps, std::vector<OverlapNotice>* notices);

  /// Names of the two objects; of a robot that overlaps itself, with those of its links.
  std::pair<std::string, std::string> names(const ObjectOverlap& overlap) const;
  /// @param number  of the object (Objects)
  const std::string& name(std::int32_t number) const { return objects_.name(number); }

  const OverlapMemory& memory() const { return memory_; }
  void set_memory(OverlapMemory memory) { memory_ = std::move(memory); }

 private:
  using Told = OverlapMemory::Told;
  Told* find(std::int32_t i, std::int32_t j);
  OverlapNotice notice(const ObjectOverlap& overlap, bool at_start) const;

  Objects objects_;
  std::vector<std::vector<std::string>> link_names_;  ///< by robot
  OverlapMemory memory_;
};

}  // namespace nodia
