/// Launches of the kernels that gather solutions and end values of a batch.
#include "kernels/device/device_backend.cuh"
#include "kernels/step/continues.hpp"
#include "kernels/vfpi/device/device_solutions.hpp"

namespace nodia {

template <class Precision>
void take_solutions_on_device(const TakeSolutions<Precision>& kernel, int n_env,
                              DeviceStream stream) {
  launcher_in({stream}).launch("take_solutions", kernel, n_env * kernel.n_chunk);
}

void take_ends_on_device(const VfpiControl* control, ControlEnd* end, int n_env,
                         DeviceQueue queue) {
  GatherControlEnds kernel;
  kernel.control = control;
  kernel.end = end;
  launch_list(launcher_in(queue), "take_ends", kernel, n_env);
}

template <class Precision>
void report_whether_it_continues_on_device(const SoftStepBatch<Precision>& batch,
                                           std::int32_t* continues, DeviceQueue queue) {
  launcher_in(queue).launch("report_whether_it_continues",
                            ReportWhetherItContinues<Precision>{{{}, batch}, continues}, 1);
}

template <class Precision>
void gather_nodes_on_device(const GatherNodes<Precision>& kernel, int n_part, DeviceQueue queue) {
  launcher_in(queue).launch("gather_nodes", kernel, n_part * kernel.n_chunk);
}

#define NODIA_INSTANTIATE(Precision)                                                          \
  template void take_solutions_on_device(const TakeSolutions<Precision>&, int, DeviceStream); \
  template void report_whether_it_continues_on_device(const SoftStepBatch<Precision>&,        \
                                                      std::int32_t*, DeviceQueue);            \
  template void gather_nodes_on_device(const GatherNodes<Precision>&, int, DeviceQueue);
NODIA_FOR_EACH_PRECISION(NODIA_INSTANTIATE)
#undef NODIA_INSTANTIATE

}  // namespace nodia
