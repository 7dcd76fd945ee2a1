#include "scenarios/loader/build_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "fem/gmsh.hpp"
#include "fem/mesh_quality.hpp"
#include "fem/meshers.hpp"
#include "fem/robot_model.hpp"
#include "fem/urdf.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "kernels/elements/rigid_body.hpp"
#include "scenarios/loader/reader.hpp"
#include "scenarios/loader/table.hpp"

namespace nodia {
namespace {

constexpr double kMaxSteps = 1e9;

template <class T>
std::vector<std::string> names_of(const std::vector<T>& members) {
  std::vector<std::string> names;
  for (const T& member : members) names.push_back(member.name);
  return names;
}

/// Names of the objects of several lists.
template <class... Lists>
std::vector<std::string> names_in(const Lists&... lists) {
  std::vector<std::string> names;
  (
      [&] {
        for (const auto& member : lists) names.push_back(member.name);
      }(),
      ...);
  return names;
}

/// Refuses a reference to something that is not there.
void require_known(const YamlNode& root, const std::string& path, const std::string& name,
                   const std::vector<std::string>& known, const char* what) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  refuse_value(
      nearest_node(root, path), path, what,
      known.empty() ? "there is none" : fmt::format("did you mean {}?", nearest_name(name, known)));
}

/// Runs something that reads or makes a part; its error is told with the key that asked for it.
template <class F>
auto named_errors(const YamlNode& root, const std::string& path, const F& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}: {}: {}", location(nearest_node(root, path)), path, error.what()));
  }
}

void require_ascending(const YamlNode& root, const std::string& path, double before,
                       double time_s) {
  if (time_s > before) return;
  refuse_value(nearest_node(root, path), path,
               fmt::format("> {}, the time of the keyframe before", before),
               "list keyframes in ascending time");
}

template <class Key>
void require_ascending_keys(const YamlNode& root, const std::string& path,
                            const std::vector<Key>& keys) {
  for (std::size_t k = 1; k < keys.size(); ++k) {
    require_ascending(root, fmt::format("{}.path.{}.time_s", path, k), keys[k - 1].time_s,
                      keys[k].time_s);
  }
}

/// Every keyframe complete.
void complete_keys(Vec3d position, Quaternion orientation, std::vector<PathEntry>* keys) {
  for (PathEntry& key : *keys) {
    position = key.position_m.value_or(position);
    orientation = key.orientation_wxyz.value_or(orientation);
    key.position_m = position;
    key.orientation_wxyz = orientation;
  }
}

/// Every keyframe complete; times ascending.
template <class Entry>
void complete_path(const YamlNode& root, const std::string& path, Entry* entry) {
  require_ascending_keys(root, path, entry->path);
  complete_keys(entry->position_m, entry->orientation_wxyz, &entry->path);
}

/// A robot's link, keyframes or a track: what is given belongs together.
void complete_holder(const YamlNode& root, const std::string& path,
                     const ScenarioDocument& document, HolderEntry* holder) {
  const auto refuse_beside = [&](const char* key, const char* other) {
    const std::string where = path + "." + key;
    refuse_value(nearest_node(root, where), where, fmt::format("left out beside {}", other), "");
  };
  const bool turned = holder->orientation_wxyz.x != 0 || holder->orientation_wxyz.y != 0 ||
                      holder->orientation_wxyz.z != 0;
  const bool placed = squared_norm(holder->position_m) != 0;
  if (!holder->robot.empty()) {
    require_known(root, path + ".robot", holder->robot, names_of(document.robots),
                  "the name of a robot");
    if (holder->track) refuse_beside("track", "robot");
    if (!holder->path.empty()) refuse_beside("path", "robot");
    if (placed) refuse_beside("position_m", "robot");
    if (turned) refuse_beside("orientation_wxyz", "robot");
  } else if (!holder->link.empty()) {
    const std::string where = path + ".link";
    refuse_value(nearest_node(root, where), where, "given together with robot", "");
  }
  if (holder->track) {
    if (!holder->path.empty()) refuse_beside("path", "track");
    if (placed) refuse_beside("position_m", "track");
  }
  complete_path(root, path, holder);
}

