/// The law that a solver holds the force of one contact against: Coulomb's cone, its convex
/// relaxation, or friction with a polygon or a box in place of the round section.
#pragma once

#include <array>

#include "host/errors/energy.hpp"
#include "kernels/contact/contact.hpp"
#include "kernels/core/vec3.hpp"
#include "kernels/core/words.hpp"

namespace nodia {

/// Section of the friction cone at normal force n: an ellipse with half axes mu_i n, a polygon with
/// its corners on it, the first at (mu1 n, 0), or the rectangle |t_i| <= mu_i n around it.
enum class Section { disc, polygon, box };
/// Where it is chosen, the polygon has four corners.
constexpr auto words_of(Section) {
  return std::array{Word{Section::disc, "conic"}, Word{Section::polygon, "pyramid"},
                    Word{Section::box, "box"}};
}

struct ContactLaw {
  Projection projection = Projection::strict;  ///< strict with another section than the disc
  Section section = Section::disc;
  int facets = 4;  ///< corners of the polygon, >= 3

  /// The nearest force that the law allows: of the normal first, then of the tangent in its section
  /// (strict); of all three (proximal). Contact frame [N].
  Vec3d project(Vec3d trial, double mu1, double mu2) const;

  /// Zero exactly where (force, velocity) meets the law.
  /// @param d  compliance that makes velocities forces, > 0 [m/(N s)]
  /// @return   contact frame [N]
  Vec3d natural_map(Vec3d force, Vec3d velocity, double d, double mu1, double mu2) const;

  /// Energy error [J] of the law: the box form of Enzenhoefer et al., the cone form, or that of the
  /// polygon, whose tangent part is the least over the polygon's faces F (corners, sides, all of
  /// it) of
  ///
  ///   1/2 sum_i a_i (x_i - P_F(x)_i)^2 + 1/2 sum_i (w_i - n_i)^2/a_i
  ///
  /// n the nearest velocity for which all of F dissipates most. Zero exactly at a solution. The
  /// convex relaxation is measured with u_n - |(mu1 u_t1, mu2 u_t2)| in place of u_n.
  double energy_error(const ContactImpulse& c) const;
};

}  // namespace nodia
