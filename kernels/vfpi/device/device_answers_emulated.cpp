#include "kernels/device/checked_launcher.hpp"
#include "kernels/emulated/item_launcher.hpp"
#include "kernels/soft_step/goes_on.hpp"
#include "kernels/vfpi/device/device_answers.hpp"

namespace nodia {

template <class Precision>
void take_answers_on_device(const TakeAnswers<Precision>& kernel, int n_env, DeviceStream stream) {
  ItemLauncher{stream}.launch("take_answers", kernel, n_env * kernel.n_chunk);
}

void take_ends_on_device(const VfpiControl* control, ControlEnd* end, int n_env,
                         DeviceStream stream, bool checked) {
  GatherControlEnds kernel;
  kernel.control = control;
  kernel.end = end;
  launch_list(CheckedLauncher(ItemLauncher{stream}, stream, checked), "take_ends", kernel, n_env);
}

template <class Precision>
void tell_whether_it_goes_on_on_device(const SoftStepBatch<Precision>& batch, std::int32_t* goes_on,
                                       DeviceStream stream, bool checked) {
  CheckedLauncher(ItemLauncher{stream}, stream, checked)
      .launch("tell_whether_it_goes_on", TellWhetherItGoesOn<Precision>{{{}, batch}, goes_on}, 1);
}

template <class Precision>
void gather_nodes_on_device(const GatherNodes<Precision>& kernel, int n_part, DeviceStream stream,
                            bool checked) {
  CheckedLauncher(ItemLauncher{stream}, stream, checked)
      .launch("gather_nodes", kernel, n_part * kernel.n_chunk);
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
