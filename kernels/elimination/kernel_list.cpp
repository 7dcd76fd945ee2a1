/// Kernels of block elimination, compiled for the CPU.
#include "kernels/cpu/run_items.hpp"
#include "kernels/elimination/chain_elimination.hpp"

namespace nodia {

NODIA_RUN_ITEMS(EliminateChains);
NODIA_RUN_ITEMS(SolveChains);

}  // namespace nodia
