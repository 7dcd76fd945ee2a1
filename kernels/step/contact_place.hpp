/// Writes contacts of a step at their contact index in the arrays of the loop.
#pragma once

#include "kernels/step/soft_contacts.hpp"
#include "kernels/vfpi/put_contact.hpp"

namespace nodia {

/// Writes a contact at its index. With contact nodes it also writes the data that the bias
/// cancellation needs.
struct ContactPlace {
  double compliance = 0;      ///< largest over the axes, plus omega [m/(N s)]
  double softness = 0;        ///< sum of 1/kv over its contact nodes [m/(N s)]
  bool has_points = false;    ///< true if the environment has contact nodes
  bool cancels_bias = false;  ///< true if the bias of its contact nodes is cancelled

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

/// Returns the options for the contacts of an environment.
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
