/// Cosserat rods as chains of rigid links: section, material, rest shape.
///
/// A link is a frame at the middle of its piece of the rod, e_z along the rod, e_x and e_y along
/// the principal axes of the section. Neighbours are joined end to end by a joint with stiffness (k
/// GA, k GA, EA, E I_x, E I_y, G J)/l.
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
  double torsion_constant_m4 = 0;  ///< J of Saint-Venant, > 0

  static RodSection circle(double radius_m);
  /// @param width_m, height_m  along e_x and along e_y; J by Saint-Venant's series, to 1e-12
  static RodSection rectangle(double width_m, double height_m);
};

struct RodMaterial {
  double youngs_modulus_Pa = 1e7;  ///< E, > 0
  double poissons_ratio = 0.3;     ///< in (-1, 0.5]
  double density_kg_m3 = 1000;     ///< > 0
  double shear_correction = 1;     ///< k, > 0
  double damping_s = 0;            ///< beta of D = beta K in the joints, >= 0
  /// Viscous drag on every link, at its centre.
  double drag_translation_N_s_m = 0;  ///< >= 0
  double drag_rotation_Nms_rad = 0;   ///< >= 0

  double shear_modulus_Pa() const { return youngs_modulus_Pa / (2 * (1 + poissons_ratio)); }
  /// Throws InputError `prefix.key = value (must be rule; hint)` for the first broken rule.
  void validate(const std::string& prefix) const;
};

void visit_keys(KeyVisitor& v, RodMaterial& m);

/// One piece of the rest shape: its middle, and its length from end to end.
struct RodLink {
  FramePose pose;
  double length_m = 0;  ///< > 0
};

/// A straight rod from `start` along its e_z.
std::vector<RodLink> straight_rod(const FramePose& start, double length_m, int n_link);

/// A circular arc from `start`, tangent to its e_z, turning about its e_y, towards e_x for a
/// positive angle. The vertices of the chain lie on the arc; links are chords.
/// @param angle_rad  whole turn of the tangent, not zero, either sign
std::vector<RodLink> arc_rod(const FramePose& start, double radius_m, double angle_rad, int n_link);

/// Links of equal arc length along a polyline, without twist. A link over a corner is the chord.
/// @param points       at least two; neighbours differ
/// @param x_direction  e_x of the first link, made perpendicular to it; where zero or parallel to
///                     it, some perpendicular
std::vector<RodLink> polyline_rod(const std::vector<Vec3d>& points, Vec3d x_direction, int n_link);

double link_mass(const RodSection& section, const RodMaterial& material, double length_m);
/// Of a solid prism about its centre, link axes: rho l diag(I_x, I_y, I_x + I_y) + m l^2/12 across.
Mat3d link_inertia(const RodSection& section, const RodMaterial& material, double length_m);

/// Joint of the front end of link i with the rear end of link j, stress-free at the rest poses.
/// The rest translation is zero where the ends meet.
FrameJoint rod_joint(const RodSection& section, const RodMaterial& material, const RodLink& i,
                     const RodLink& j);

enum class RodEnd { rear, front };

/// Joint of a frame with one end of a link as a clamp, stress-free at these poses: a point and axes
/// of the frame are held to those of the link's end.
/// @param stiffness_length_m  l of K = (GA, ...)/l. Half a link makes the clamp part of the rod
///                            (order 2 in the link length); one link is the published program's
///                            choice (order 1).
FrameJoint rod_clamp(const RodSection& section, const RodMaterial& material, const FramePose& frame,
                     const RodLink& link, RodEnd end, double stiffness_length_m);

}  // namespace nodia
