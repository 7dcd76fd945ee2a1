#include "kernels/device/device_backend.cuh"
#include "kernels/step/goes_on.hpp"
#include "kernels/vfpi/device/device_answers.hpp"

namespace nodia {

template <class Precision>
void take_answers_on_device(const TakeAnswers<Precision>& kernel, int n_env, DeviceStream stream) {
  launcher_in(stream).launch("take_answers", kernel, n_env * kernel.n_chunk);
}

void take_ends_on_device(const VfpiControl* control, ControlEnd* end, int n_env,
                         DeviceStream stream, bool checked) {
  GatherControlEnds kernel;
  kernel.control = control;
  kernel.end = end;
  launch_list(checked_launcher_in(stream, checked), "take_ends", kernel, n_env);
}

template <class Precision>
void tell_whether_it_goes_on_on_device(const SoftStepBatch<Precision>& batch, std::int32_t* goes_on,
                                       DeviceStream stream, bool checked) {
  checked_launcher_in(stream, checked)
      .launch("tell_whether_it_goes_on", TellWhetherItGoesOn<Precision>{{{}, batch}, goes_on}, 1);
}

template <class Precision>
void gather_nodes_on_device(const GatherNodes<Precision>& kernel, int n_part, DeviceStream stream,
                            bool checked) {
  checked_launcher_in(stream, checked).launch("gather_nodes", kernel, n_part * kernel.n_chunk);
}

#define NODIA_INSTANTIATE(Precision)                                                              \
  template void take_answers_on_device(const TakeAnswers<Precision>&, int, DeviceStream);         \
  template void tell_whether_it_goes_on_on_device(const SoftStepBatch<Precision>&, std::int32_t*, \
                                                  DeviceStream, bool);                            \
  template void gather_nodes_on_device(const GatherNodes<Precision>&, int, DeviceStream, bool);
NODIA_FOR_EACH_PRECISION(NODIA_INSTANTIATE)
#undef NODIA_INSTANTIATE

}  // namespace nodia
