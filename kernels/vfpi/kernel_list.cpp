/// The kernels of the V-FPI loop that CPU runs launch: all that the schedule launches.
#include "kernels/cpu/run_items.hpp"
#include "kernels/vfpi/schedule.hpp"

namespace nodia {

template class VfpiSchedule<DoublePrecision, KernelCompiler<NODIA_KERNEL_ISA>>;
template class VfpiSchedule<MixedPrecision, KernelCompiler<NODIA_KERNEL_ISA>>;
template class VfpiSchedule<FloatPrecision, KernelCompiler<NODIA_KERNEL_ISA>>;

}  // namespace nodia
