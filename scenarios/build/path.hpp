/// Paths of a scenario: keyframes and tracks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/scene/scene.hpp"
#include "scenarios/build/located_errors.hpp"
#include "scenarios/build/scene_files.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

/// A keyframe; what it leaves out it takes from the one before, the first from the object's own
/// pose.
struct PathEntry {
  double time_s = 0;
  std::optional<Vec3d> position_m;
  std::optional<Quaternion> orientation_wxyz;
};

template <class V>
void visit_keys(V& v, PathEntry& p) {
  v.real({"time_s", "[s]", "ascending", true}, p.time_s, Range::any());
  v.optional({"position_m", "[m]; left out: as before"}, p.position_m,
             [&](const Key& key, Vec3d& value) { v.vector(key, value, Range::any()); });
  v.optional(
      {"orientation_wxyz", "unit quaternion; left out: as before", "[1, 0, 0, 0] is no rotation"},
      p.orientation_wxyz, [&](const Key& key, Quaternion& value) { v.quaternion(key, value); });
}

/// Every keyframe complete.
void complete_keys(Vec3d position, Quaternion orientation, std::vector<PathEntry>* keys);

/// How a path goes between its keyframes.
template <class V>
void visit_ease(V& v, PathProfile& ease) {
  v.choice({"ease",
            "of the path between keyframes: minimum_jerk, at rest in each; none, at constant speed "
            "from each to the next"},
           ease, choices_of<PathProfile>());
}

Path path_of(const Vec3d& position, const Quaternion& orientation,
             const std::vector<PathEntry>& entries, PathProfile ease);

/// Path of a frame along the positions of a file, a row a time step.
Path path_of_track(const YamlNode& root, const std::string& path, const std::string& file,
                   Quaternion orientation_wxyz, const TimeOptions& time, SceneFiles* files);

inline Pose pose_of(Vec3d position, Quaternion orientation) {
  return {position, rotation_matrix(normalized(orientation))};
}

}  // namespace nodia
