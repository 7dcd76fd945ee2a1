/// Kernels of matrices that only a device launches, compiled for the CPU.
#include "kernels/cpu/run_items.hpp"
#include "kernels/linalg/sliced_product.hpp"

namespace nodia {

NODIA_RUN_ITEMS(MultiplySliced<float>);
NODIA_RUN_ITEMS(MultiplySliced<double>);

}  // namespace nodia
