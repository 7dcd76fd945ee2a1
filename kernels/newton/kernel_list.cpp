/// The kernels of the Newton solver on the CPU.
#include "kernels/cpu/run_items.hpp"
#include "kernels/newton/chain_elimination.hpp"
#include "kernels/newton/smoothing.hpp"

namespace nodia {

NODIA_RUN_ITEMS(EliminateChains);
NODIA_RUN_ITEMS(SolveChains);
NODIA_RUN_ITEMS(DescendRows);
NODIA_RUN_ITEMS(SolveSingleContacts);
NODIA_RUN_ITEMS(SweepCoupledContacts);
NODIA_RUN_ITEMS(GradientRows);

}  // namespace nodia
