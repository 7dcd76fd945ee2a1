/// The kernels of the detection on the CPU.
#include "kernels/collision/detect_nodes.hpp"
#include "kernels/cpu/run_items.hpp"

namespace nodia {

NODIA_RUN_ITEMS(LargestSpeeds);
NODIA_RUN_ITEMS(PrepareObstacles);
NODIA_RUN_ITEMS(FlagPairs);
NODIA_RUN_ITEMS(WritePairs);

}  // namespace nodia
