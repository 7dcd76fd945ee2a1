/// One V-FPI iteration as per-node and per-contact functors (Lee et al., (20)-(25), Alg. 2, (38));
/// host and device.
///
///   v*       = y - W (A y - b)                          (20)   y: the point the gradient is taken
///   at lambda_m = project(lambda_m - u_m / gamma_m)        Alg. 2, with u_m of v* + W Jc^T lambda:
///   for a node in one contact this
///                                                       is the one shot project(-(eta_m +
///                                                       phi_m)/gamma_m)
///   v**      = v* + W Jc^T lambda                       (24)   satisfies the contact conditions
///   v_next   = nu (u (v** - y) + y - v_prev) + v_prev   (38)
///
/// Nodes that touch only the static world are solved where their row is computed. Nodes in a
/// contact with another node
/// ("coupled") take three further phases, all contacts at once with gamma_m = c_i w_i + c_j w_j, c
/// the number of contacts on a node; with one contact a node this is gamma of (25).
#pragma once

#include "kernels/contact/contact.hpp"
#include "kernels/contact/projections.hpp"
#include "kernels/linalg/block_csr.hpp"

namespace nodia {

/// Projections other than the strict one with isotropic friction.
template <class Real>
NODIA_COLD Vec3<Real> project_general(Projection kind, Vec3<Real> trial, Real mu1, Real mu2) {
  return kind == Projection::strict ? project_strict(trial, mu1, mu2)
                                    : project_proximal(trial, mu1, mu2);
}

template <class Real>
NODIA_HD Vec3<Real> project(Projection kind, Vec3<Real> trial, Real mu1, Real mu2) {
  if (kind == Projection::strict && mu1 == mu2) return project_strict_isotropic(trial, mu1);
  return project_general(kind, trial, mu1, mu2);
}

/// What an iteration reads and writes. Node arrays are indexed by global row; contact arrays by
/// slot: contacts with the world first, grouped by node, then coupled contacts.
template <class Real>
struct VfpiView {
  BlockCsrView<Real> A;
  const Vec3<Real>* b = nullptr;  ///< [N]
  const Real* w = nullptr;        ///< W, one value a node [s/kg]
  Projection projection = Projection::strict;
  const Contact<Real>* contact = nullptr;  ///< by slot
  Vec3<Real>* lambda = nullptr;            ///< by slot [N]
  const std::int32_t* slot_begin =
      nullptr;  ///< [n_row + 1] slots of a node's contacts with the world; none on coupled nodes
  const std::int32_t* coupled_begin = nullptr;  ///< [n_coupled_node + 1] into coupled_entry
  const std::int32_t* coupled_node = nullptr;   ///< [n_coupled_node]
  const std::int32_t* coupled_entry = nullptr;  ///< 2 slot + (1 where the node is node_j)
  const std::int32_t* coupled_count = nullptr;  ///< [n_row] contacts on a coupled node, 0 elsewhere
};

/// Jc_m^T lambda_m on one of the contact's nodes [N].
template <class Real>
NODIA_HD Vec3<Real> force_on_node(const Contact<Real>& c, Vec3<Real> lambda, bool on_j) {
  const Vec3<Real> f = transpose_times(c.R, lambda);
  return on_j ? -f : f;
}

/// v* of one row: the surrogate's gradient step (20).
template <class Real>
struct GradientStep {
  VfpiView<Real> view;
  const Vec3<Real>* y;
  Real alpha;  ///< factor on w of this iteration (Barzilai-Borwein), 1 otherwise

  NODIA_HD Vec3<Real> gradient(int i) const { return block_row_product(view.A, i, y) - view.b[i]; }
  NODIA_HD Vec3<Real> operator()(int i) const { return y[i] - alpha * view.w[i] * gradient(i); }
};

/// v** of a node whose contacts are all with the world: an ordered sweep over them; exact for one
/// contact (Prop. 4).
template <class Real>
struct WorldContactSolve {
  VfpiView<Real> view;
  Real alpha;

  NODIA_HD Vec3<Real> operator()(int i, Vec3<Real> v_star) const {
    const int begin = view.slot_begin[i], end = view.slot_begin[i + 1];
    if (begin == end) return v_star;
    if (end - begin == 1) return one_shot(begin, v_star);
    return sweep(begin, end, alpha * view.w[i], v_star);
  }

  /// The only contact of a node (Prop. 4).
  NODIA_HD Vec3<Real> one_shot(int slot, Vec3<Real> v_star) const {
    const Contact<Real>& c = view.contact[slot];
    const Real w = alpha * view.w[c.node_i];
    const Real inverse_w = Real(1) / w;
    const Vec3<Real> trial = -inverse_w * (c.R * v_star + c.phi);
    const Vec3<Real> lambda = project(view.projection, trial, c.mu1, c.mu2);
    view.lambda[slot] = lambda;
    return v_star + w * transpose_times(c.R, lambda);
  }

  /// Several contacts: one ordered sweep that starts from the lambda of the last iteration.
  NODIA_COLD Vec3<Real> sweep(int begin, int end, Real w, Vec3<Real> v_star) const {
    const Real inverse_w = Real(1) / w;
    Vec3<Real> v = v_star;
    for (int s = begin; s < end; ++s) v += w * transpose_times(view.contact[s].R, view.lambda[s]);
    for (int s = begin; s < end; ++s) {
      const Contact<Real>& c = view.contact[s];
      const Vec3<Real> trial = view.lambda[s] - inverse_w * (c.R * v + c.phi);
      const Vec3<Real> lambda = project(view.projection, trial, c.mu1, c.mu2);
      v += w * transpose_times(c.R, lambda - view.lambda[s]);
      view.lambda[s] = lambda;
    }
    return v;
  }
};

/// Phases 1 and 3 of coupled nodes: v* + W Jc^T lambda of the k-th coupled node, with the lambda of
/// the moment.
template <class Real>
struct CoupledNodeVelocity {
  VfpiView<Real> view;
  Real alpha;
  const Vec3<Real>* v_star;
  Vec3<Real>* v;

