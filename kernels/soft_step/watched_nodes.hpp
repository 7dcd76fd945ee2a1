/// Positions at the end of the step of nodes that the host follows.
#pragma once

#include "kernels/launch/element_kernel.hpp"
#include "kernels/soft_step/soft_contacts.hpp"

namespace nodia {

template <class Precision>
struct GatherWatched : FlatListKernel<GatherWatched<Precision>> {
  SoftStepBatch<Precision> batch;

  template <class Memory>
  NODIA_HD void visit(int k, Memory memory) const {
    using Real = typename Precision::Real;
    const WatchedNode& one = batch.watched[k];
    const SoftContacts& contacts = batch.contacts[one.env];
    if (one.node >= contacts.near.n_node) return;  // it rests
    const VfpiEnvironment<Precision>& env = batch.env[one.env];
    const SoftRows& soft = batch.soft[one.env];
    const Real* answer = env.node[memory.read(&env.control->answer)];
    const auto v_hat = cast<double>(load_state<Real>(env, answer, contacts.row[one.node], memory));
    const Vec3d x = memory.template load_unpadded_node<double>(soft.x, one.node);
    memory.write(batch.watched_x + k, x + soft.step.step_s * v_hat);
  }
};

/// After the loop, with positions still those of the start of the step.
/// @param launcher  launch(name, kernel, n_item) runs a kernel; launches follow each other
template <class Launcher, class Precision>
void launch_watched_nodes(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  GatherWatched<Precision> kernel;
  kernel.batch = batch;
  launch_list(launcher, "gather_watched", kernel, batch.n_watched);
}

}  // namespace nodia
