/// Kernels of multigrid hierarchies, compiled for the CPU.
#include "kernels/cpu/run_items.hpp"
#include "kernels/multigrid/conjugate_gradients.hpp"
#include "kernels/multigrid/multigrid_build.hpp"
#include "kernels/multigrid/multigrid_cycle.hpp"

namespace nodia {

NODIA_RUN_ITEMS(RoundRight);
NODIA_RUN_ITEMS(WidenSolution);
NODIA_RUN_ITEMS(ResidualRows<false>);
NODIA_RUN_ITEMS(ResidualRows<true>);
NODIA_RUN_ITEMS(CableResidual<false>);
NODIA_RUN_ITEMS(CableResidual<true>);
NODIA_RUN_ITEMS(SolveCoarsestCables);
NODIA_RUN_ITEMS(StartSmoothing);
NODIA_RUN_ITEMS(SmoothFirst);
NODIA_RUN_ITEMS(SmoothSecond);
NODIA_RUN_ITEMS(RestrictResidual);
NODIA_RUN_ITEMS(ProlongCorrection);
NODIA_RUN_ITEMS(SolveCoarsest);
NODIA_RUN_ITEMS(ApplyGroupInverses);
NODIA_RUN_ITEMS(RoundMatrix);
NODIA_RUN_ITEMS(RoundBlocks);
NODIA_RUN_ITEMS(PutBlocks);
NODIA_RUN_ITEMS(CoarsenMatrix);
NODIA_RUN_ITEMS(InvertGroups);
NODIA_RUN_ITEMS(StartGradients);
NODIA_RUN_ITEMS(SumRestTimesCycled);
NODIA_RUN_ITEMS(ChooseDirection);
NODIA_RUN_ITEMS(TurnDirection);
NODIA_RUN_ITEMS(MultiplyDirection);
NODIA_RUN_ITEMS(ChooseStep);
NODIA_RUN_ITEMS(TakeStep);
NODIA_RUN_ITEMS(EndStep);

}  // namespace nodia
