/// v** of rows that touch the static world, from v* (Lee et al., Alg. 2 and (24)).
///
///   lambda_m = project(lambda_m - u_m / gamma_m), u_m of v* + W Jc^T lambda; for a row in one
///   contact this is the one shot project(-(eta_m + phi_m)/gamma_m), exact by Prop. 4
///   v**      = v* + W Jc^T lambda
#pragma once

#include "kernels/contact/projections.hpp"
#include "kernels/vfpi/environment.hpp"

namespace nodia {

/// Projections other than the strict one with isotropic friction.
template <class Real>
NODIA_COLD Vec3<Real> project_general(Projection kind, Vec3<Real> trial, Real mu1, Real mu2) {
  return kind == Projection::strict ? project_strict(trial, mu1, mu2)
                                    : project_proximal(trial, mu1, mu2);
}

/// A trial force brought into the friction cone; of any number type.
template <class P>
NODIA_HD Vec3<P> project(Projection kind, Vec3<P> trial, P mu1, P mu2) {
  if (kind == Projection::strict && all(mu1 == mu2)) return project_strict_isotropic(trial, mu1);
  constexpr int kLanes = static_cast<int>(sizeof(P) / sizeof(Scalar<P>));
  Vec3<P> lambda = trial;
  for (int l = 0; l < kLanes; ++l) {
    const Vec3<Scalar<P>> one{lane_of(trial.x, l), lane_of(trial.y, l), lane_of(trial.z, l)};
    const Vec3<Scalar<P>> projected = project_general(kind, one, lane_of(mu1, l), lane_of(mu2, l));
    set_lane(&lambda.x, l, projected.x);
    set_lane(&lambda.y, l, projected.y);
    set_lane(&lambda.z, l, projected.z);
  }
  return lambda;
}

/// Jc_m^T lambda_m on one of the contact's rows [N].
template <class Real>
NODIA_HD Vec3<Real> force_on_node(const Contact<Real>& c, Vec3<Real> lambda, bool on_j) {
  const Vec3<Real> f = transpose_times(c.R, lambda);
  return on_j ? -f : f;
}

/// The single world contacts of the lanes' rows.
template <class P>
struct SingleContacts {
  Mat3<P> R;
  Vec3<P> phi;
  P mu1, mu2;

  /// @param plane  those of the slice; `lane` is the first row's place in it
  template <class Memory>
  NODIA_HD static SingleContacts load(const Scalar<P>* plane, int lane, Memory memory) {
    P value[kContactPlanes];
    for (int e = 0; e < kContactPlanes; ++e)
      value[e] = memory.template load<P>(plane + e * kSliceRows + lane);
    return {{{{value[0], value[1], value[2]},
              {value[3], value[4], value[5]},
              {value[6], value[7], value[8]}}},
            {value[9], value[10], value[11]},
            value[12],
            value[13]};
  }
};

/// Several contacts of one row: one ordered sweep that starts from the lambda of the last
/// iteration.
/// @param w  alpha w_i
template <class Precision, class Memory>
NODIA_COLD Vec3<typename Precision::Real> sweep_contacts(const VfpiEnvironment<Precision>& env,
                                                         Projection projection, int begin, int end,
                                                         typename Precision::Real w,
                                                         Vec3<typename Precision::Real> v_star,
                                                         Memory memory) {
  using Real = typename Precision::Real;
  const Real inverse_w = Real(1) / w;
  Vec3<Real> v = v_star;
  for (int s = begin; s < end; ++s)
    v += w * transpose_times(env.contact[s].R, memory.template load_node<Real>(env.lambda, s));
  for (int s = begin; s < end; ++s) {
    const Contact<Real>& c = env.contact[s];
    const Vec3<Real> before = memory.template load_node<Real>(env.lambda, s);
    const Vec3<Real> trial = before - inverse_w * (c.R * v + c.phi);
    const Vec3<Real> lambda = project(projection, trial, c.mu1, c.mu2);
    v += w * transpose_times(c.R, lambda - before);
    memory.template store_node<Real>(env.lambda, s, lambda);
  }
  return v;
}

/// Rows of the lanes that are in several world contacts, or coupled: calls rare(entry, lane) for
/// each.
template <int kLanes, class Precision, class F>
NODIA_HD void for_rare_rows(const VfpiEnvironment<Precision>& env, int row, const F& rare) {
  const int slice = row / kSliceRows;
  for (int e = env.rare_begin[slice]; e < env.rare_begin[slice + 1]; ++e) {
    const int lane = env.rare[e].row - row;
    if (lane >= 0 && lane < kLanes) rare(env.rare[e], lane);
  }
}

/// v** of the lanes' rows; coupled rows keep v*.
/// @param store_single  whether lambda of single contacts is stored; that of several always is
template <class P, class Precision, class Memory>
NODIA_HD Vec3<P> solve_world_contacts(const VfpiEnvironment<Precision>& env, Projection projection,
                                      int row, P w, Vec3<P> v, bool store_single, Memory memory) {
  using Real = typename Precision::Real;
  const int slice = row / kSliceRows, lane = row % kSliceRows;
  const std::int32_t first_slot = env.contact_slice[slice];
  if (first_slot >= 0) {
    const auto c = SingleContacts<P>::load(
        env.contact_plane + static_cast<std::int64_t>(first_slot) * kContactPlanes, lane, memory);
    const P minus_inverse_w = Real(-1) / w;
    const Vec3<P> lambda = project(projection, minus_inverse_w * (c.R * v + c.phi), c.mu1, c.mu2);
    if (store_single) memory.template store_node<P>(env.lambda, first_slot + lane, lambda);
    v = v + w * transpose_times(c.R, lambda);
  }
  constexpr int kLanes = static_cast<int>(sizeof(P) / sizeof(Real));
  for_rare_rows<kLanes>(env, row, [&](const RareRow& rare, int l) {
    if (rare.coupled != 0) return;
    const Vec3<Real> star{lane_of(v.x, l), lane_of(v.y, l), lane_of(v.z, l)};
    const Vec3<Real> solved =
        sweep_contacts(env, projection, rare.begin, rare.end, lane_of(w, l), star, memory);
    set_lane(&v.x, l, solved.x);
    set_lane(&v.y, l, solved.y);
    set_lane(&v.z, l, solved.z);
  });
  return v;
}

}  // namespace nodia
