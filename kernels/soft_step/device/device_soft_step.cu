#include "kernels/device/device_launcher.cuh"
#include "kernels/soft_step/device/device_soft_step.hpp"
#include "kernels/soft_step/free_motion.hpp"
#include "kernels/soft_step/judge.hpp"

namespace nodia {

void give_forces_on_device(const GivenForces& given, DeviceStream stream) {
  launch_given_forces(DeviceLauncher(stream), given);
}

template <class Precision>
void make_contacts_on_device(const SoftStepBatch<Precision>& batch, DeviceStream stream) {
  launch_free_motion(DeviceLauncher(stream), batch);
  launch_contacts(DeviceLauncher(stream), batch);
}

template <class Precision>
void place_contacts_on_device(const SoftStepBatch<Precision>& batch, DeviceStream stream) {
  launch_place_contacts(DeviceLauncher(stream), batch);
}

template <class Precision>
void judge_on_device(const SoftStepBatch<Precision>& batch, DeviceStream stream) {
  launch_keep_forces(DeviceLauncher(stream), batch);
  launch_judge(DeviceLauncher(stream), batch);
}

void gather_forces_on_device(const NearForces& near, DeviceStream stream) {
  launch_near_forces(DeviceLauncher(stream), near);
}

template void make_contacts_on_device(const SoftStepBatch<DoublePrecision>&, DeviceStream);
template void make_contacts_on_device(const SoftStepBatch<MixedPrecision>&, DeviceStream);
template void make_contacts_on_device(const SoftStepBatch<FloatPrecision>&, DeviceStream);
template void place_contacts_on_device(const SoftStepBatch<DoublePrecision>&, DeviceStream);
template void place_contacts_on_device(const SoftStepBatch<MixedPrecision>&, DeviceStream);
template void place_contacts_on_device(const SoftStepBatch<FloatPrecision>&, DeviceStream);
template void judge_on_device(const SoftStepBatch<DoublePrecision>&, DeviceStream);
template void judge_on_device(const SoftStepBatch<MixedPrecision>&, DeviceStream);
template void judge_on_device(const SoftStepBatch<FloatPrecision>&, DeviceStream);

}  // namespace nodia