/// Force sensors have names that no other sensor has.
void require_distinct_sensors(const YamlNode& root, const ScenarioDocument& document) {
  std::vector<std::string> taken = names_in(document.mounts, document.attachments);
  for (const RobotEntry& robot : document.robots) {
    for (const ForceSensorEntry& sensor : robot.force_sensors) {
      const std::string where = fmt::format("robots.{}.force_sensors.{}", robot.name, sensor.name);
      if (std::find(taken.begin(), taken.end(), sensor.name) != taken.end())
        refuse_value(nearest_node(root, where), where,
                     "named as no other mount, attachment or force sensor", "rename one of them");
      taken.push_back(sensor.name);
    }
  }
}

void require_window(const YamlNode& root, const std::string& path, const ScenarioDocument& document,
                    double from_s, double to_s) {
  const std::string where = path + ".to_s";
  if (!(to_s > from_s)) {
    refuse_value(nearest_node(root, where), where, fmt::format("> from_s = {}", from_s), "");
  }
  if (to_s - from_s < document.time.step_s) {
    refuse_value(nearest_node(root, where), where,
                 fmt::format("at least a step ({} s) behind from_s", document.time.step_s), "");
  }
}

/// Rules between the keys of checks.
struct CheckRules {
  const YamlNode& root;
  const ScenarioDocument& document;
  std::string path;

  void operator()(const WeightOnObstacle& check) const {
    require_known(root, path + ".obstacle", check.obstacle, names_of(document.obstacles),
                  "the name of an obstacle");
    require_window(root, path, document, check.from_s, check.to_s);
    if (squared_norm(document.gravity_m_s2) == 0) {
      refuse_value(nearest_node(root, path + ".check"), path + ".check",
                   "used with gravity_m_s2 other than zero", "leave the check out");
    }
  }
  void operator()(const MaxPenetration&) const {}
  void operator()(const FrictionInCone&) const {}
  void operator()(const AllStepsConverged&) const {}
  void operator()(const EnergyNonIncreasing& check) const {
    require_window(root, path, document, check.from_s, check.to_s);
  }
  void operator()(const NodePosition& check) const {
    require_known(root, path + ".body", check.body, names_of(document.bodies),
                  "the name of a body");
    require_either(check.above_m, check.below_m, "above_m", "below_m");
  }
  void operator()(const SticksAndSlips& check) const {
    require_window(root, path, document, check.from_s, check.to_s);
  }
  void operator()(const ReferenceCsv& check) const {
    require_sensor(check.sensor);
    if (check.cable.empty() ? document.cables.size() != 1 : true) {
      require_known(root, path + ".cable", check.cable, names_of(document.cables),
                    "the name of a cable");
    }
    require_either(check.force_rms_bound_N, check.position_bound_m, "force_rms_bound_N",
                   "position_bound_m");
  }
  void operator()(const BodyPosition& check) const {
    require_known(root, path + ".body", check.body,
                  names_in(document.rigid_bodies, document.cables),
                  "the name of a rigid body or a cable");
    const auto cables = names_of(document.cables);
    if (check.at != MountPoint::body &&
        std::find(cables.begin(), cables.end(), check.body) == cables.end()) {
      refuse_value(nearest_node(root, path + ".at"), path + ".at", "body for a rigid body", "");
    }
    require_either(check.above_m, check.below_m, "above_m", "below_m");
  }
  void operator()(const SensorForce& check) const {
    require_sensor(check.sensor);
    require_window(root, path, document, check.from_s, check.to_s);
    require_one_tolerance(check);
    if (check.relative_tolerance && check.value_N == 0) {
      refuse_value(nearest_node(root, path + ".relative_tolerance"), path + ".relative_tolerance",
                   "used with value_N other than zero", "give tolerance_N");
    }
  }
  void operator()(const ContactForce& check) const {
    const auto objects = names_in(document.bodies, document.rigid_bodies, document.cables,
                                  document.robots, document.obstacles);
    require_known(root, path + ".on", check.on, objects, "the name of an object");
    if (!check.by.empty())
      require_known(root, path + ".by", check.by, objects, "the name of an object");
    require_window(root, path, document, check.from_s, check.to_s);
    require_one_tolerance(check);
    if (check.relative_tolerance && check.value_N == 0) {
      refuse_value(nearest_node(root, path + ".relative_tolerance"), path + ".relative_tolerance",
                   "used with value_N other than zero", "give tolerance_N");
    }
  }
  void operator()(const ForceBalance& check) const {
    require_window(root, path, document, check.from_s, check.to_s);
    require_one_tolerance(check);
  }
  void operator()(const Drift& check) const {
    require_known(root, path + ".body", check.body,
                  names_in(document.bodies, document.rigid_bodies, document.cables),
                  "the name of a soft body, a rigid body or a cable");
    require_window(root, path, document, check.from_s, check.to_s);
    if (check.to_s - check.from_s < 2 * document.time.step_s) {
      refuse_value(nearest_node(root, path + ".to_s"), path + ".to_s",
                   "at least two steps behind from_s", "");
    }
  }

