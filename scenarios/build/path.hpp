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

/// A keyframe. An absent value equals that of the keyframe before, and in the first keyframe that
/// of the object's pose.
struct PathEntry {
  double time_s = 0;
  std::optional<Vec3d> position_m;
  std::optional<Quaternion> orientation_wxyz;
};

inline void visit_keys(DocumentVisitor& v, PathEntry& p) {
  v.real({"time_s", "[s]", "ascending", true}, p.time_s, Range::any());
  v.optional({"position_m", "[m]; left out: as before"}, p.position_m,
             [&](const Key& key, Vec3d& value) { v.vector(key, value, Range::any()); });
  v.optional(
      {"orientation_wxyz", "unit quaternion; left out: as before", "[1, 0, 0, 0] is no rotation"},
      p.orientation_wxyz, [&](const Key& key, Quaternion& value) { v.quaternion(key, value); });
}

/// Fills in the absent values of keyframes.
/// @param position, orientation  pose of the object
/// @param keys                   in and out; complete afterwards
void complete_keys(Vec3d position, Quaternion orientation, std::vector<PathEntry>* keys);

/// Visits the key `ease`: the interpolation between keyframes.
inline void visit_ease(DocumentVisitor& v, PathProfile& ease) {
  v.choice({"ease",
            "of the path between keyframes: minimum_jerk, at rest in each; none, at constant speed "
            "from each to the next"},
           ease, choices_of<PathProfile>());
}

/// Path along keyframes, or a constant pose if there are none.
/// @param entries  result of complete_keys()
Path path_of(const Vec3d& position, const Quaternion& orientation,
             const std::vector<PathEntry>& entries, PathProfile ease);

/// Path along the positions of a file, one row per time step, linear between them.
/// @param path   dotted path of the object, for messages
/// @param file   table of positions x y z [m]
/// @param files  in and out: files that were read before
/// @throws InputError if the file cannot be read
Path path_of_track(const YamlNode& root, const std::string& path, const std::string& file,
                   Quaternion orientation_wxyz, const TimeOptions& time, SceneFiles* files);

inline Pose pose_of(Vec3d position, Quaternion orientation) {
  return {position, rotation_matrix(normalized(orientation))};
}

}  // namespace nodia
