/// Friction law of a contact: Coulomb's cone, its convex relaxation, or a polygonal or box section.
#pragma once

#include <array>

#include "host/errors/energy.hpp"
#include "kernels/contact/contact.hpp"
#include "kernels/core/vec3.hpp"
#include "kernels/core/words.hpp"

namespace nodia {

/// Section of the friction cone at normal force n: an ellipse with half axes mu_i n, a polygon with
/// its corners on the ellipse, the first at (mu1 n, 0), or the rectangle |t_i| <= mu_i n around it.
enum class Section { disc, polygon, box };
/// As an option, the polygon has four corners.
constexpr auto words_of(Section) {
  return std::array{Word{Section::disc, "conic"}, Word{Section::polygon, "pyramid"},
                    Word{Section::box, "box"}};
}

struct FrictionLaw {
  Projection projection = Projection::strict;  ///< must be strict unless the section is the disc
  Section section = Section::disc;
  int facets = 4;  ///< corners of the polygon, >= 3

  /// Nearest allowed force: first the normal, then the tangent in its section (strict), or all
  /// three components at once (proximal). Contact frame [N].
  Vec3d project(Vec3d trial, double mu1, double mu2) const;

  /// Zero exactly if (force, velocity) satisfies the law.
  /// @param d  compliance that converts velocities to forces, > 0 [m/(N s)]
  /// @return   contact frame [N]
  Vec3d natural_map(Vec3d force, Vec3d velocity, double d, double mu1, double mu2) const;

  /// Energy error [J] of the law: the box form of Enzenhoefer et al., the cone form, or the form of
  /// the polygon, whose tangent part is minimal over the faces F (corners, sides, interior) of
  ///
  ///   1/2 sum_i a_i (x_i - P_F(x)_i)^2 + 1/2 sum_i (w_i - n_i)^2/a_i
  ///
  /// with n the nearest velocity for which all points of F dissipate most. Zero exactly at a
  /// solution. The convex relaxation is measured with u_n - |(mu1 u_t1, mu2 u_t2)| instead of u_n.
  double energy_error(const ContactImpulse& c) const;
};

}  // namespace nodia
