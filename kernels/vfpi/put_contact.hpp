/// Functions that write a contact into the arrays of the loop.
#pragma once

#include "kernels/vfpi/batch.hpp"

namespace nodia {

/// Writes a contact, its compliance and its initial force into all arrays that the iteration of a
/// row reads. Contact<Real>{.side_i = kWorld} and zeros make the contact index empty.
/// @param compliance  the largest of three axes, plus omega [m/(N s)]
template <class Precision, class Memory>
NODIA_HD void put_contact(const VfpiEnvironment<Precision>& env, std::int32_t slot,
                          const Contact<typename Precision::Real>& c, double compliance,
                          Vec3<typename Precision::Real> lambda, Memory memory) {
  using Real = typename Precision::Real;
  memory.write(env.contact + slot, c);
  memory.write(env.compliance + slot, compliance);
  memory.template store_node<Real>(env.lambda, slot, lambda);
  Real* plane = env.contact_plane +
                static_cast<std::int64_t>(slot / kSliceRows) * (kContactPlanes * kSliceRows) +
                slot % kSliceRows;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) memory.write(plane + (kPlaneR + 3 * i + j) * kSliceRows, c.R(i, j));
  for (int i = 0; i < 3; ++i) memory.write(plane + (kPlanePhi + i) * kSliceRows, c.phi[i]);
  memory.write(plane + kPlaneMu * kSliceRows, c.mu1);
  memory.write(plane + (kPlaneMu + 1) * kSliceRows, c.mu2);
}

/// Makes a contact index empty.
template <class Precision, class Memory>
NODIA_HD void put_no_contact(const VfpiEnvironment<Precision>& env, std::int32_t slot,
                             Memory memory) {
  Contact<typename Precision::Real> none;
  none.side_i = kWorld;
  put_contact(env, slot, none, 0.0, {}, memory);
}

}  // namespace nodia
