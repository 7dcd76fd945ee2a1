/// Scene: the objects and settings of a simulation at its start. One of the three types that a user
/// of the library needs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fem/mesh/tet_mesh.hpp"
#include "fem/soft/material.hpp"
#include "host/collision/distance_grid.hpp"
#include "host/scene/cable.hpp"
#include "host/scene/compound.hpp"
#include "host/scene/external_force.hpp"
#include "host/scene/mount.hpp"
#include "host/scene/path.hpp"
#include "host/scene/rigid_body.hpp"
#include "host/scene/robot.hpp"
#include "kernels/contact/shapes.hpp"
#include "kernels/core/time_step.hpp"
#include "kernels/core/words.hpp"
#include "kernels/elements/frame_joint.hpp"

namespace nodia {

struct SoftBodyDescription {
  std::string name;
  TetMesh mesh;  ///< rest shape in its own frame [m]
  Material material;
  Pose pose;              ///< pose of the rest shape at t = 0
  Vec3d velocity{};       ///< at t = 0 [m/s]
  double friction = 0.3;  ///< friction of the body's own surface [-]; a pair without an entry uses
                          ///< the larger value of both
  bool self_contact = false;
  double thickness_m = 0;  ///< distance of its surface outside the mesh, >= 0 between moving bodies
};

struct ObstacleDescription {
  std::string name;
  Shape shape;
  std::shared_ptr<const DistanceGrid> grid;  ///< owner of shape.grid's samples, if it has any
  Path path;                                 ///< pose over time
  double friction = 0.3;                     ///< [-], >= 0
  double restitution = 0;                    ///< Newton's coefficient [-], in [0, 1]
};

/// Nodes that a moving frame holds: potential 1/2 e^T K e, e = x - frame(time) x_rest_in_frame.
/// Along a path the nodes keep their place in the frame at the path's first pose.
struct AttachmentDescription : AttachmentFrameDescription {
  std::string name;
  std::string body;
  std::string node_set;         ///< name of a node set of the body's mesh
  double stiffness_N_m = 1000;  ///< K per node [N/m], > 0
};

/// Friction of a named pair instead of the default.
struct PairFriction {
  std::string body, obstacle;  ///< names of any two objects with a surface
  double friction_1 = 0.3,
         friction_2 = 0.3;  ///< along t1, t2 of the contact frame [-]; equal: isotropic
  /// World direction whose component in the contact plane is t1; zero: that of frame_from_normal.
  Vec3d axis{};
};

/// Properties of an object's surface for contact.
struct SurfaceMaterial {
  std::string name;
  double friction = 0.3;
  double restitution = 0;  ///< a pair uses the larger value
};

/// Index of the object with this name in a list of a scene, -1 if there is none.
template <class Object>
int index_of(const std::vector<Object>& objects, const std::string& name) {
  const auto found = std::find_if(objects.begin(), objects.end(),
                                  [&](const Object& object) { return object.name == name; });
  return found == objects.end() ? -1 : static_cast<int>(found - objects.begin());
}

constexpr auto words_of(JointDirections) {
  return std::array{Word{JointDirections::middle, "middle"}, Word{JointDirections::start, "start"}};
}

struct TimeOptions : TimeStep {
  double duration_s = 1;  ///< [s], > 0
  JointDirections joint_directions = JointDirections::middle;
  /// FrameModel::Step::geometric_stiffness: keeps taut cables stable at large steps.
  bool geometric_stiffness = true;
};

struct ContactOptions {
  /// Contact margin: candidate pairs closer than this, plus twice their approach in a step (at the
  /// present velocity or without contacts), are contacts [m], >= 0.
  double margin_m = 2e-3;
  double rest_speed_m_s = 0.01;  ///< no restitution for slower approaches [m/s], >= 0
  double penetration_recovery =
      0.2;  ///< beta, share of a penetration removed per step [-], in [0, 1]
  double recovery_speed_m_s = 0.5;  ///< upper bound of the recovery speed [m/s], > 0
  /// Edges and faces of soft bodies touch obstacles that are finer than their meshes, too; false:
  /// only nodes do, as in the papers.
  bool edges_at_obstacles = true;
};

template <class Object>
SurfaceMaterial surface_material(const Object& object) {
  if constexpr (requires { object.restitution; })
    return {object.name, object.friction, object.restitution};
  else
    return {object.name, object.friction, 0};
}

struct Scene {
  std::string name;
  Vec3d gravity_m_s2{0, 0, -9.81};
  TimeOptions time;
  ContactOptions contact;
  std::vector<SoftBodyDescription> soft_bodies;
  std::vector<RigidBodyDescription> rigid_bodies;
  std::vector<CableDescription> cables;
  std::vector<CompoundDescription> compounds;
  std::vector<RobotSceneDescription> robots;
  std::vector<ObstacleDescription> obstacles;
  std::vector<MountDescription> mounts;
  std::vector<AttachmentDescription> attachments;
  std::vector<PairFriction> friction_pairs;
  std::vector<ExternalForceDescription> pushes;

  /// Checks all rules of a scene. The loader of scenario files adds the line to messages.
  /// @throws ValueError for the first broken rule, `obstacles.floor.friction = -1 (must be >= 0;
  /// try 0.3)`; InputError for an unusable mesh or robot
  void validate() const;
  /// Friction of two surfaces: the entry of friction_pairs in either order, else the larger value
  /// of both.
  PairFriction friction_of(const SurfaceMaterial& a, const SurfaceMaterial& b) const;
};

/// Kinds of objects: everything with a surface. Objects are numbered in this order, and so are the
/// rows of bodies. All but obstacles are bodies.
enum class ObjectKind : std::uint8_t { soft_body, rigid_body, cable, compound, robot, obstacle };

/// Words in trajectories.
constexpr auto words_of(ObjectKind) {
  return std::array{
      Word{ObjectKind::soft_body, "soft_body"}, Word{ObjectKind::rigid_body, "rigid_body"},
      Word{ObjectKind::cable, "cable"},         Word{ObjectKind::compound, "compound"},
      Word{ObjectKind::robot, "robot"},         Word{ObjectKind::obstacle, "obstacle"}};
}

inline constexpr std::size_t kObjectKinds = words_of(ObjectKind{}).size();

/// Calls each(kind, group, list) for the lists of all kinds in order. `group` is the key of the
/// list in files.
template <class Each>
void visit_objects(const Scene& scene, Each&& each) {
  each(ObjectKind::soft_body, "bodies", scene.soft_bodies);
  each(ObjectKind::rigid_body, "rigid_bodies", scene.rigid_bodies);
  each(ObjectKind::cable, "cables", scene.cables);
  each(ObjectKind::compound, "compounds", scene.compounds);
  each(ObjectKind::robot, "robots", scene.robots);
  each(ObjectKind::obstacle, "obstacles", scene.obstacles);
}

/// Names of the sensors in the order of StepRecord::sensors: mounts, attachments, force sensors of
/// the robots.
std::vector<std::string> sensor_names(const Scene& scene);

}  // namespace nodia
