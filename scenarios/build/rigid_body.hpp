/// Rigid bodies of a scenario.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/scene/keys.hpp"
#include "host/scene/scene.hpp"
#include "scenarios/build/build_context.hpp"
#include "scenarios/build/path.hpp"
#include "scenarios/build/shape.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

/// Initial motion and surface of a rigid body or a compound.
struct MotionEntry {
  std::string name;
  Vec3d position_m{};
  Quaternion orientation_wxyz{};
  Vec3d velocity_m_s{};
  Vec3d angular_velocity_rad_s{};
  Vec3d force_N{};
  double friction = RigidDescription{}.friction;
  double restitution = RigidDescription{}.restitution;
};

inline void visit_motion(DocumentVisitor& v, MotionEntry& b) {
  v.vector({"position_m", "of its frame at the start [m]"}, b.position_m, Range::any());
  v.quaternion({"orientation_wxyz", "of its frame at the start, unit quaternion",
                "[1, 0, 0, 0] is no rotation"},
               b.orientation_wxyz);
  v.vector({"velocity_m_s", "of the centre of mass at the start [m/s]"}, b.velocity_m_s,
           Range::any());
  v.vector({"angular_velocity_rad_s", "at the start, world axes [rad/s]"}, b.angular_velocity_rad_s,
           Range::any());
  v.vector({"force_N", "on the centre of mass all the time, world axes [N]"}, b.force_N,
           Range::any());
  visit_friction(v, b.friction);
  visit_restitution(v, b.restitution);
}

/// Copies all members of the entry to the description.
void set_motion(const MotionEntry& entry, RigidDescription* body);

/// Without inertia_kg_m2 the body is a homogeneous solid, and the origin of its frame moves to its
/// centre of mass.
struct RigidBodyEntry : MotionEntry {
  SolidEntry shape;
  Vec3d shape_position_m{};
  Quaternion shape_orientation_wxyz{};
  std::optional<double> mass_kg, density_kg_m3;      ///< at most one; both absent: kDefaultDensity
  std::optional<std::vector<double>> inertia_kg_m2;  ///< 3 (diagonal) or 6 (xx, yy, zz, xy, xz, yz)
};

inline constexpr double kDefaultDensity = 1000;  ///< density of rigid bodies [kg/m^3]

inline void visit_keys(DocumentVisitor& v, RigidBodyEntry& b) {
  const auto positive = [&](const Key& key, double& value) {
    v.real(key, value, Range::positive());
  };
  static const std::string place = place_of(SolidShapes{});
  v.tagged({"shape", place.c_str(), "", true}, b.shape);
  v.vector({"shape_position_m", "of the shape's frame in the body's [m]"}, b.shape_position_m,
           Range::any());
  v.quaternion({"shape_orientation_wxyz", "of the shape's frame in the body's, unit quaternion",
                "[1, 0, 0, 0] is no rotation"},
               b.shape_orientation_wxyz);
  visit_mass(v, b.mass_kg);
  v.optional({"density_kg_m3", "of the shape's volume; 1000 where no mass is given [kg/m^3]",
              "water has 1000"},
             b.density_kg_m3, positive);
  v.optional({"inertia_kg_m2",
              "about the centre of mass, which is then the frame's origin: [xx, yy, zz] or [xx, "
              "yy, zz, xy, xz, yz]; left out: the homogeneous solid's, the frame's origin moves to "
              "its centre of mass [kg m^2]"},
             b.inertia_kg_m2, [&](const Key& key, std::vector<double>& value) {
               v.numbers(key, value, {3, 6}, Range::any());
             });
  visit_motion(v, b);
}

RigidBodyDescription description_of(const RigidBodyEntry& entry, BuildContext* context);

}  // namespace nodia
