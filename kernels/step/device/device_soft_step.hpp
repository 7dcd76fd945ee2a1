/// Contacts and errors of soft nodes on the device, seen from the host without CUDA types. Pointers
/// of the arguments are into device memory. Returns without waiting, unless the queue waits for its
/// kernels.
#pragma once

#include "kernels/device/stream.hpp"
#include "kernels/step/contacts.hpp"
#include "kernels/step/hold_back.hpp"
#include "kernels/step/kept_forces.hpp"
#include "kernels/step/start_virtual.hpp"

namespace nodia {

/// launch_given_forces in the stream.
void give_forces_on_device(const GivenForces& given, DeviceQueue queue);
/// launch_free_motion in the stream.
template <class Precision>
void move_freely_on_device(const SoftStepBatch<Precision>& batch, DeviceQueue queue);
/// launch_contacts in the stream.
template <class Precision>
void make_contacts_on_device(const SoftStepBatch<Precision>& batch, DeviceQueue queue);
/// launch_start_virtual in the stream.
template <class Precision>
void start_virtual_on_device(const SoftStepBatch<Precision>& batch,
                             const StateCarry<Precision>& carry, DeviceQueue queue);
/// launch_keep_virtual_counts, launch_keep_forces, launch_judge and what follows the answer, to
/// launch_end_of_step, in the stream.
template <class Precision>
void end_step_on_device(const SoftStepBatch<Precision>& batch, DeviceQueue queue);
/// launch_hold_back in the stream.
void hold_back_on_device(const MeetingSurfaces& meeting, SoftEnd* end, int n_env,
                         DeviceQueue queue);
/// launch_near_forces in the stream.
void gather_forces_on_device(const NearForces& near, DeviceQueue queue);

}  // namespace nodia