 private:
  void require_sensor(const std::string& sensor) const {
    std::vector<std::string> names = names_in(document.mounts, document.attachments);
    for (const RobotEntry& robot : document.robots)
      for (const ForceSensorEntry& own : robot.force_sensors) names.push_back(own.name);
    require_known(root, path + ".sensor", sensor, names,
                  "the name of a mount, an attachment or a force sensor");
  }
  template <class T>
  void require_either(const std::optional<T>& a, const std::optional<T>& b, const char* a_name,
                      const char* b_name) const {
    if (a || b) return;
    throw InputError(fmt::format("{}: {} (must have {} or {})", location(nearest_node(root, path)),
                                 path, a_name, b_name));
  }
  template <class Check>
  void require_one_tolerance(const Check& check) const {
    if (check.relative_tolerance.has_value() != check.tolerance_N.has_value()) return;
    throw InputError(
        fmt::format("{}: {} (must have relative_tolerance or tolerance_N, one of them)",
                    location(nearest_node(root, path)), path));
  }
};

Path path_of(const Vec3d& position, const Quaternion& orientation,
             const std::vector<PathEntry>& entries) {
  Path path;
  if (entries.empty()) path.keys.push_back({0, position, orientation});
  for (const PathEntry& entry : entries) {
    path.keys.push_back({entry.time_s, *entry.position_m, *entry.orientation_wxyz});
  }
  return path;
}

TetMesh mesh_of(const MeshSource& source, SceneFiles* files) {
  if (source.file) {
    const auto found = files->meshes.find(*source.file);
    if (found != files->meshes.end()) return found->second;
    return files->meshes[*source.file] = read_gmsh(*source.file);
  }
  if (source.box) {
    const std::array<int, 3>& n = source.box->cells;
    const double n_node = (n[0] + 1.0) * (n[1] + 1.0) * (n[2] + 1.0);
    require(n_node <= kMaxMeshNodes, "box.cells", n_node,
            fmt::format("at most {} nodes in all", kMaxMeshNodes), "take fewer cells");
    return mesh_box(source.box->size_m, n);
  }
  if (source.mat) {
    return mesh_mat(source.mat->size_m, source.mat->nodes, source.mat->layers, source.mat->seed);
  }
  return mesh_ball(source.ball->radius_m, source.ball->nodes);
}

const SceneFiles::Solid& solid_of(const MeshShape& shape, SceneFiles* files) {
  SceneFiles::Solid& solid = files->solids[{shape.file, shape.grid_spacing_m.value_or(0)}];
  if (!solid.grid) {
    const TriangleMesh mesh = read_triangle_mesh(shape.file);
    require_closed(mesh, shape.file);
    solid.integrals = solid_integrals(mesh, shape.file);
    solid.grid = std::make_shared<const DistanceGrid>(
        mesh, shape.grid_spacing_m.value_or(default_grid_spacing(mesh)));
  }
  return solid;
}

