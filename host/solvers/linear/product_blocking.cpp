#include "host/solvers/linear/product_blocking.hpp"

#include <Eigen/Core>
#include <mutex>

namespace nodia {

void fix_product_blocking() {
  static std::once_flag once;
  std::call_once(once, [] { Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 8 << 20); });
}

}  // namespace nodia
