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
  double grid_spacing_m = 0;
};
using ShapeEntry =
    std::variant<HalfSpaceShape, BoxShape, SphereShape, CylinderShape, CapsuleShape, MeshShape>;

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
  Vec3d position_m{};
  Quaternion orientation_wxyz{};
  std::vector<PathEntry> path;
  std::optional<double> release_time_s;
};

struct FrictionPairEntry {
  std::string body, obstacle;
  std::optional<double> friction, friction_1, friction_2;
};

struct RandomRange {
  std::string key;
  double low = 0, high = 0;
};

struct ScenarioDocument {
  std::string name;
  std::string description;
  std::optional<std::uint64_t> seed;
  int environments = 1;
  Vec3d gravity_m_s2 = Scene{}.gravity_m_s2;
  TimeOptions time;
  ContactOptions contact;
  SolverOptions solver;
  std::vector<BodyEntry> bodies;
  std::vector<ObstacleEntry> obstacles;
  std::vector<AttachmentEntry> attachments;
  std::vector<FrictionPairEntry> friction_pairs;
  std::vector<RandomRange> randomize;
  CheckOptions checks;
  OutputOptions output;
};

}  // namespace nodia
