#include "kernels/device/device_backend.cuh"
#include "kernels/step/contact_totals.hpp"
#include "kernels/step/depths.hpp"
#include "kernels/step/device/device_soft_step.hpp"
#include "kernels/step/end_of_step.hpp"
#include "kernels/step/free_motion.hpp"
#include "kernels/step/hold_totals.hpp"
#include "kernels/step/judge.hpp"
#include "kernels/step/pair_depths.hpp"

namespace nodia {

void give_forces_on_device(const GivenForces& given, DeviceStream stream, bool checked) {
  launch_given_forces(checked_launcher_in(stream, checked), given);
}

template <class Precision>
void move_freely_on_device(const SoftStepBatch<Precision>& batch, DeviceStream stream,
                           bool checked) {
  launch_free_motion(checked_launcher_in(stream, checked), batch);
}

template <class Precision>
void make_contacts_on_device(const SoftStepBatch<Precision>& batch, DeviceStream stream,
                             bool checked) {
  launch_contacts(checked_launcher_in(stream, checked), batch);
}

template <class Precision>
void start_virtual_on_device(const SoftStepBatch<Precision>& batch,
                             const StateCarry<Precision>& carry, DeviceStream stream,
                             bool checked) {
  launch_start_virtual(checked_launcher_in(stream, checked), batch, carry);
}

template <class Precision>
void end_step_on_device(const SoftStepBatch<Precision>& batch, DeviceStream stream, bool checked) {
  launch_keep_virtual_counts(checked_launcher_in(stream, checked), batch);
  launch_keep_forces(checked_launcher_in(stream, checked), batch);
  launch_judge(checked_launcher_in(stream, checked), batch);
  launch_contact_totals(checked_launcher_in(stream, checked), batch);
  launch_depths(checked_launcher_in(stream, checked), batch);
  launch_pair_depths(checked_launcher_in(stream, checked), batch);
  launch_hold_totals(checked_launcher_in(stream, checked), batch);
  launch_end_of_step(checked_launcher_in(stream, checked), batch);
}

void hold_back_on_device(const MeetingSurfaces& meeting, SoftEnd* end, int n_env,
                         DeviceStream stream, bool checked) {
  launch_hold_back(checked_launcher_in(stream, checked), meeting, end, n_env);
}

void gather_forces_on_device(const NearForces& near, DeviceStream stream, bool checked) {
  launch_near_forces(checked_launcher_in(stream, checked), near);
}

#define NODIA_INSTANTIATE(Precision)                                                          \
  template void move_freely_on_device(const SoftStepBatch<Precision>&, DeviceStream, bool);   \
  template void make_contacts_on_device(const SoftStepBatch<Precision>&, DeviceStream, bool); \
  template void start_virtual_on_device(const SoftStepBatch<Precision>&,                      \
                                        const StateCarry<Precision>&, DeviceStream, bool);    \
  template void end_step_on_device(const SoftStepBatch<Precision>&, DeviceStream, bool);
NODIA_FOR_EACH_PRECISION(NODIA_INSTANTIATE)
#undef NODIA_INSTANTIATE

}  // namespace nodia
