/// Compiles the kernels of the assembly for the CPU.
#include "kernels/cpu/run_items.hpp"
#include "kernels/step/assemble.hpp"

namespace nodia {

NODIA_RUN_ITEMS(EvaluateTets);
NODIA_RUN_ITEMS(EvaluateTurnedTets);
NODIA_RUN_ITEMS(MeasureTets);
NODIA_RUN_ITEMS(AssembleRows);
NODIA_RUN_ITEMS(GatherForces);

}  // namespace nodia
