#include "kernels/device/absent.hpp"
#include "kernels/soft_step/device/device_soft_step.hpp"

namespace nodia {

void give_forces_on_device(const GivenForces&, DeviceStream, bool) {
  throw_no_device("contacts of soft nodes");
}

template <class Precision>
void move_freely_on_device(const SoftStepBatch<Precision>&, DeviceStream, bool) {
  throw_no_device("contacts of soft nodes");
}

template <class Precision>
void make_contacts_on_device(const SoftStepBatch<Precision>&, DeviceStream, bool) {
  throw_no_device("contacts of soft nodes");
}

template <class Precision>
void start_virtual_on_device(const SoftStepBatch<Precision>&, const StateCarry<Precision>&,
                             DeviceStream, bool) {
  throw_no_device("contacts of soft nodes");
}

template <class Precision>
void end_step_on_device(const SoftStepBatch<Precision>&, DeviceStream, bool) {
  throw_no_device("contacts of soft nodes");
}

void hold_back_on_device(const MeetingSurfaces&, SoftEnd*, int, DeviceStream, bool) {
  throw_no_device("contacts of soft nodes");
}

void gather_forces_on_device(const NearForces&, DeviceStream, bool) {
  throw_no_device("contacts of soft nodes");
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
