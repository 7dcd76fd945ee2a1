#include "fem/robot/repair_robot.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "fem/matrix/eigen_block.hpp"
#include "fem/matrix/symmetric_eigen.hpp"
#include "fem/mesh/solid_integrals.hpp"
#include "fem/robot/moments_of_inertia.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/rotation.hpp"

namespace nodia {
namespace {

constexpr double kWaterDensity = 1000;  ///< [kg/m^3]

/// Solid of a collision shape in its own frame.
std::optional<SolidIntegrals> solid_of(const LinkCollision& collision) {
  if (collision.mesh) return solid_integrals(*collision.mesh, "");
  if (!collision.mesh_path.empty()) return {};
  try {
    const double volume = solid_volume(collision.shape);
    return SolidIntegrals{volume, {}, solid_inertia(collision.shape, volume)};
  } catch (const InputError&) {
    return {};
  }
}

/// Inertia of the collision shapes of a link about their common centre, at a mass. Absent without a
/// volume.
std::optional<Mat3d> inertia_of_shapes(const RobotLink& link, double mass) {
  double volume = 0;
  Vec3d first{};
  Mat3d about_origin{};
  for (const LinkCollision& collision : link.collisions) {
    const std::optional<SolidIntegrals> solid = solid_of(collision);
    if (!solid || !(solid->volume_m3 > 0)) continue;
    const Vec3d centre = collision.pose.to_world(solid->centre_m);
    const Mat3d& R = collision.pose.rotation;
    volume += solid->volume_m3;
    first += solid->volume_m3 * centre;
    about_origin = about_origin + R * solid->inertia_m5 * transpose(R) +
                   point_inertia(solid->volume_m3, centre);
  }
  if (!(volume > 0)) return {};
  return (mass / volume) * (about_origin - point_inertia(volume, (1 / volume) * first));
}

Mat3d inertia_of_water_ball(double mass) {
  const double radius = std::cbrt(mass / (kWaterDensity * 4 / 3 * std::numbers::pi));
  return (0.4 * mass * radius * radius) * Mat3d::identity();
}

/// The tensor with other principal moments, in the order of the axes' moments.
Mat3d with_moments(const SymmetricEigen& eigen, Vec3d moments) {
  Mat3d tensor{};
  for (int k = 0; k < 3; ++k) {
    const Vec3d axis{eigen.vectors(0, k), eigen.vectors(1, k), eigen.vectors(2, k)};
    tensor = tensor + moments[k] * outer(axis, axis);
  }
  return tensor;
}

std::string three_digits(Vec3d v) {
  return fmt::format("{:.3g} {:.3g} {:.3g}", v.x, v.y, v.z);
}

class Repairer {
 public:
  Repairer(const std::string& file, RobotDescription* robot) : file_(file), robot_(robot) {}

  void repair() {
    for (RobotLink& link : robot_->links) {
      if (!link.inertia) continue;
      if (link.inertia->mass == 0)
        repair_massless(&link);
      else if (link.inertia->mass > 0)
        repair_moments(&link);
    }
  }

 private:
  void repair_massless(RobotLink* link) {
    const bool is_root = link->parent < 0;
    if (!is_root && link->joint.kind != JointKind::fixed) return;
    link->inertia.reset();
    warn(*link, is_root ? "mass = 0: the link is part of the world"
                        : fmt::format("mass = 0: the link is part of '{}'",
                                      robot_->links[link->parent].name));
  }

  void repair_moments(RobotLink* link) {
    RigidInertia& inertia = *link->inertia;
    const SymmetricEigen eigen = symmetric_eigen(to_eigen(inertia.rotation));
    if (!eigen.converged) return;
    const Vec3d given{eigen.values[0], eigen.values[1], eigen.values[2]};
    if (are_moments_of_a_body(given)) return;
    const Vec3d nearest = nearest_moments(given);
    if (nearest.x > 0) {
      inertia.rotation = with_moments(eigen, nearest);
      warn(*link,
           fmt::format("principal moments of inertia {} kg m^2, which no body has, became {}",
                       three_digits(given), three_digits(nearest)));
    } else if (const std::optional<Mat3d> of_shapes = inertia_of_shapes(*link, inertia.mass)) {
      inertia.rotation = *of_shapes;
      warn(*link, "the missing inertia became that of the collision shapes at the link's mass");
    } else {
      inertia.rotation = inertia_of_water_ball(inertia.mass);
      warn(*link, "the missing inertia became that of a ball of water of the link's mass");
    }
  }

  void warn(const RobotLink& link, const std::string& text) {
    robot_->warnings.push_back(fmt::format("{}: link '{}': {}", file_, link.name, text));
  }

  const std::string& file_;
  RobotDescription* robot_;
};

}  // namespace

void repair_robot(const std::string& file, RobotDescription* robot) {
  Repairer(file, robot).repair();
}

}  // namespace nodia
