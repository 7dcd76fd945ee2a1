#include "kernels/device/checked_launcher.hpp"
#include "kernels/device/device_launcher.cuh"
#include "kernels/soft_step/contact_totals.hpp"
#include "kernels/soft_step/depths.hpp"
#include "kernels/soft_step/device/device_soft_step.hpp"
#include "kernels/soft_step/end_of_step.hpp"
#include "kernels/soft_step/free_motion.hpp"
#include "kernels/soft_step/hold_totals.hpp"
#include "kernels/soft_step/judge.hpp"
#include "kernels/soft_step/pair_depths.hpp"

namespace nodia {

void give_forces_on_device(const GivenForces& given, DeviceStream stream, bool checked) {
  launch_given_forces(CheckedLauncher(DeviceLauncher(stream), stream, checked), given);
}

template <class Precision>
void move_freely_on_device(const SoftStepBatch<Precision>& batch, DeviceStream stream,
                           bool checked) {
  launch_free_motion(CheckedLauncher(DeviceLauncher(stream), stream, checked), batch);
}

template <class Precision>
void make_contacts_on_device(const SoftStepBatch<Precision>& batch, DeviceStream stream,
                             bool checked) {
  launch_contacts(CheckedLauncher(DeviceLauncher(stream), stream, checked), batch);
}

template <class Precision>
void start_virtual_on_device(const SoftStepBatch<Precision>& batch,
                             const StateCarry<Precision>& carry, DeviceStream stream,
                             bool checked) {
  launch_start_virtual(CheckedLauncher(DeviceLauncher(stream), stream, checked), batch, carry);
}

template <class Precision>
void end_step_on_device(const SoftStepBatch<Precision>& batch, DeviceStream stream, bool checked) {
  launch_keep_virtual_counts(CheckedLauncher(DeviceLauncher(stream), stream, checked), batch);
  launch_keep_forces(CheckedLauncher(DeviceLauncher(stream), stream, checked), batch);
  launch_judge(CheckedLauncher(DeviceLauncher(stream), stream, checked), batch);
  launch_contact_totals(CheckedLauncher(DeviceLauncher(stream), stream, checked), batch);
  launch_depths(CheckedLauncher(DeviceLauncher(stream), stream, checked), batch);
  launch_pair_depths(CheckedLauncher(DeviceLauncher(stream), stream, checked), batch);
  launch_hold_totals(CheckedLauncher(DeviceLauncher(stream), stream, checked), batch);
  launch_end_of_step(CheckedLauncher(DeviceLauncher(stream), stream, checked), batch);
}

void hold_back_on_device(const MeetingSurfaces& meeting, SoftEnd* end, int n_env,
                         DeviceStream stream, bool checked) {
  launch_hold_back(CheckedLauncher(DeviceLauncher(stream), stream, checked), meeting, end, n_env);
}

void gather_forces_on_device(const NearForces& near, DeviceStream stream, bool checked) {
  launch_near_forces(CheckedLauncher(DeviceLauncher(stream), stream, checked), near);
}

template void move_freely_on_device(const SoftStepBatch<DoublePrecision>&, DeviceStream, bool);
template void move_freely_on_device(const SoftStepBatch<MixedPrecision>&, DeviceStream, bool);
template void move_freely_on_device(const SoftStepBatch<FloatPrecision>&, DeviceStream, bool);
template void make_contacts_on_device(const SoftStepBatch<DoublePrecision>&, DeviceStream, bool);
template void make_contacts_on_device(const SoftStepBatch<MixedPrecision>&, DeviceStream, bool);
template void make_contacts_on_device(const SoftStepBatch<FloatPrecision>&, DeviceStream, bool);
template void start_virtual_on_device(const SoftStepBatch<DoublePrecision>&,
                                      const StateCarry<DoublePrecision>&, DeviceStream, bool);
template void start_virtual_on_device(const SoftStepBatch<MixedPrecision>&,
                                      const StateCarry<MixedPrecision>&, DeviceStream, bool);
template void start_virtual_on_device(const SoftStepBatch<FloatPrecision>&,
                                      const StateCarry<FloatPrecision>&, DeviceStream, bool);
template void end_step_on_device(const SoftStepBatch<DoublePrecision>&, DeviceStream, bool);
template void end_step_on_device(const SoftStepBatch<MixedPrecision>&, DeviceStream, bool);
template void end_step_on_device(const SoftStepBatch<FloatPrecision>&, DeviceStream, bool);

}  // namespace nodia
