#include "scenarios/task/observables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include "fem/robot/robot_model.hpp"
#include "host/scene/rules.hpp"
#include "kernels/core/nearest_name.hpp"
#include "kernels/core/value_error.hpp"
#include "scenarios/format/yaml_path.hpp"

namespace nodia {
namespace {

// Bounds that no correct simulation reaches. An observation outside them is a failure.
constexpr double kFar_m = 1e3, kFast_m_s = 1e4, kTurns_rad = 1e4, kStrong_N = 1e7;

class Lister {
 public:
  explicit Lister(const Scene& scene) : scene_(scene), objects_(scene) {
    add("time", Quantity::time, {1}, "s", {0}, {2 * scene.time.duration_s + 1}, 0);
    for (std::int32_t number = 0; number < objects_.size(); ++number) add_object(number);
    int link = 0;
    for (const RobotSceneDescription& description : scene.robots) add_robot(description, &link);
    for (const ObstacleDescription& obstacle : scene.obstacles) add_frame(obstacle.name);
    int sensor = 0;
    for (const MountDescription& mount : scene.mounts) add_attached(mount, sensor++);
    for (const AttachmentDescription& attachment : scene.attachments)
      add_attached(attachment, sensor++);
    for (const RobotSceneDescription& description : scene.robots)
      for (const ForceSensorDescription& own : description.force_sensors)
        add_wrench(description.name + "." + own.name, sensor++);
  }

  std::vector<Observable> take() { return std::move(all_); }

 private:
  void add(std::string name, Quantity quantity, std::vector<int> shape, std::string unit,
           std::vector<double> low, std::vector<double> high, int index) {
    all_.push_back({std::move(name),
                    quantity,
                    std::move(shape),
                    std::move(unit),
                    std::move(low),
                    std::move(high),
                    "",
                    index,
                    {}});
  }
  /// Adds an observable with the bounds -high and high.
  void add_within(std::string name, Quantity quantity, std::vector<int> shape, std::string unit,
                  const std::vector<double>& high, int index) {
    std::vector<double> low = high;
    for (double& value : low) value = -value;
    add(std::move(name), quantity, std::move(shape), std::move(unit), std::move(low), high, index);
  }
  void add_pose(const std::string& name, Quantity quantity, std::vector<int> shape, int index) {
    // A component of a unit quaternion may exceed 1 by rounding.
    constexpr double kOne = 1 + 1e-9;
    add_within(name, quantity, std::move(shape), "m,m,m,1,1,1,1",
               {kFar_m, kFar_m, kFar_m, kOne, kOne, kOne, kOne}, index);
  }
  void add_wrench(const std::string& name, int sensor) {
    add_within(name, Quantity::wrench, {6}, "N,N,N,N m,N m,N m", {kStrong_N}, sensor);
  }
  void add_frame(const std::string& name) {
    add_pose(name + ".pose", Quantity::frame_pose, {7}, 0);
    all_.back().owner = name;
  }
  template <class Attached>
  void add_attached(const Attached& attached, int sensor) {
    add_wrench(attached.name + ".force", sensor);
    if (attached.is_along_path()) add_frame(attached.name);
  }
  void add_object(std::int32_t number) {
    const ObjectId& id = objects_[number].id;
    const std::string& name = objects_.name(number);
    const auto index = static_cast<std::size_t>(id.index);
    if (id.kind == ObjectKind::soft_body) {
      const int n = static_cast<int>(scene_.soft_bodies[index].mesh.nodes.size());
      add_within(name + ".nodes", Quantity::nodes, {n, 3}, "m", {kFar_m}, number);
      add_within(name + ".velocities", Quantity::node_velocities, {n, 3}, "m/s", {kFast_m_s},
                 number);
    }
    if (id.kind == ObjectKind::rigid_body || id.kind == ObjectKind::compound)
      add_pose(name + ".pose", Quantity::pose, {7}, number);
    if (id.kind == ObjectKind::cable)
      add_pose(name + ".links", Quantity::poses, {scene_.cables[index].links, 7}, number);
    if (id.kind != ObjectKind::robot && id.kind != ObjectKind::obstacle)
      add_within(name + ".centre", Quantity::centre, {3}, "m", {kFar_m}, number);
    add_within(name + ".contact_force", Quantity::contact_force, {3}, "N", {kStrong_N}, number);
    all_.back().object = id;
  }
  void add_robot(const RobotSceneDescription& robot, int* link) {
    const RobotModel model(robot.robot, robot.base);
    const int number = objects_.find(robot.name);
    std::vector<std::string> units;
    const auto unit_of = [](const RobotCoordinate& c) {
      return std::string(c.slides ? "m" : "rad");
    };
    for (const RobotCoordinate& c : model.coordinates()) units.push_back(unit_of(c));
    const int n = model.n_dof();
    add_within(robot.name + ".joints", Quantity::joints, {n}, joined(units), {kTurns_rad}, number);
    for (std::string& unit : units) unit += "/s";
    add_within(robot.name + ".joint_velocities", Quantity::joint_velocities, {n}, joined(units),
               {kFast_m_s}, number);
    units.clear();
    for (const RobotCoordinate& c : model.coordinates()) units.push_back(c.slides ? "N" : "N m");
    add_within(robot.name + ".effort", Quantity::effort, {n}, joined(units), {kStrong_N}, number);
    if (!robot.joint_drives.empty()) {
      units.clear();
      for (const JointDriveDescription& drive : robot.joint_drives)
        units.push_back(unit_of(
            model.coordinates()[static_cast<std::size_t>(model.find_coordinate(drive.joint))]));
      add_within(robot.name + ".joint_targets", Quantity::joint_targets,
                 {static_cast<int>(robot.joint_drives.size())}, joined(units), {kTurns_rad}, 0);
      all_.back().owner = robot.name;
    }
    for (const RobotLink& each : robot.robot.links)
      add_pose(robot.name + "." + each.name, Quantity::link_pose, {7}, (*link)++);
  }
  static std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ","));
  }

  const Scene& scene_;
  Objects objects_;
  std::vector<Observable> all_;
};

