/// CUDA-free interface to the kernels for contacts and errors of soft nodes. Takes device pointers.
/// Returns without waiting, unless the queue waits for its kernels.
#pragma once

#include "kernels/device/stream.hpp"
#include "kernels/step/contacts.hpp"
#include "kernels/step/kept_forces.hpp"
#include "kernels/step/reject_ends.hpp"
#include "kernels/step/start_contact_nodes.hpp"

namespace nodia {

/// Runs launch_given_forces in the stream.
void give_forces_on_device(const GivenForces& given, DeviceQueue queue);
/// Runs launch_free_motion in the stream.
template <class Precision>
void move_freely_on_device(const SoftStepBatch<Precision>& batch, DeviceQueue queue);
/// Runs launch_contacts in the stream.
template <class Precision>
void make_contacts_on_device(const SoftStepBatch<Precision>& batch, DeviceQueue queue);
/// Runs launch_start_contact_nodes in the stream.
template <class Precision>
void start_contact_nodes_on_device(const SoftStepBatch<Precision>& batch,
                                   const StateCarry<Precision>& carry, DeviceQueue queue);
/// Runs the kernels after the loop in the stream, from launch_keep_contact_node_counts,
/// launch_keep_forces and launch_evaluation to launch_end_of_step.
template <class Precision>
void end_step_on_device(const SoftStepBatch<Precision>& batch, DeviceQueue queue);
/// Runs launch_reject_ends in the stream.
void reject_ends_on_device(const PairedSurfaces& paired, SoftEnd* end, int n_env,
                           DeviceQueue queue);
/// Runs launch_near_forces in the stream.
void gather_forces_on_device(const NearForces& near, DeviceQueue queue);

}  // namespace nodia
