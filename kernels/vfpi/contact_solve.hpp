/// Contact solve v* -> v** for rows in contact with the static world (Lee et al., Alg. 2 and (24)).
///
///   lambda = contact_update (kernels/contact/contact_update.hpp) of u at v* + W Jc^T lambda; exact
///            in one evaluation for a row with one contact
///   v**    = v* + W Jc^T lambda
#pragma once

#include "kernels/contact/contact_update.hpp"
#include "kernels/vfpi/batch.hpp"

namespace nodia {

/// Jc_m^T lambda_m on one row of the contact [N].
template <class Real>
NODIA_HD Vec3<Real> force_on_node(const Contact<Real>& c, Vec3<Real> lambda, bool on_j) {
  const Vec3<Real> f = transpose_times(c.R, lambda);
  return on_j ? -f : f;
}

/// Single world contacts of the lanes' rows, read from columns.
template <class P, class Memory>
class SingleContacts {
 public:
  /// @param plane  columns of the slice
  /// @param lane   index of the first row in the slice
  NODIA_HD SingleContacts(const Scalar<P>* plane, int lane, Memory memory)
      : plane_(plane + lane), memory_(memory) {}

  /// R v + phi [m/s]
  NODIA_HD Vec3<P> velocity(Vec3<P> v) const {
    return {dot(row(0), v) + load(kPlanePhi), dot(row(1), v) + load(kPlanePhi + 1),
            dot(row(2), v) + load(kPlanePhi + 2)};
  }
  /// R^T lambda [N]
  NODIA_HD Vec3<P> transposed(Vec3<P> lambda) const {
    return lambda.x * row(0) + lambda.y * row(1) + lambda.z * row(2);
  }
  template <ContactCase contacts>
  NODIA_HD auto law(Projection projection) const {
    if constexpr (contacts == ContactCase::common)
      return IsotropicLaw<P>{load(kPlaneMu)};
    else
      return ContactLaw<P>{projection, load(kPlaneMu), load(kPlaneMu + 1)};
  }

 private:
  NODIA_HD P load(int k) const { return memory_.template load<P>(plane_ + k * kSliceRows); }
  NODIA_HD Vec3<P> row(int i) const {
    return {load(kPlaneR + 3 * i), load(kPlaneR + 3 * i + 1), load(kPlaneR + 3 * i + 2)};
  }

  const Scalar<P>* plane_;
  Memory memory_;
};

/// Single contacts of a slice.
/// @param first_slot  first contact index of the slice, >= 0
template <class P, class Precision, class Memory>
NODIA_HD SingleContacts<P, Memory> single_contacts(const VfpiEnvironment<Precision>& env,
                                                   std::int32_t first_slot, int lane,
                                                   Memory memory) {
  return {env.contact_plane + static_cast<std::int64_t>(first_slot) * kContactPlanes, lane, memory};
}

/// Solves several contacts of one row in one ordered sweep that starts from the last lambda.
/// @param w  alpha w_i [s/kg]
template <class Precision, class Memory>
NODIA_COLD Vec3<typename Precision::Real> sweep_contacts(const VfpiEnvironment<Precision>& env,
                                                         const VfpiOptions& options, int begin,
                                                         int end, typename Precision::Real w,
                                                         Vec3<typename Precision::Real> v_star,
                                                         Memory memory) {
  using Real = typename Precision::Real;
  const Real omega = static_cast<Real>(options.omega);
  Vec3<Real> v = v_star;
  for (int s = begin; s < end; ++s)
    v += w * transpose_times(env.contact[s].R, memory.template load_node<Real>(env.lambda, s));
  for (int s = begin; s < end; ++s) {
    const Contact<Real>& c = env.contact[s];
    const Vec3<Real> before = memory.template load_node<Real>(env.lambda, s);
    const Vec3<Real> lambda =
        contact_update(law_of(options.projection, c), before, c.R * v + c.phi, w, omega);
    v += w * transpose_times(c.R, lambda - before);
    memory.template store_node<Real>(env.lambda, s, lambda);
  }
  return v;
}

/// Calls multi_contact(entry, lane) for each row with several contacts among the lanes' rows.
template <int kLanes, class Precision, class F>
NODIA_HD void for_multi_contact_rows(const VfpiEnvironment<Precision>& env, int row,
                                     const F& multi_contact) {
  const int slice = row / kSliceRows;
  for (int e = env.multi_contact_begin[slice]; e < env.multi_contact_begin[slice + 1]; ++e) {
    const int lane = env.multi_contact[e].row - row;
    if (lane >= 0 && lane < kLanes) multi_contact(env.multi_contact[e], lane);
  }
}

/// Sets the vector of lane l.
template <class P, class Real>
NODIA_HD void set_row(Vec3<P>* v, int l, Vec3<Real> value) {
  set_lane(&v->x, l, value.x);
  set_lane(&v->y, l, value.y);
  set_lane(&v->z, l, value.z);
}

/// First contact index of the row's slice; negative if the slice has no single contacts.
template <class Precision>
NODIA_HD std::int32_t first_contact_slot(const VfpiEnvironment<Precision>& env, int row) {
  return env.contact_slice[row / kSliceRows];
}

/// Computes v** of the lanes' rows; rows with two-body contacts keep v*.
/// @param first_slot    first_contact_slot of the rows
/// @param store_single  store lambda of single contacts; others always store it
template <ContactCase contacts, class P, class Precision, class Memory>
NODIA_HD Vec3<P> solve_world_contacts(const VfpiEnvironment<Precision>& env,
                                      const VfpiOptions& options, int row, std::int32_t first_slot,
                                      P w, Vec3<P> v, bool store_single, Memory memory) {
  using Real = typename Precision::Real;
  const int lane = row % kSliceRows;
  if (first_slot >= 0) {
    const auto c = single_contacts<P>(env, first_slot, lane, memory);
    const Vec3<P> jump = one_shot_jump(c.template law<contacts>(options.projection), c.velocity(v),
                                       w, static_cast<Real>(options.omega));
    if (store_single)
      memory.template store_node<P>(env.lambda, first_slot + lane, (Real(1) / w) * jump);
    v = v + c.transposed(jump);
  }
  if constexpr (contacts == ContactCase::common) return v;
  constexpr int kLanes = static_cast<int>(sizeof(P) / sizeof(Real));
  for_multi_contact_rows<kLanes>(env, row, [&](const MultiContactRow& multi_contact, int l) {
    if (multi_contact.coupled != 0) return;
    const Vec3<Real> star{lane_of(v.x, l), lane_of(v.y, l), lane_of(v.z, l)};
    const Vec3<Real> solved = sweep_contacts(env, options, multi_contact.begin, multi_contact.end,
                                             lane_of(w, l), star, memory);
    set_row(&v, l, solved);
  });
  return v;
}

}  // namespace nodia