/// Name of the object that an observable belongs to: `arm` for `arm.joints`. Without a dot it is
/// the whole name.
std::string owner_of(const std::string& name) {
  return name.substr(0, name.find('.'));
}

/// Hint for an unknown name. If the name has no dot, the hint lists the observables of the object
/// with the nearest name, its links last. Otherwise it is the nearest name of an observable, if
/// possible of the same object.
std::string hint_for(const std::string& name, std::vector<Observable> all) {
  constexpr std::size_t kMost = 12;  // names in a line
  std::stable_partition(all.begin(), all.end(),
                        [](const Observable& o) { return o.quantity != Quantity::link_pose; });
  const std::vector<std::string> known = names_of(all);
  std::vector<std::string> owners, own;
  for (const std::string& each : known) owners.push_back(owner_of(each));
  const bool whole = owner_of(name) == name;
  const std::string owner = whole ? nearest_name(name, owners) : owner_of(name);
  std::copy_if(known.begin(), known.end(), std::back_inserter(own),
               [&](const std::string& each) { return owner_of(each) == owner; });
  if (own.size() < 2 || !whole) return known_names_hint(name, own.empty() ? known : own);
  const std::size_t n_more = own.size() - std::min(own.size(), kMost);
  own.resize(own.size() - n_more);
  return fmt::format("{} has {}{}", owner, fmt::join(own, ", "),
                     n_more > 0 ? fmt::format(" and {} more", n_more) : "");
}

}  // namespace

int Observable::size() const {
  return std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
}

std::vector<Observable> observables(const Scene& scene) {
  return Lister(scene).take();
}

std::vector<Observable> observables(const Scene& scene, const std::vector<std::string>& names,
                                    const std::string& path) {
  const std::vector<Observable> all = observables(scene);
  const std::vector<std::string> known = names_of(all);
  std::vector<Observable> chosen;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string where = path_of_text(path, names.size(), k);
    if (std::count(known.begin(), known.end(), names[k]) == 0)
      throw ValueError(where, names[k], "something that can be observed", hint_for(names[k], all));
    if (std::count(names.begin(), names.end(), names[k]) > 1)
      throw ValueError(where, names[k], "named once", "");
    if (std::count(known.begin(), known.end(), names[k]) > 1)
      throw ValueError(where, names[k], "the name of one thing",
                       "rename the sensor or the attachment");
    chosen.push_back(*std::find_if(all.begin(), all.end(),
                                   [&](const Observable& o) { return o.name == names[k]; }));
  }
  return chosen;
}

}  // namespace nodia