/// A shape and, where it is a mesh, the owner of its samples.
struct ShapeMaker {
  SceneFiles* files;
  std::shared_ptr<const DistanceGrid>* grid;

  Shape operator()(const HalfSpaceShape&) const { return {}; }
  Shape operator()(const BoxShape& s) const { return {ShapeKind::box, s.size_m, 0, 0, {}}; }
  Shape operator()(const SphereShape& s) const {
    return {ShapeKind::sphere, {}, s.radius_m, 0, {}};
  }
  Shape operator()(const CylinderShape& s) const {
    return {ShapeKind::cylinder, {}, s.radius_m, s.length_m, {}};
  }
  Shape operator()(const CapsuleShape& s) const {
    return {ShapeKind::capsule, {}, s.radius_m, s.length_m, {}};
  }
  Shape operator()(const MeshShape& s) const {
    *grid = solid_of(s, files).grid;
    return {ShapeKind::distance_grid, {}, 0, 0, (*grid)->view()};
  }
};

/// Of the shape, in its own frame.
SolidIntegrals integrals_of(const SolidEntry& entry, const Shape& shape, SceneFiles* files) {
  if (const auto* mesh = std::get_if<MeshShape>(&entry)) return solid_of(*mesh, files).integrals;
  const double volume = solid_volume(shape);
  return {volume, {}, solid_inertia(shape, volume)};
}

Mat3d inertia_matrix(const std::vector<double>& i) {
  if (i.size() == 3) return {{{i[0], 0, 0}, {0, i[1], 0}, {0, 0, i[2]}}};
  return {{{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}}};
}

Pose pose_of(Vec3d position, Quaternion orientation) {
  return {position, rotation_matrix(normalized(orientation))};
}

/// @param origin  out: the centre of mass in the frame that the entry is given in [m]
RigidBodyDescription rigid_body_of(const RigidBodyEntry& entry, SceneFiles* files, Vec3d* origin) {
  RigidBodyDescription body;
  body.name = entry.name;
  body.shape = std::visit(ShapeMaker{files, &body.grid}, entry.shape);
  body.shape_pose = pose_of(entry.shape_position_m, entry.shape_orientation_wxyz);
  body.pose = pose_of(entry.position_m, entry.orientation_wxyz);
  *origin = {};
  const SolidIntegrals solid = integrals_of(entry.shape, body.shape, files);
  const double density = entry.mass_kg ? *entry.mass_kg / solid.volume_m3
                                       : entry.density_kg_m3.value_or(kDefaultDensity);
  body.mass_kg = entry.mass_kg.value_or(density * solid.volume_m3);
  if (entry.inertia_kg_m2) {
    body.inertia_kg_m2 = inertia_matrix(*entry.inertia_kg_m2);
  } else {
    body.inertia_kg_m2 = world_inertia(body.shape_pose.rotation, density * solid.inertia_m5);
    *origin = body.shape_pose.to_world(solid.centre_m);
    body.shape_pose.position -= *origin;
    body.pose.position = body.pose.to_world(*origin);
  }
  body.velocity_m_s = entry.velocity_m_s;
  body.angular_velocity_rad_s = entry.angular_velocity_rad_s;
  body.force_N = entry.force_N;
  body.friction = entry.friction;
  body.restitution = entry.restitution;
  return body;
}

CableDescription cable_of(const CableEntry& entry) {
  return {entry.name,     entry.points_m, entry.links,   entry.radius_m,
          entry.material, entry.friction, entry.contact, entry.self_contact};
}

std::vector<std::string> link_names(const RobotDescription& robot) {
  std::vector<std::string> names;
  for (const RobotLink& link : robot.links) names.push_back(link.name);
  return names;
}

/// Path of a frame along the positions of a file, a row a time step.
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

