#include "scenarios/build/path.hpp"

#include <fmt/format.h>

#include "scenarios/format/table.hpp"

namespace nodia {

void complete_keys(Vec3d position, Quaternion orientation, std::vector<PathEntry>* keys) {
  for (PathEntry& key : *keys) {
    position = key.position_m.value_or(position);
    orientation = key.orientation_wxyz.value_or(orientation);
    key.position_m = position;
    key.orientation_wxyz = orientation;
  }
}

Path path_of(const Vec3d& position, const Quaternion& orientation,
             const std::vector<PathEntry>& entries, PathProfile ease) {
  Path path;
  path.profile = ease;
  if (entries.empty()) path.keys.push_back({0, position, orientation});
  for (const PathEntry& entry : entries) {
    path.keys.push_back({entry.time_s, *entry.position_m, *entry.orientation_wxyz});
  }
  return path;
}

Path path_of_track(const YamlNode& root, const std::string& path, const std::string& file,
                   Quaternion orientation_wxyz, const TimeOptions& time, SceneFiles* files) {
  std::vector<Vec3d>& track = files->tracks[file];
  if (track.empty()) {
    const Table table = named_errors(root, path + ".track", [&] { return read_table(file, 3); });
    for (std::size_t k = 0; k < table.n_row(); ++k) {
      const double* row = table.row(k);
      track.push_back({row[0], row[1], row[2]});
    }
  }
  Path made;
  made.profile = PathProfile::linear;
  for (std::size_t k = 0; k < track.size(); ++k)
    made.keys.push_back({static_cast<double>(k) * time.step_s, track[k], orientation_wxyz});
  return made;
}

}  // namespace nodia
