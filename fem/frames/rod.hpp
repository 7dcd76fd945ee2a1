/// Cosserat rods as chains of rigid links: section, material, rest shape.
///
/// A link is a frame at the middle of its piece of the rod: e_z along the rod, e_x and e_y along
/// the principal axes of the section. A joint with the stiffness (k GA, k GA, EA, E I_x, E I_y, G
/// J)/l connects the ends of neighbouring links.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/key.hpp"
#include "kernels/elements/frame_joint.hpp"

namespace nodia {

/// Constants of a cross-section in its principal axes.
struct RodSection {
  double area_m2 = 0;              ///< A, > 0
  double second_moment_x_m4 = 0;   ///< I_x = int y^2 dA, bending about e_x, > 0
  double second_moment_y_m4 = 0;   ///< I_y = int x^2 dA, bending about e_y, > 0
  double torsion_constant_m4 = 0;  ///< J (Saint-Venant), > 0

  static RodSection circle(double radius_m);
  /// J is computed by Saint-Venant's series, to 1e-12.
  /// @param width_m, height_m  sides along e_x and e_y
  static RodSection rectangle(double width_m, double height_m);
};

struct RodMaterial {
  double youngs_modulus_Pa = 1e7;     ///< E, > 0
  double poissons_ratio = 0.3;        ///< in (-1, 0.5]
  double density_kg_m3 = 1000;        ///< > 0
  double shear_correction = 1;        ///< k, > 0
  double damping_s = 0;               ///< beta of D = beta K in the joints, >= 0
  double drag_translation_N_s_m = 0;  ///< viscous drag on the centre of every link, >= 0
  double drag_rotation_Nms_rad = 0;   ///< viscous drag on the rotation of every link, >= 0

  double shear_modulus_Pa() const { return youngs_modulus_Pa / (2 * (1 + poissons_ratio)); }
  /// Throws InputError `prefix.key = value (must be rule; hint)` for the first broken rule.
  void validate(const std::string& prefix) const;
};

void visit_keys(KeyVisitor& v, RodMaterial& m);

/// One link of the rest shape: the frame at its middle, and its length.
struct RodLink {
  FramePose pose;
  double length_m = 0;  ///< > 0
};

/// Straight rod from `start` along its e_z.
std::vector<RodLink> straight_rod(const FramePose& start, double length_m, int n_link);

/// Circular arc that starts at `start`, tangent to its e_z, and bends about its e_y; towards e_x
/// for a positive angle. The vertices of the chain are on the arc; links are chords.
/// @param angle_rad  angle between both end tangents, not zero, positive or negative
std::vector<RodLink> arc_rod(const FramePose& start, double radius_m, double angle_rad, int n_link);

/// Links of equal arc length along a polyline, without twist. A link across a corner is the chord.
/// @param points       at least two; neighbours must differ
/// @param x_direction  direction of e_x of the first link, projected perpendicular to it. If it is
///                     zero or parallel to the link, e_x is an arbitrary perpendicular
std::vector<RodLink> polyline_rod(const std::vector<Vec3d>& points, Vec3d x_direction, int n_link);

double link_mass(const RodSection& section, const RodMaterial& material, double length_m);
/// Inertia of a solid prism about its centre, in the axes of the link: rho l diag(I_x, I_y, I_x +
/// I_y)
/// + m l^2/12 diag(1, 1, 0).
Mat3d link_inertia(const RodSection& section, const RodMaterial& material, double length_m);

/// Joint of the front end of link i with the rear end of link j, stress-free in the rest poses. The
/// rest translation is zero if the ends coincide.
FrameJoint rod_joint(const RodSection& section, const RodMaterial& material, const RodLink& i,
                     const RodLink& j);

enum class RodEnd { rear, front };

/// Clamp: joint of a frame with one end of a link, stress-free in these poses. It couples a point
/// and the axes of the frame to those of the end of the link.
/// @param stiffness_length_m  l of K = (GA, ...)/l. With half a link the clamp continues the rod
///                            (order 2 in the link length). The published program uses one link
///                            (order 1)
FrameJoint rod_clamp(const RodSection& section, const RodMaterial& material, const FramePose& frame,
                     const RodLink& link, RodEnd end, double stiffness_length_m);

}  // namespace nodia