/// Reads a robot and places it.
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
          auto found = files->robots.find(entry.urdf);
          if (found == files->robots.end())
            found = files->robots.emplace(entry.urdf, read_urdf(entry.urdf)).first;
          return RobotModel(found->second, pose_of(entry.position_m, entry.orientation_wxyz));
        })) {
    for (const RobotCoordinate& c : model_.coordinates()) joints_.push_back(c.joint);
  }

  RobotSceneDescription build() {
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
    robot.friction = entry_.friction;
    for (const ForceSensorEntry& sensor : entry_.force_sensors) add(sensor, &robot);
    if (entry_.collides) add_meshes(&robot);
    return robot;
  }

 private:
  std::vector<double> coordinates() const {
    std::vector<double> q;
    for (const RobotCoordinate& c : model_.coordinates())
      q.push_back(std::clamp(0.0, c.lower, c.upper));
    for (const NamedNumber& given : entry_.q) {
      const std::string where = fmt::format("{}.q.{}", path_, given.name);
      require_known(root_, where, given.name, joints_, "a joint that moves by itself");
      const auto k = static_cast<std::size_t>(model_.find_coordinate(given.name));
      const RobotCoordinate& c = model_.coordinates()[k];
      if (!(given.value >= c.lower && given.value <= c.upper)) {
        refuse_value(nearest_node(root_, where), where,
                     fmt::format("in [{}, {}], the joint's limits", c.lower, c.upper), "");
      }
      q[k] = given.value;
    }
    return q;
  }

  void add(const JointDriveEntry& entry, RobotSceneDescription* robot) const {
    require_known(root_, fmt::format("{}.joint_drives.{}", path_, entry.name), entry.name, joints_,
                  "a joint that moves by itself");
    JointDriveDescription& drive = robot->joint_drives.emplace_back();
    drive.joint = entry.name;
    drive.stiffness = entry.stiffness;
    drive.damping = entry.damping;
    for (const JointKeyEntry& key : entry.path) drive.path.push_back({key.time_s, key.target});
  }

  void add(const PoseDriveEntry& entry, RobotSceneDescription* robot) const {
    require_known(root_, fmt::format("{}.pose_drives.{}.link", path_, entry.name), entry.link,
                  link_names(robot->robot), "the name of a link");
    PoseDriveDescription& drive = robot->pose_drives.emplace_back();
    drive.link = entry.link;
    drive.frame = pose_of(entry.frame_position_m, entry.frame_orientation_wxyz);
    const auto link = static_cast<std::size_t>(robot->robot.find_link(entry.link));
    const Pose& at_start = model_.link_poses()[link];
    const Quaternion orientation =
        quaternion_from_rotation(at_start.rotation * drive.frame.rotation);
    if (entry.track) {
      const std::string where = fmt::format("{}.pose_drives.{}", path_, entry.name);
      drive.path = path_of_track(root_, where, *entry.track, orientation, time_, files_);
    }
    std::vector<PathEntry> keys = entry.path;
    complete_keys(at_start.to_world(drive.frame.position), orientation, &keys);
    for (const PathEntry& key : keys)
      drive.path.keys.push_back({key.time_s, *key.position_m, *key.orientation_wxyz});
    drive.stiffness_N_m = entry.stiffness_N_m;
    drive.damping_N_s_m = entry.damping_N_s_m;
    drive.stiffness_Nm_rad = entry.stiffness_Nm_rad;
    drive.damping_Nms_rad = entry.damping_Nms_rad;
  }

  /// Makes distance grids of the links' collision meshes.
  void add_meshes(RobotSceneDescription* robot) const {
    for (RobotLink& link : robot->robot.links) {
      for (LinkCollision& collision : link.collisions) {
        if (collision.mesh_path.empty()) continue;
        const std::shared_ptr<const DistanceGrid> grid =
            named_errors(root_, path_ + ".urdf", [&] { return link_grid(collision, link.name); });
        collision.shape = {ShapeKind::distance_grid, {}, 0, 0, grid->view()};
        robot->grids.push_back(grid);
      }
    }
  }

  std::shared_ptr<const DistanceGrid> link_grid(const LinkCollision& collision,
                                                const std::string& link) const {
    const Vec3d scale = collision.mesh_scale;
    const double given = entry_.mesh_grid_spacing_m.value_or(0);
    auto& grid = files_->grids[{scale.x, scale.y, scale.z, given}][collision.mesh_path];
    if (grid) return grid;
    TriangleMesh mesh = read_triangle_mesh(collision.mesh_path);
    const std::string where = fmt::format("link '{}': {}", link, collision.mesh_path);
    for (Vec3d& vertex : mesh.vertices)
      for (int axis = 0; axis < 3; ++axis) vertex[axis] *= scale[axis];
    if (scale.x * scale.y * scale.z < 0)  // a mirrored mesh is inside out
      for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    require_closed(mesh, where);
    grid =
        std::make_shared<const DistanceGrid>(mesh, given > 0 ? given : default_grid_spacing(mesh));
    return grid;
  }

  void add(const ForceSensorEntry& entry, RobotSceneDescription* robot) const {
    const std::string where = fmt::format("{}.force_sensors.{}.link", path_, entry.name);
    require_known(root_, where, entry.link, link_names(robot->robot), "the name of a link");
    if (robot->robot.find_link(entry.link) == 0)
      refuse_value(nearest_node(root_, where), where, "a link that hangs on a joint",
                   "the root hangs on nothing");
    robot->force_sensors.push_back({entry.name, entry.link});
  }

  const YamlNode& root_;
  const RobotEntry& entry_;
  const TimeOptions& time_;
  SceneFiles* files_;
  std::string path_;
  RobotModel model_;
  std::vector<std::string> joints_;
};

