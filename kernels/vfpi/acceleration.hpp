/// Accelerations of the iteration y -> v** (Lee et al., Alg. 3; math.md section 4). A new one needs
/// a name in Acceleration (options.hpp) and a case in each function of this file.
///
///   none       v_next = v**
///   chebyshev  v_next = nu (u (v** - y) + y - v_prev) + v_prev   (38), v_prev the last y
///              nu = 1 (l < ls),  2/(2 - rho^2) (l = ls),  4/(4 - rho^2 nu) (l > ls)
///              rho = min(|v_next - y| / |v_next - y| of the last iteration, 1)   (39)
///   nesterov   v_next = v** + momentum (v** - v_prev), v_prev the last v**
///              momentum = (t - 1)/t', t' = (1 + sqrt(1 + 4 t^2))/2; restarts with t = 1 and
///              momentum 0 if (y - v**)^T W^-1 (v** - v_prev) > 0
///   heavy_ball v_next = y + u (v** - y) + (nu - 1) (y - v_prev), v_prev the last y (Polyak 1964);
///              nu as in chebyshev
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/core/pack.hpp"
#include "kernels/vfpi/options.hpp"

namespace nodia {

/// State of an acceleration between iterations.
struct Extrapolation {
  Acceleration kind = Acceleration::none;
  int iterations = 0;          ///< iterations since the start or the last restart
  double step_before = 0;      ///< |v_next - y| of the last iteration [m/s]; 0: none
  double nu = 1;               ///< for chebyshev and heavy_ball
  double momentum = 0, t = 1;  ///< for nesterov
};

/// Assignment of the loop's four vectors to their roles.
struct VectorRoles {
  std::uint8_t y = 0, v_prev = 1, v_next = 2;
  std::uint8_t projected = 3;  ///< v**
};

/// True if v_next depends on v_prev.
NODIA_HD bool reads_previous(Acceleration kind) {
  return kind != Acceleration::none;
}
/// True if v_prev is the last v**, false if it is the last y.
NODIA_HD bool keeps_projected(Acceleration kind) {
  return kind == Acceleration::nesterov;
}
/// Index of the vector that holds the last y until v_next is written.
NODIA_HD std::uint8_t last_y(Acceleration kind, const VectorRoles& roles) {
  return keeps_projected(kind) ? roles.v_next : roles.v_prev;
}
/// True if the acceleration needs lambda_max(W A) <= 1; the plain iteration needs < 2.
NODIA_HD bool needs_contraction(Acceleration kind) {
  return kind == Acceleration::nesterov;
}

/// Computes v_next, for any number type.
/// @param v       v**
/// @param before  v_prev; read if reads_previous
/// @param u       under-relaxation of (38) and heavy_ball [-]
template <class P>
NODIA_HD Vec3<P> extrapolated(const Extrapolation& e, double u, Vec3<P> y, Vec3<P> v,
                              Vec3<P> before) {
  using Real = Scalar<P>;
  switch (e.kind) {
    case Acceleration::chebyshev: {
      const P nu(static_cast<Real>(e.nu)), relaxation(static_cast<Real>(u));
      return nu * (relaxation * (v - y) + y - before) + before;
    }
    case Acceleration::nesterov:
      return v + P(static_cast<Real>(e.momentum)) * (v - before);
    case Acceleration::heavy_ball: {
      const P momentum(static_cast<Real>(e.nu - 1)), relaxation(static_cast<Real>(u));
      return y + relaxation * (v - y) + momentum * (y - before);
    }
    case Acceleration::none:
      break;
  }
  return v;
}

/// Contribution of a row to the sum that triggers a restart; zero without restart.
/// @tparam D  number type of sums
/// @param w   W of the row [s/kg]
template <class D, class P>
NODIA_HD D restart_share(const Extrapolation& e, Vec3<P> y, Vec3<P> v, Vec3<P> before, P w) {
  if (e.kind == Acceleration::nesterov) return convert<D>(dot(y - v, v - before)) / convert<D>(w);
  return D(0.0);
}

/// Chooses the extrapolation of the next iteration.
/// @param step         |v_next - y| [m/s]
/// @param restart_sum  sum of restart_share
NODIA_HD void choose_extrapolation(Extrapolation* e, const VfpiOptions& options, double step,
                                   double restart_sum) {
  ++e->iterations;
  const int next = e->iterations + 1;
  const double ratio = step / e->step_before;
  const double rho = e->step_before > 0 && ratio < 1 ? ratio : 1;  // (39), 0/0 guarded
  e->step_before = step;
  switch (e->kind) {
    case Acceleration::chebyshev:
    case Acceleration::heavy_ball:
      if (next < options.slow_start) {
        e->nu = 1;
      } else {
        const bool first = next == options.slow_start;
        const double n = first ? 2 : 4;
        e->nu = n / (n - rho * rho * (first ? 1 : e->nu));
      }
      break;
    case Acceleration::nesterov:
      if (restart_sum > 0) {
        e->t = 1;
        e->momentum = 0;
      } else {
        const double t_next = 0.5 * (1 + ::sqrt(1 + 4 * e->t * e->t));
        e->momentum = (e->t - 1) / t_next;
        e->t = t_next;
      }
      break;
    case Acceleration::none:
      break;
  }
}

/// Rotates the vectors: v_prev <- y (nesterov: v**), y <- v_next.
NODIA_HD void rotate_roles(Acceleration kind, VectorRoles* roles) {
  const VectorRoles before = *roles;
  roles->y = before.v_next;
  if (keeps_projected(kind)) {
    roles->v_prev = before.projected;
    roles->v_next = before.y;
    roles->projected = before.v_prev;
  } else {
    roles->v_prev = before.y;
    roles->v_next = before.v_prev;
  }
}

/// Acceleration of the safe iteration after another acceleration failed (control.hpp).
NODIA_HD Acceleration safe_acceleration(Acceleration failed) {
  return failed == Acceleration::nesterov ? Acceleration::none : Acceleration::nesterov;
}

}  // namespace nodia
