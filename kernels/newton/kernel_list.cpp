/// Kernels of the Newton solver, compiled for the CPU.
#include "kernels/cpu/run_items.hpp"
#include "kernels/linalg/row_products.hpp"
#include "kernels/newton/smoothing.hpp"

namespace nodia {

NODIA_RUN_ITEMS(DescendRows);
NODIA_RUN_ITEMS(SolveSingleContacts);
NODIA_RUN_ITEMS(SweepCoupledContacts);
NODIA_RUN_ITEMS(GradientRows);
NODIA_RUN_ITEMS(MultiplyRows<double>);

}  // namespace nodia