/// Motion of a holder's frame; empty where a robot holds.
Path path_of(const YamlNode& root, const std::string& path, const HolderEntry& entry,
             const TimeOptions& time, SceneFiles* files) {
  if (!entry.robot.empty()) return {};
  if (!entry.track) return path_of(entry.position_m, entry.orientation_wxyz, entry.path);
  return path_of_track(root, path, *entry.track, entry.orientation_wxyz, time, files);
}

void require_link(const YamlNode& root, const std::string& path, const Scene& scene,
                  const HolderEntry& holder) {
  for (const RobotSceneDescription& robot : scene.robots) {
    if (robot.name != holder.robot) continue;
    require_known(root, path, holder.link, link_names(robot.robot), "a link of the robot");
  }
}

std::vector<std::string> node_set_names(const TetMesh& mesh) {
  std::vector<std::string> names;
  for (const auto& [name, nodes] : mesh.node_sets) names.push_back(name);
  return names;
}

void require_node_set(const YamlNode& root, const std::string& path, const Scene& scene,
                      const std::string& body, const std::string& node_set) {
  for (const SoftBodyDescription& candidate : scene.soft_bodies) {
    if (candidate.name != body) continue;
    require_known(root, path, node_set, node_set_names(candidate.mesh),
                  "a node set of the body's mesh");
  }
}

}  // namespace

