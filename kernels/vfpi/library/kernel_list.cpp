/// The kernels around a library's product on the CPU, for the emulated device.
#include "kernels/cpu/run_items.hpp"
#include "kernels/vfpi/environment.hpp"
#include "kernels/vfpi/library/library_gradient.hpp"

namespace nodia {

NODIA_RUN_ITEMS(GatherForLibrary<DoublePrecision>);
NODIA_RUN_ITEMS(GatherForLibrary<MixedPrecision>);
NODIA_RUN_ITEMS(GatherForLibrary<FloatPrecision>);
NODIA_RUN_ITEMS(GradientByLibrary<DoublePrecision>);
NODIA_RUN_ITEMS(GradientByLibrary<MixedPrecision>);
NODIA_RUN_ITEMS(GradientByLibrary<FloatPrecision>);

}  // namespace nodia
