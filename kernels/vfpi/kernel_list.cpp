/// The kernels of the V-FPI loop on the CPU, for one instruction set: every one that the schedule
/// launches, found by the schedule itself.
#include "kernels/cpu/run_items.hpp"
#include "kernels/vfpi/schedule.hpp"

namespace nodia {

template class VfpiSchedule<DoublePrecision, KernelCompiler<NODIA_KERNEL_ISA>>;
template class VfpiSchedule<MixedPrecision, KernelCompiler<NODIA_KERNEL_ISA>>;
template class VfpiSchedule<FloatPrecision, KernelCompiler<NODIA_KERNEL_ISA>>;

}  // namespace nodia