void complete_document(const YamlNode& root, ScenarioDocument* document) {
  const auto member = [](const char* group, const std::string& name) {
    return fmt::format("{}.{}", group, name);
  };
  if (document->bodies.empty() && document->rigid_bodies.empty() && document->cables.empty() &&
      document->robots.empty()) {
    throw InputError(fmt::format(
        "{}: bodies, rigid_bodies, cables, robots (must have at least one body in one of them)",
        root.source->label));
  }
  if (!(document->time.duration_s / document->time.step_s <= kMaxSteps)) {
    refuse_value(nearest_node(root, "time.duration_s"), "time.duration_s",
                 fmt::format("at most {} steps of {} s", kMaxSteps, document->time.step_s), "");
  }
  for (RigidBodyEntry& body : document->rigid_bodies) {
    if (!body.mass_kg || !body.density_kg_m3) continue;
    const std::string where = member("rigid_bodies", body.name) + ".density_kg_m3";
    refuse_value(nearest_node(root, where), where, "left out beside mass_kg", "");
  }
  for (RobotEntry& robot : document->robots) {
    const std::string path = member("robots", robot.name);
    for (const JointDriveEntry& drive : robot.joint_drives)
      require_ascending_keys(root, fmt::format("{}.joint_drives.{}", path, drive.name), drive.path);
    for (const PoseDriveEntry& drive : robot.pose_drives) {
      const std::string where = fmt::format("{}.pose_drives.{}", path, drive.name);
      require_ascending_keys(root, where, drive.path);
      if (drive.track && !drive.path.empty())
        refuse_value(nearest_node(root, where + ".path"), where + ".path", "left out beside track",
                     "");
    }
  }
  for (MountEntry& mount : document->mounts) {
    const std::string path = member("mounts", mount.name);
    complete_holder(root, path, *document, &mount.holder);
    require_known(root, path + ".body", mount.body,
                  names_in(document->cables, document->rigid_bodies),
                  "the name of a cable or a rigid body");
  }
  for (ObstacleEntry& obstacle : document->obstacles) {
    complete_path(root, member("obstacles", obstacle.name), &obstacle);
  }
  for (AttachmentEntry& attachment : document->attachments) {
    const std::string path = member("attachments", attachment.name);
    complete_holder(root, path, *document, &attachment.holder);
    require_known(root, path + ".body", attachment.body, names_of(document->bodies),
                  "the name of a body");
  }
  for (std::size_t k = 0; k < document->friction_pairs.size(); ++k) {
    const FrictionPairEntry& pair = document->friction_pairs[k];
    const std::string path = fmt::format("friction_pairs.{}", k);
    const auto bodies =
        names_in(document->bodies, document->rigid_bodies, document->cables, document->robots);
    require_known(root, path + ".body", pair.body, bodies, "the name of a body");
    std::vector<std::string> surfaces = names_of(document->obstacles);
    surfaces.insert(surfaces.end(), bodies.begin(), bodies.end());
    require_known(root, path + ".obstacle", pair.obstacle, surfaces, "the name of an obstacle");
    const bool both = pair.friction_1 && pair.friction_2;
    if (both == pair.friction.has_value() ||
        pair.friction_1.has_value() != pair.friction_2.has_value()) {
      refuse_value(nearest_node(root, path), path, "given friction, or friction_1 and friction_2",
                   "");
    }
    for (std::size_t j = 0; j < k; ++j) {
      const FrictionPairEntry& earlier = document->friction_pairs[j];
      if ((earlier.body == pair.body && earlier.obstacle == pair.obstacle) ||
          (earlier.body == pair.obstacle && earlier.obstacle == pair.body)) {
        refuse_value(nearest_node(root, path), path,
                     fmt::format("the only entry of {} and {}", pair.body, pair.obstacle), "");
      }
    }
  }
  require_distinct_sensors(root, *document);
  for (const CheckDescription& check : document->checks) {
    std::visit(CheckRules{root, *document, member("checks", check.name)}, check.kind);
  }
}

