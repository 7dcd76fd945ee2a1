/// A scene: what there is, before anything moves. One of the three names a user of the library
/// needs.
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

namespace nodia {

struct SoftBodyDescription {
  std::string name;
  TetMesh mesh;  ///< rest shape in its own frame [m]
  Material material;
  Pose pose;         ///< of the rest shape at t = 0
  Vec3d velocity{};  ///< at t = 0 [m/s]
  double friction =
      0.3;  ///< of the body's own surface [-]; a pair without an entry uses the larger of both [-]
  bool self_contact = false;
  double thickness_m = 0;  ///< its surface is this far outside the mesh, between moving bodies >= 0
};

struct ObstacleDescription {
  std::string name;
  Shape shape;
  std::shared_ptr<const DistanceGrid> grid;  ///< owner of shape.grid's samples, where there is one
  Path path;                                 ///< pose over time
  double friction = 0.3;                     ///< [-], >= 0
  double restitution = 0;                    ///< Newton's coefficient [-], in [0, 1]
};

/// Nodes held by a moving frame: potential 1/2 e^T K e, e = x - frame(time) x_rest_in_frame. Along
/// a path they keep their place in the frame as at the path's first pose.
struct AttachmentDescription : AttachmentFrameDescription {
  std::string name;
  std::string body;
  std::string node_set;         ///< named set of the body's mesh
  double stiffness_N_m = 1000;  ///< K per node [N/m], > 0
};

/// Friction of a named pair in place of the default.
struct PairFriction {
  std::string body, obstacle;  ///< any two objects with a surface
  double friction_1 = 0.3,
         friction_2 = 0.3;  ///< along t1, t2 of the contact frame [-]; equal: isotropic
  /// World direction whose part in the contact plane is t1; zero: frame_from_normal's.
  Vec3d axis{};
};

/// What contact needs to know of an object's surface.
struct SurfaceMaterial {
  std::string name;
  double friction = 0.3;
  double restitution = 0;  ///< of a pair the larger counts
};

/// Place of the object of this name in a list of a scene, -1 where there is none.
template <class Object>
int index_of(const std::vector<Object>& objects, const std::string& name) {
  const auto found = std::find_if(objects.begin(), objects.end(),
                                  [&](const Object& object) { return object.name == name; });
  return found == objects.end() ? -1 : static_cast<int>(found - objects.begin());
}

struct TimeOptions : TimeStep {
  double duration_s = 1;  ///< [s], > 0
  /// FrameModel::Step::geometric_stiffness: keeps tight cables stable at large steps.
  bool geometric_stiffness = false;
};

struct ContactOptions {
  double margin_m = 2e-3;  ///< what is closer than this, plus twice its approach in a step (now or
                           ///< as it would move without contact), is a contact [m], >= 0
  double rest_speed_m_s = 0.01;  ///< no restitution for slower approaches [m/s], >= 0
  double penetration_recovery =
      0.2;  ///< beta, share of a penetration removed per step [-], in [0, 1]
  double recovery_speed_m_s = 0.5;  ///< cap of the recovery [m/s], > 0
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

  /// Throws ValueError for the first broken rule, `obstacles.floor.friction = -1 (must be >= 0; try
  /// 0.3)`, and InputError for an unusable mesh or robot. Every rule of a scene is here; the loader
  /// of scenario files adds the line.
  void validate() const;
  /// Friction of two surfaces: the entry of friction_pairs in either order, else the larger of
  /// both.
  PairFriction friction_of(const SurfaceMaterial& a, const SurfaceMaterial& b) const;
};

/// The kinds of objects: all that has a surface. Objects are numbered in this order, the rows of
/// bodies follow it, and all but obstacles are bodies.
enum class ObjectKind : std::uint8_t { soft_body, rigid_body, cable, compound, robot, obstacle };

/// As trajectories call them.
constexpr auto words_of(ObjectKind) {
  return std::array{
      Word{ObjectKind::soft_body, "soft_body"}, Word{ObjectKind::rigid_body, "rigid_body"},
      Word{ObjectKind::cable, "cable"},         Word{ObjectKind::compound, "compound"},
      Word{ObjectKind::robot, "robot"},         Word{ObjectKind::obstacle, "obstacle"}};
}

inline constexpr std::size_t kObjectKinds = words_of(ObjectKind{}).size();

/// Calls each(kind, group, list) for the lists of all kinds in order, `group` being what files call
/// the list.
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
