#include "scenarios/build/robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>

#include "fem/robot/free_base.hpp"
#include "fem/robot/robot_model.hpp"
#include "fem/robot/urdf.hpp"
#include "host/scene/rules.hpp"
#include "scenarios/format/reader.hpp"

namespace nodia {
namespace {

/// Builds the description of one robot.
class RobotBuilder {
 public:
  RobotBuilder(const YamlNode& root, const RobotEntry& entry, const TimeOptions& time,
               SceneFiles* files)
      : root_(root),
        entry_(entry),
        time_(time),
        files_(files),
        path_(fmt::format("robots.{}", entry.name)),
        model_(named_errors(root, path_ + ".urdf", [&] {
          const RobotDescription& file = read_file();
          return RobotModel(entry.base == RobotBase::free ? with_free_base(file) : file,
                            pose_of(entry.position_m, entry.orientation_wxyz));
        })) {
    for (const RobotCoordinate& c : model_.coordinates()) joints_.push_back(c.joint);
  }

  /// @param at_start  in and out: gets the robot's model, in its pose at t = 0
  RobotSceneDescription build(std::vector<RobotModel>* at_start) {
    RobotSceneDescription robot;
    robot.name = entry_.name;
    robot.robot = model_.description();
    robot.base = pose_of(entry_.position_m, entry_.orientation_wxyz);
    robot.q = coordinates();
    model_.update_kinematics(robot.q.data());
    for (const JointDriveEntry& drive : entry_.joint_drives) add(drive, &robot);
    for (const PoseDriveEntry& drive : entry_.pose_drives) add(drive, &robot);
    robot.gravity_compensation = entry_.gravity_compensation;
    robot.collides = entry_.collides;
    robot.self_contact = entry_.self_contact;
    for (const LinkPairEntry& pair : entry_.self_contact_exclude)
      robot.self_contact_exclude.push_back({pair.link, pair.other});
    robot.friction = entry_.friction;
    for (const ForceSensorEntry& sensor : entry_.force_sensors)
      robot.force_sensors.push_back({sensor.name, sensor.link});
    if (entry_.collides) add_meshes(&robot);
    at_start->push_back(std::move(model_));
    return robot;
  }

 private:
  const RobotDescription& read_file() const {
    const UrdfOptions options{entry_.collides ? UrdfMeshes::read : UrdfMeshes::try_read,
                              entry_.repair, entry_.collada_up_axis, files_->packages};
    const std::tuple key{entry_.urdf, options.meshes, options.repair, options.collada_up_axis};
    auto found = files_->robots.find(key);
    if (found == files_->robots.end())
      found = files_->robots.emplace(key, read_urdf(entry_.urdf, options)).first;
    return found->second;
  }

  std::vector<double> coordinates() const {
    std::vector<double> q;
    for (const RobotCoordinate& c : model_.coordinates())
      q.push_back(std::clamp(0.0, c.lower, c.upper));
    for (const NamedNumber& given : entry_.q) {
      const std::string where = joined(path_ + ".q", given.name);
      try {
        require_known(where, given.name, joints_, "a joint that moves by itself");
      } catch (const ValueError& error) {
        refuse(root_, error);
      }
      const auto k = static_cast<std::size_t>(model_.find_coordinate(given.name));
      q[k] = given.value;
    }
    return q;
  }

  void add(const JointDriveEntry& entry, RobotSceneDescription* robot) const {
    JointDriveDescription& drive = robot->joint_drives.emplace_back();
    drive.joint = entry.name;
    drive.stiffness = entry.stiffness;
    drive.damping = entry.damping;
    drive.profile = entry.ease;
    for (const JointKeyEntry& key : entry.path) drive.path.push_back({key.time_s, key.target});
  }

  void add(const PoseDriveEntry& entry, RobotSceneDescription* robot) const {
    PoseDriveDescription& drive = robot->pose_drives.emplace_back();
    drive.name = entry.name;
    drive.link = entry.link;
    drive.frame = pose_of(entry.frame_position_m, entry.frame_orientation_wxyz);
    const int found = robot->robot.find_link(entry.link);
    if (found < 0) return;  // Scene::validate() reports the unknown link
    const auto link = static_cast<std::size_t>(found);
    const Pose& at_start = model_.link_poses()[link];
    const Quaternion orientation =
        quaternion_from_rotation(at_start.rotation * drive.frame.rotation);
    if (entry.track) {
      const std::string where = fmt::format("{}.pose_drives.{}", path_, entry.name);
      drive.path = path_of_track(root_, where, *entry.track, orientation, time_, files_);
    }
    if (!entry.track) drive.path.profile = entry.ease;
    std::vector<PathEntry> keys = entry.path;
    complete_keys(at_start.to_world(drive.frame.position), orientation, &keys);
    for (const PathEntry& key : keys)
      drive.path.keys.push_back({key.time_s, *key.position_m, *key.orientation_wxyz});
    drive.stiffness_N_m = entry.stiffness_N_m;
    drive.damping_N_s_m = entry.damping_N_s_m;
    drive.stiffness_Nm_rad = entry.stiffness_Nm_rad;
    drive.damping_Nms_rad = entry.damping_Nms_rad;
  }

  /// Adds the distance grids of the links' collision meshes.
  void add_meshes(RobotSceneDescription* robot) const {
    for (RobotLink& link : robot->robot.links) {
      for (LinkCollision& collision : link.collisions) {
        if (collision.mesh_path.empty()) continue;
        const std::shared_ptr<const DistanceGrid> grid =
            named_errors(root_, path_ + ".urdf", [&] { return link_grid(collision); });
        collision.shape = {ShapeKind::distance_grid, {}, 0, 0, grid->view()};
        robot->grids.push_back(grid);
      }
    }
  }

  std::shared_ptr<const DistanceGrid> link_grid(const LinkCollision& collision) const {
    const double given = entry_.mesh_grid_spacing_m.value_or(0);
    auto& grid = files_->grids[{collision.mesh, given}];
    if (!grid)
      grid = std::make_shared<const DistanceGrid>(
          *collision.mesh, given > 0 ? given : default_grid_spacing(*collision.mesh));
    return grid;
  }

  const YamlNode& root_;
  const RobotEntry& entry_;
  const TimeOptions& time_;
  SceneFiles* files_;
  std::string path_;
  RobotModel model_;
  std::vector<std::string> joints_;
};

}  // namespace

void find_urdf(const YamlNode& root, const std::map<std::string, std::string>& packages,
               RobotEntry* robot) {
  if (!robot->urdf.starts_with(kPackagePrefix)) return;
  const std::string file = robot->urdf.substr(kPackagePrefix.size());
  const std::size_t slash = std::min(file.find('/'), file.size());
  const std::string name = file.substr(0, slash);
  const std::string key = fmt::format("robots.{}.urdf", robot->name);
  const auto package = packages.find(name);
  if (package == packages.end())
    refuse_value(nearest_node(root, key), key, "a file of a package in `packages`",
                 fmt::format("name the package's folder with packages: {{{0}: FOLDER}} or "
                             "--package {0}=FOLDER",
                             name));
  const std::string path = file.substr(std::min(slash + 1, file.size()));
  robot->urdf = (std::filesystem::path(package->second) / path).string();
}

RobotSceneDescription description_of(const RobotEntry& entry, BuildContext* context) {
  return RobotBuilder(context->root, entry, context->time, context->files).build(&context->robots);
}

}  // namespace nodia