Scene build_scene(const YamlNode& root, const ScenarioDocument& document, SceneFiles* files) {
  Scene scene;
  scene.name = document.name;
  scene.gravity_m_s2 = document.gravity_m_s2;
  scene.time = document.time;
  scene.contact = document.contact;
  for (const BodyEntry& entry : document.bodies) {
    SoftBodyDescription& body = scene.soft_bodies.emplace_back();
    const std::string path = fmt::format("bodies.{}.mesh", entry.name);
    body.name = entry.name;
    body.mesh = named_errors(root, path, [&] { return mesh_of(entry.mesh, files); });
    named_errors(root, path, [&] { require_usable(body.mesh, entry.mesh.file.value_or("mesh")); });
    body.material = entry.material;
    body.pose = {entry.position_m, rotation_matrix(normalized(entry.orientation_wxyz))};
    body.velocity = entry.velocity_m_s;
    body.friction = entry.friction;
    body.self_contact = entry.self_contact;
    body.thickness_m = entry.thickness_m;
  }
  std::map<std::string, Vec3d> origins;  // of rigid bodies, in the frames they are given in
  for (const RigidBodyEntry& entry : document.rigid_bodies) {
    scene.rigid_bodies.push_back(
        named_errors(root, fmt::format("rigid_bodies.{}.shape", entry.name),
                     [&] { return rigid_body_of(entry, files, &origins[entry.name]); }));
  }
  for (const CableEntry& entry : document.cables) scene.cables.push_back(cable_of(entry));
  for (const RobotEntry& entry : document.robots)
    scene.robots.push_back(RobotBuilder(root, entry, document.time, files).build());
  for (const ObstacleEntry& entry : document.obstacles) {
    ObstacleDescription& obstacle = scene.obstacles.emplace_back();
    obstacle.name = entry.name;
    obstacle.shape = named_errors(root, fmt::format("obstacles.{}.shape", entry.name), [&] {
      return std::visit(ShapeMaker{files, &obstacle.grid}, entry.shape);
    });
    obstacle.path = path_of(entry.position_m, entry.orientation_wxyz, entry.path);
    obstacle.friction = entry.friction;
    obstacle.restitution = entry.restitution;
  }
  for (const AttachmentEntry& entry : document.attachments) {
    require_node_set(root, fmt::format("attachments.{}.node_set", entry.name), scene, entry.body,
                     entry.node_set);
    const std::string path = fmt::format("attachments.{}", entry.name);
    require_link(root, path + ".link", scene, entry.holder);
    AttachmentDescription& attachment = scene.attachments.emplace_back();
    attachment.name = entry.name;
    attachment.body = entry.body;
    attachment.node_set = entry.node_set;
    attachment.stiffness_N_m = entry.stiffness_N_m;
    attachment.robot = entry.holder.robot;
    attachment.link = entry.holder.link;
    attachment.path = path_of(root, path, entry.holder, document.time, files);
    attachment.release_time_s =
        entry.release_time_s.value_or(AttachmentDescription{}.release_time_s);
  }
  for (const MountEntry& entry : document.mounts) {
    const std::string path = fmt::format("mounts.{}", entry.name);
    require_link(root, path + ".link", scene, entry.holder);
    MountDescription& mount = scene.mounts.emplace_back();
    mount.name = entry.name;
    mount.body = entry.body;
    mount.at = entry.at;
    mount.point_m = entry.point_m;
    if (const auto origin = origins.find(entry.body); origin != origins.end())
      mount.point_m -= origin->second;
    mount.robot = entry.holder.robot;
    mount.link = entry.holder.link;
    mount.path = path_of(root, path, entry.holder, document.time, files);
    mount.keeps_place = !entry.holder.track;
    mount.moment = entry.moment;
    mount.stiffness_N_m = entry.stiffness_N_m;
    mount.stiffness_Nm_rad = entry.stiffness_Nm_rad;
    mount.stiffness_links = entry.stiffness_links;
    mount.damping_s = entry.damping_s;
    mount.release_time_s = entry.release_time_s.value_or(MountDescription{}.release_time_s);
  }
  for (const FrictionPairEntry& entry : document.friction_pairs) {
    const double both = entry.friction.value_or(0);
    scene.friction_pairs.push_back({entry.body, entry.obstacle, entry.friction_1.value_or(both),
                                    entry.friction_2.value_or(both), entry.axis});
  }
  for (const CheckDescription& check : document.checks) {
    const auto* position = std::get_if<NodePosition>(&check.kind);
    if (!position || position->node_set.empty()) continue;
    require_node_set(root, fmt::format("checks.{}.node_set", check.name), scene, position->body,
                     position->node_set);
  }
  try {
    scene.validate();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", root.source->label, error.what()));
  }
  return scene;
}

}  // namespace nodia