  NODIA_HD void operator()(int k) const {
    const int i = view.coupled_node[k];
    Vec3<Real> force{};
    for (int e = view.coupled_begin[k]; e < view.coupled_begin[k + 1]; ++e) {
      const int slot = view.coupled_entry[e] >> 1;
      force +=
          force_on_node(view.contact[slot], view.lambda[slot], (view.coupled_entry[e] & 1) != 0);
    }
    v[i] = v_star[i] + alpha * view.w[i] * force;
  }
};

/// Phase 2: lambda of one coupled contact from the velocities of phase 1.
template <class Real>
struct CoupledContactSolve {
  VfpiView<Real> view;
  Real alpha;
  const Vec3<Real>* v;

  NODIA_HD void operator()(int slot) const {
    const Contact<Real>& c = view.contact[slot];
    Vec3<Real> relative = v[c.node_i];
    Real gamma = Real(view.coupled_count[c.node_i]) * view.w[c.node_i];
    if (c.node_j != kWorld) {
      relative -= v[c.node_j];
      gamma = gamma + Real(view.coupled_count[c.node_j]) * view.w[c.node_j];
    }
    const Vec3<Real> trial =
        view.lambda[slot] - (Real(1) / (alpha * gamma)) * (c.R * relative + c.phi);
    view.lambda[slot] = project(view.projection, trial, c.mu1, c.mu2);
  }
};

/// How an iteration extrapolates from v**.
enum class Extrapolation : std::uint8_t { none, chebyshev, nesterov };

/// v_next of a run of nodes from their v**, and their shares of the iteration's sums.
///   chebyshev  nu (u (v** - y) + y - v_prev) + v_prev        (38)
///   nesterov   v** + momentum (v** - v**_prev)
/// Works on components, because v_next of one depends on no other: a run is 3 n numbers in a row. v
/// may be `projected` itself.
template <class Real>
struct Extrapolate {
  Extrapolation kind = Extrapolation::none;
  Real nu = 1, under_relaxation = 1, momentum = 0;
  const Real* w = nullptr;
  const Vec3<Real>* y = nullptr;
  const Vec3<Real>* v_prev = nullptr;  ///< v^(l-1); Nesterov: the last v**
  Vec3<Real>* projected = nullptr;     ///< out: v**
  Vec3<Real>* v_next = nullptr;        ///< out

  /// Sums of a run are taken in four lanes, component e in lane e mod 4, and combined as (0 + 1) +
  /// (2 + 3).
  /// @param v              v** of nodes [first, first + n)
  /// @param step_squared   |v_next - y|^2
  /// @param restart_dot    (y - v**)^T W^-1 (v** - v**_prev), Nesterov only
  NODIA_HD void operator()(int first, int n, const Vec3<Real>* v, double* step_squared,
                           double* restart_dot) const {
    const Real nu_ = nu, u = under_relaxation, beta = momentum;
    switch (kind) {
      case Extrapolation::chebyshev:
        *step_squared = run(first, n, v, [nu_, u](Real projected_v, Real from, Real before) {
          return nu_ * (u * (projected_v - from) + from - before) + before;
        });
        break;
      case Extrapolation::nesterov:
        *step_squared = run(first, n, v, [beta](Real projected_v, Real, Real before) {
          return projected_v + beta * (projected_v - before);
        });
        break;
      case Extrapolation::none:
        *step_squared = run(first, n, v, [](Real projected_v, Real, Real) { return projected_v; });
        break;
    }
    *restart_dot = 0;
    if (kind != Extrapolation::nesterov) return;
    for (int k = 0; k < n; ++k)
      *restart_dot += static_cast<double>(dot(y[first + k] - v[k], v[k] - v_prev[first + k])) /
                      static_cast<double>(w[first + k]);
  }

 private:
  template <class Rule>
  NODIA_HD double run(int first, int n, const Vec3<Real>* v, Rule rule) const {
    const Real* NODIA_RESTRICT v_new = &v[0].x;
    const Real* NODIA_RESTRICT from = &y[first].x;
    const Real* NODIA_RESTRICT before = &v_prev[first].x;
    Real* NODIA_RESTRICT out = &v_next[first].x;
    const int n_component = 3 * n, n_full = n_component & ~3;
    double lane[4] = {};
    for (int e = 0; e < n_full; e += 4) {
      for (int l = 0; l < 4; ++l) {
        const Real next = rule(v_new[e + l], from[e + l], before[e + l]);
        const auto step = static_cast<double>(next - from[e + l]);
        out[e + l] = next;
        lane[l] += step * step;
      }
    }
    for (int e = n_full; e < n_component; ++e) {
      const Real next = rule(v_new[e], from[e], before[e]);
      const auto step = static_cast<double>(next - from[e]);
      out[e] = next;
      lane[e & 3] += step * step;
    }
    if (v != projected + first)
      for (int k = 0; k < n; ++k) projected[first + k] = v[k];
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
  }
};

}  // namespace nodia
