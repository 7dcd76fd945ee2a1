/// List of the kernels of the detection that CPU runs launch.
#include "kernels/collision/detect_nodes.hpp"
#include "kernels/cpu/run_items.hpp"

namespace nodia {

NODIA_RUN_ITEMS(LargestSpeeds);
NODIA_RUN_ITEMS(PrepareObstacles);
NODIA_RUN_ITEMS(FlagPairs);
NODIA_RUN_ITEMS(WritePairs);

}  // namespace nodia
