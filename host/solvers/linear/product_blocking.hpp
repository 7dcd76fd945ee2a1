/// One order of sums in Eigen's dense products on every machine.
#pragma once

namespace nodia {

/// Eigen sums large products in blocks sized for the caches of the processor that it runs on, so
/// that another machine rounds otherwise. From here on the blocks are those of one fixed size of
/// caches.
void fix_product_blocking();

}  // namespace nodia
