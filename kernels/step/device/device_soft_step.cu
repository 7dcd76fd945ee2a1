/// Launches the kernels for contacts and errors of soft nodes in a stream.
#include "kernels/device/device_backend.cuh"
#include "kernels/step/attachment_totals.hpp"
#include "kernels/step/contact_totals.hpp"
#include "kernels/step/depths.hpp"
#include "kernels/step/device/device_soft_step.hpp"
#include "kernels/step/end_of_step.hpp"
#include "kernels/step/evaluate.hpp"
#include "kernels/step/free_motion.hpp"
#include "kernels/step/pair_depths.hpp"

namespace nodia {

void give_forces_on_device(const GivenForces& given, DeviceQueue queue) {
  launch_given_forces(launcher_in(queue), given);
}

template <class Precision>
void move_freely_on_device(const SoftStepBatch<Precision>& batch, DeviceQueue queue) {
  launch_free_motion(launcher_in(queue), batch);
}

template <class Precision>
void make_contacts_on_device(const SoftStepBatch<Precision>& batch, DeviceQueue queue) {
  launch_contacts(launcher_in(queue), batch);
}

template <class Precision>
void start_contact_nodes_on_device(const SoftStepBatch<Precision>& batch,
                                   const StateCarry<Precision>& carry, DeviceQueue queue) {
  launch_start_contact_nodes(launcher_in(queue), batch, carry);
}

template <class Precision>
void end_step_on_device(const SoftStepBatch<Precision>& batch, DeviceQueue queue) {
  launch_keep_contact_node_counts(launcher_in(queue), batch);
  launch_keep_forces(launcher_in(queue), batch);
  launch_evaluation(launcher_in(queue), batch);
  launch_contact_totals(launcher_in(queue), batch);
  launch_depths(launcher_in(queue), batch);
  launch_pair_depths(launcher_in(queue), batch);
  launch_attachment_totals(launcher_in(queue), batch);
  launch_end_of_step(launcher_in(queue), batch);
}

void reject_ends_on_device(const PairedSurfaces& paired, SoftEnd* end, int n_env,
                           DeviceQueue queue) {
  launch_reject_ends(launcher_in(queue), paired, end, n_env);
}

void gather_forces_on_device(const NearForces& near, DeviceQueue queue) {
  launch_near_forces(launcher_in(queue), near);
}

#define NODIA_INSTANTIATE(Precision)                                                      \
  template void move_freely_on_device(const SoftStepBatch<Precision>&, DeviceQueue);      \
  template void make_contacts_on_device(const SoftStepBatch<Precision>&, DeviceQueue);    \
  template void start_contact_nodes_on_device(const SoftStepBatch<Precision>&,            \
                                              const StateCarry<Precision>&, DeviceQueue); \
  template void end_step_on_device(const SoftStepBatch<Precision>&, DeviceQueue);
NODIA_FOR_EACH_PRECISION(NODIA_INSTANTIATE)
#undef NODIA_INSTANTIATE

}  // namespace nodia
