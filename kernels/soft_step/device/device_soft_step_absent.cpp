#include "kernels/device/absent.hpp"
#include "kernels/soft_step/device/device_soft_step.hpp"

namespace nodia {

void give_forces_on_device(const GivenForces&, DeviceStream) {
  throw_no_device("contacts of soft nodes");
}

template <class Precision>
void make_contacts_on_device(const SoftStepBatch<Precision>&, DeviceStream) {
  throw_no_device("contacts of soft nodes");
}

template <class Precision>
void place_contacts_on_device(const SoftStepBatch<Precision>&, DeviceStream) {
  throw_no_device("contacts of soft nodes");
}

template <class Precision>
void judge_on_device(const SoftStepBatch<Precision>&, DeviceStream) {
  throw_no_device("contacts of soft nodes");
}

void gather_forces_on_device(const NearForces&, DeviceStream) {
  throw_no_device("contacts of soft nodes");
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
