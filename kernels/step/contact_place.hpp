/// How contacts of a step on the device get into their slots of the loop.
#pragma once

#include "kernels/step/soft_contacts.hpp"
#include "kernels/vfpi/put_contact.hpp"

namespace nodia {

/// A contact in its slot. Where there are virtual nodes with what the cancellation of their bias
/// needs of it.
struct ContactPlace {
  double compliance = 0;      ///< the largest of its axes, plus omega [m/(N s)]
  double softness = 0;        ///< sum of 1/kv of its points [m/(N s)]
  bool has_points = false;    ///< the environment has virtual nodes
  bool cancels_bias = false;  ///< and cancels their bias

  template <class Precision, class Memory>
  NODIA_HD void put(const VfpiEnvironment<Precision>& env, std::int32_t slot,
                    const Contact<double>& contact, Vec3d lambda, Memory memory) const {
    using Real = typename Precision::Real;
    auto c = cast<Real>(contact);
    if (has_points) {
      memory.write(env.softness + slot, softness);
      memory.template store_node<Real>(env.phi, slot, c.phi);
      memory.template store_node<Real>(env.bias_lambda, slot, cast<Real>(lambda));
      if (cancels_bias) c.phi -= static_cast<Real>(softness) * cast<Real>(lambda);
    }
    put_contact(env, slot, c, compliance, cast<Real>(lambda), memory);
  }
  template <class Precision, class Memory>
  NODIA_HD void put_none(const VfpiEnvironment<Precision>& env, std::int32_t slot,
                         Memory memory) const {
    using Real = typename Precision::Real;
    if (has_points) {
      memory.write(env.softness + slot, 0.0);
      memory.template store_node<Real>(env.phi, slot, Vec3<Real>{});
      memory.template store_node<Real>(env.bias_lambda, slot, Vec3<Real>{});
    }
    put_no_contact(env, slot, memory);
  }
};

/// Of the contacts of an environment.
template <bool with_pairs, class Precision, class Memory>
NODIA_HD ContactPlace contact_place(const SoftStepBatch<Precision>& batch, int e, Memory memory) {
  ContactPlace place;
  if constexpr (with_pairs) {
    place.has_points = memory.read(batch.pairs.counts + e).n_used() > 0;
    place.cancels_bias = place.has_points && batch.pairs.coupling.cancels_bias;
  }
  return place;
}

}  // namespace nodia
