/// Makes the order of sums in Eigen's dense products equal on every machine.
#pragma once

namespace nodia {

/// Eigen sums large products in blocks sized for the caches of the processor, so rounding differs
/// between machines. After this call the blocks have one fixed cache size.
void fix_product_blocking();

}  // namespace nodia
