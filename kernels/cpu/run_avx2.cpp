#include "kernels/cpu/run_items.hpp"

namespace nodia {

NODIA_RUN_ALL_ITEMS(Avx2);

}  // namespace nodia
