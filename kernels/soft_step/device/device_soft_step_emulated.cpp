#include "kernels/emulated/recorder.hpp"
#include "kernels/soft_step/device/device_soft_step.hpp"
#include "kernels/soft_step/free_motion.hpp"
#include "kernels/soft_step/judge.hpp"

namespace nodia {

void give_forces_on_device(const GivenForces& given, DeviceStream) {
  launch_given_forces(EmulatedLauncher{}, given);
}

template <class Precision>
void make_contacts_on_device(const SoftStepBatch<Precision>& batch, DeviceStream) {
  launch_free_motion(EmulatedLauncher{}, batch);
  launch_contacts(EmulatedLauncher{}, batch);
}

template <class Precision>
void place_contacts_on_device(const SoftStepBatch<Precision>& batch, DeviceStream) {
  launch_place_contacts(EmulatedLauncher{}, batch);
}

template <class Precision>
void judge_on_device(const SoftStepBatch<Precision>& batch, DeviceStream) {
  launch_keep_forces(EmulatedLauncher{}, batch);
  launch_judge(EmulatedLauncher{}, batch);
}

void gather_forces_on_device(const NearForces& near, DeviceStream) {
  launch_near_forces(EmulatedLauncher{}, near);
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
