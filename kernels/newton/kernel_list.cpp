/// The kernels of the Newton solver on the CPU.
#include "kernels/cpu/run_items.hpp"
#include "kernels/newton/chain_elimination.hpp"
#include "kernels/newton/multigrid_build.hpp"
#include "kernels/newton/multigrid_cycle.hpp"
#include "kernels/newton/row_products.hpp"
#include "kernels/newton/smoothing.hpp"

namespace nodia {

NODIA_RUN_ITEMS(EliminateChains);
NODIA_RUN_ITEMS(SolveChains);
NODIA_RUN_ITEMS(DescendRows);
NODIA_RUN_ITEMS(SolveSingleContacts);
NODIA_RUN_ITEMS(SweepCoupledContacts);
NODIA_RUN_ITEMS(GradientRows);
NODIA_RUN_ITEMS(StartSmoothing);
NODIA_RUN_ITEMS(SmoothFirst);
NODIA_RUN_ITEMS(SmoothSecond);
NODIA_RUN_ITEMS(RestrictResidual);
NODIA_RUN_ITEMS(ProlongCorrection);
NODIA_RUN_ITEMS(SolveCoarsest);
NODIA_RUN_ITEMS(MultiplyRows);
NODIA_RUN_ITEMS(ApplyGroupInverses);
NODIA_RUN_ITEMS(CoarsenMatrix);
NODIA_RUN_ITEMS(InvertGroups);

}  // namespace nodia
