/// What a scenario file says, before any mesh is read: one struct per group of keys.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/loader/scenario.hpp"

namespace nodia {

struct MeshBox {
  Vec3d size_m{};
  std::array<int, 3> cells{1, 1, 1};
};
struct MeshMat {
  Vec3d size_m{};
  int nodes = 0;
  int layers = 0;
  std::uint64_t seed = 1;
};
struct MeshBall {
  double radius_m = 0;
  int nodes = 0;
};

/// Exactly one of them.
struct MeshSource {
  std::optional<std::string> file;
  std::optional<MeshBox> box;
  std::optional<MeshMat> mat;
  std::optional<MeshBall> ball;
};

struct BodyEntry {
  std::string name;
  MeshSource mesh;
  Material material;
  Vec3d position_m{};
  Quaternion orientation_wxyz{};
  Vec3d velocity_m_s{};
  double friction = SoftBodyDescription{}.friction;
  bool self_contact = SoftBodyDescription{}.self_contact;
  double thickness_m = SoftBodyDescription{}.thickness_m;
};

/// A keyframe; what it leaves out it takes from the one before, the first from the object's own
/// pose.
struct PathEntry {
  double time_s = 0;
  std::optional<Vec3d> position_m;
  std::optional<Quaternion> orientation_wxyz;
};

struct HalfSpaceShape {};
struct BoxShape {
  Vec3d size_m{};
};
struct SphereShape {
  double radius_m = 0;
};
struct CylinderShape {
  double radius_m = 0, length_m = 0;
};
struct CapsuleShape {
  double radius_m = 0, length_m = 0;
};
struct MeshShape {
  std::string file;
  std::optional<double> grid_spacing_m;  ///< absent: default_grid_spacing()
};
using ShapeEntry =
    std::variant<HalfSpaceShape, BoxShape, SphereShape, CylinderShape, CapsuleShape, MeshShape>;

/// A shape that is bounded.
using SolidEntry = std::variant<BoxShape, SphereShape, CylinderShape, CapsuleShape, MeshShape>;

/// Without inertia_kg_m2 it is a homogeneous solid and its frame's origin is moved to the centre of
/// mass.
struct RigidBodyEntry {
  std::string name;
  SolidEntry shape;
  Vec3d shape_position_m{};
  Quaternion shape_orientation_wxyz{};
  std::optional<double> mass_kg, density_kg_m3;      ///< at most one; neither: kDefaultDensity
  std::optional<std::vector<double>> inertia_kg_m2;  ///< 3 (diagonal) or 6 (xx, yy, zz, xy, xz, yz)
  Vec3d position_m{};
  Quaternion orientation_wxyz{};
  Vec3d velocity_m_s{};
  Vec3d angular_velocity_rad_s{};
  Vec3d force_N{};
  double friction = RigidBodyDescription{}.friction;
  double restitution = RigidBodyDescription{}.restitution;
};

inline constexpr double kDefaultDensity = 1000;  ///< of rigid bodies [kg/m^3]

struct CableEntry {
  std::string name;
  std::vector<Vec3d> points_m;
  int links = CableDescription{}.links;
  double radius_m = CableDescription{}.radius_m;
  RodMaterial material;
  double friction = CableDescription{}.friction;
  RodContact contact = CableDescription{}.contact;
  bool self_contact = CableDescription{}.self_contact;
};

struct NamedNumber {
  std::string name;
  double value = 0;
};

struct JointKeyEntry {
  double time_s = 0;
  double target = 0;
};

struct JointDriveEntry {
  std::string name;  ///< of the joint
  double stiffness = JointDriveDescription{}.stiffness;
  double damping = JointDriveDescription{}.damping;
  std::vector<JointKeyEntry> path;
};

/// What the first keyframe leaves out it takes from the frame's pose at the start.
struct PoseDriveEntry {
  std::string name;
  std::string link;
  Vec3d frame_position_m{};
  Quaternion frame_orientation_wxyz{};
  std::vector<PathEntry> path;
  std::optional<std::string> track;  ///< file of positions, one row a step
  double stiffness_N_m = PoseDriveDescription{}.stiffness_N_m;
  double damping_N_s_m = PoseDriveDescription{}.damping_N_s_m;
  double stiffness_Nm_rad = PoseDriveDescription{}.stiffness_Nm_rad;
  double damping_Nms_rad = PoseDriveDescription{}.damping_Nms_rad;
};

struct ForceSensorEntry {
  std::string name;
  std::string link;
};

struct RobotEntry {
  std::string name;
  std::string urdf;
  Vec3d position_m{};
  Quaternion orientation_wxyz{};
  std::vector<NamedNumber> q;  ///< by joint
  std::vector<JointDriveEntry> joint_drives;
  std::vector<PoseDriveEntry> pose_drives;
  bool gravity_compensation = RobotSceneDescription{}.gravity_compensation;
  bool collides = RobotSceneDescription{}.collides;
  double friction = RobotSceneDescription{}.friction;
  std::vector<ForceSensorEntry> force_sensors;
  std::optional<double> mesh_grid_spacing_m;  ///< absent: default_grid_spacing()
};

/// What holds: a robot's link, or a frame along keyframes or a track.
struct HolderEntry {
  std::string robot, link;
  Vec3d position_m{};
  Quaternion orientation_wxyz{};
  std::vector<PathEntry> path;
  std::optional<std::string> track;  ///< file of positions, one row a step
};

struct ObstacleEntry {
  std::string name;
  ShapeEntry shape;
  Vec3d position_m{};
  Quaternion orientation_wxyz{};
  std::vector<PathEntry> path;
  double friction = ObstacleDescription{}.friction;
  double restitution = ObstacleDescription{}.restitution;
};

struct AttachmentEntry {
  std::string name;
  std::string body;
  std::string node_set;
  double stiffness_N_m = AttachmentDescription{}.stiffness_N_m;
  HolderEntry holder;
  std::optional<double> release_time_s;
};

struct MountEntry {
  std::string name;
  std::string body;
  MountPoint at = MountDescription{}.at;
  Vec3d point_m{};
  HolderEntry holder;
  bool moment = MountDescription{}.moment;
  std::optional<double> stiffness_N_m, stiffness_Nm_rad;
  double stiffness_links = MountDescription{}.stiffness_links;
  double damping_s = MountDescription{}.damping_s;
  std::optional<double> release_time_s;
};

struct FrictionPairEntry {
  std::string body, obstacle;
  std::optional<double> friction, friction_1, friction_2;
  Vec3d axis{};
};

struct RandomRange {
  std::string key;
  double low = 0, high = 0;
};

struct ScenarioDocument {
  int format_version = kScenarioVersion;
  std::string name;
  std::string description;
  std::optional<std::uint64_t> seed;
  int environments = 1;
  Vec3d gravity_m_s2 = Scene{}.gravity_m_s2;
  TimeOptions time;
  ContactOptions contact;
  SolverOptions solver;
  std::vector<BodyEntry> bodies;
  std::vector<RigidBodyEntry> rigid_bodies;
  std::vector<CableEntry> cables;
  std::vector<RobotEntry> robots;
  std::vector<ObstacleEntry> obstacles;
  std::vector<MountEntry> mounts;
  std::vector<AttachmentEntry> attachments;
  std::vector<FrictionPairEntry> friction_pairs;
  std::vector<RandomRange> randomize;
  CheckOptions checks;
  OutputOptions output;
};

}  // namespace nodia
