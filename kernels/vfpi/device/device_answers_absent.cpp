#include "kernels/device/absent.hpp"
#include "kernels/vfpi/device/device_answers.hpp"

namespace nodia {

template <class Precision>
void take_answers_on_device(const TakeAnswers<Precision>&, int, DeviceStream) {
  throw_no_device("V-FPI loop");
}

void take_ends_on_device(const VfpiControl*, ControlEnd*, int, DeviceStream, bool) {
  throw_no_device("V-FPI loop");
}

template <class Precision>
void tell_whether_it_goes_on_on_device(const SoftStepBatch<Precision>&, std::int32_t*, DeviceStream,
                                       bool) {
  throw_no_device("V-FPI loop");
}

template <class Precision>
void gather_nodes_on_device(const GatherNodes<Precision>&, int, DeviceStream, bool) {
  throw_no_device("V-FPI loop");
}

template void take_answers_on_device(const TakeAnswers<DoublePrecision>&, int, DeviceStream);
template void take_answers_on_device(const TakeAnswers<MixedPrecision>&, int, DeviceStream);
template void take_answers_on_device(const TakeAnswers<FloatPrecision>&, int, DeviceStream);
template void tell_whether_it_goes_on_on_device(const SoftStepBatch<DoublePrecision>&,
                                                std::int32_t*, DeviceStream, bool);
template void tell_whether_it_goes_on_on_device(const SoftStepBatch<MixedPrecision>&, std::int32_t*,
                                                DeviceStream, bool);
template void tell_whether_it_goes_on_on_device(const SoftStepBatch<FloatPrecision>&, std::int32_t*,
                                                DeviceStream, bool);
template void gather_nodes_on_device(const GatherNodes<DoublePrecision>&, int, DeviceStream, bool);
template void gather_nodes_on_device(const GatherNodes<MixedPrecision>&, int, DeviceStream, bool);
template void gather_nodes_on_device(const GatherNodes<FloatPrecision>&, int, DeviceStream, bool);

}  // namespace nodia
