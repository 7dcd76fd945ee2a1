#include "host/simulation/find_target.hpp"

#include <fmt/format.h>

#include "host/scene/rules.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

template <class Object>
std::size_t find(const std::vector<Object>& objects, const char* key, const std::string& name,
                 const char* rule) {
  require_known(key, name, names_in(objects), rule);
  return static_cast<std::size_t>(index_of(objects, name));
}

/// Path of a mount or attachment. @throws InputError if it has no path
template <class Held>
Path* path_of(const std::vector<Held>& held, const std::string& name,
              std::vector<AttachmentFrameTarget>* targets) {
  const int k = index_of(held, name);
  if (k < 0) return nullptr;
  const Held& own = held[static_cast<std::size_t>(k)];
  if (!own.is_along_path())
    throw_bad_value("frame", name, "an obstacle, or held along a path",
                    own.to.empty()
                        ? fmt::format("robot '{}' holds it: command its drives", own.robot)
                        : fmt::format("it belongs to '{}'", own.to));
  return &(*targets)[static_cast<std::size_t>(k)].path;
}

}  // namespace

std::size_t find_robot(const Scene& scene, const std::string& name) {
  return find(scene.robots, "robot", name, "the name of a robot");
}

Path* find_pose(const Scene& scene, const std::string& robot, int drive, Targets* targets) {
  std::vector<Path>& poses = targets->robots[find_robot(scene, robot)].poses;
  require(drive >= 0 && drive < static_cast<int>(poses.size()), "drive", drive,
          fmt::format("the place of a pose drive of robot '{}', which has {}", robot, poses.size()),
          "");
  return &poses[static_cast<std::size_t>(drive)];
}

Path* find_frame(const Scene& scene, const std::string& name, Targets* targets) {
  require_known("frame", name, names_in(scene.obstacles, scene.mounts, scene.attachments),
                "the name of an obstacle, a mount or an attachment");
  const int obstacle = index_of(scene.obstacles, name);
  Path* const paths[] = {
      obstacle < 0 ? nullptr : &targets->obstacles[static_cast<std::size_t>(obstacle)],
      path_of(scene.mounts, name, &targets->mounts),
      path_of(scene.attachments, name, &targets->attachments)};
  Path* found = nullptr;
  for (Path* path : paths) {
    if (path && found)
      throw_bad_value("frame", name, "the name of one obstacle, mount or attachment",
                      "two have it: rename one");
    if (path) found = path;
  }
  return found;
}

const Path& find_pose(const Scene& scene, const std::string& robot, int drive,
                      const Targets& targets) {
  return *find_pose(scene, robot, drive, const_cast<Targets*>(&targets));
}

const Path& find_frame(const Scene& scene, const std::string& name, const Targets& targets) {
  return *find_frame(scene, name, const_cast<Targets*>(&targets));
}

std::size_t find_attachment(const Scene& scene, const std::string& name) {
  return find(scene.attachments, "attachment", name, "the name of an attachment");
}

}  // namespace nodia
