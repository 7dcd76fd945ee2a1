/// List of the kernels of the V-FPI schedule that CPU runs launch.
#include "kernels/cpu/run_items.hpp"
#include "kernels/vfpi/schedule.hpp"

namespace nodia {

template class VfpiSchedule<DoublePrecision, KernelCompiler<NODIA_KERNEL_ISA>>;
template class VfpiSchedule<MixedPrecision, KernelCompiler<NODIA_KERNEL_ISA>>;
template class VfpiSchedule<FloatPrecision, KernelCompiler<NODIA_KERNEL_ISA>>;

}  // namespace nodia
