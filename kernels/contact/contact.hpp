/// Contact after nodalization (Lee et al., (13)): of two nodes, or of a node and the static world.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/core/mat3.hpp"
#include "kernels/core/words.hpp"

namespace nodia {

/// Side that is the static world (S-contact).
inline constexpr std::int32_t kWorld = -1;

template <class Real>
struct Contact {
  // Sides: a row, or after the rows a point of a body (ContactPoints).
  std::int32_t side_i = 0;       ///< lambda acts on it with +R^T
  std::int32_t side_j = kWorld;  ///< lambda acts on it with -R^T, unless it is the world
  Mat3<Real> R;                  ///< rows (n, t1, t2), n from j to i [-]
  Vec3<Real> phi{};              ///< gap, restitution, moving surfaces; contact frame [m/s]
  Real mu1 = 0;                  ///< friction along t1 [-], >= 0
  Real mu2 = 0;                  ///< friction along t2 [-]; equal to mu1 for isotropic friction
  std::uint64_t key = 0;         ///< identity over time steps (node, obstacle), for initial guesses
};

template <class To, class From>
NODIA_HD Contact<To> cast(const Contact<From>& c) {
  return {c.side_i,
          c.side_j,
          cast<To>(c.R),
          cast<To>(c.phi),
          static_cast<To>(c.mu1),
          static_cast<To>(c.mu2),
          c.key};
}

/// Projection on the friction cone: Coulomb exactly, or its convex relaxation (Lee et al., (26)).
enum class Projection : std::uint8_t { strict, proximal };
constexpr auto words_of(Projection) {
  return std::array{Word{Projection::strict, "strict"}, Word{Projection::proximal, "proximal"}};
}

/// State of a contact in a step.
enum class ContactState : std::uint8_t { open = 0, stick = 1, slip = 2 };

}  // namespace nodia
