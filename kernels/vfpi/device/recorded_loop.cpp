#include "kernels/vfpi/device/recorded_loop.hpp"

namespace nodia {

bool same_kernels(const VfpiPlan& a, const VfpiPlan& b) {
  return a.options.stop == b.options.stop && a.options.check_every == b.options.check_every &&
         a.options.w == b.options.w && a.power_products == b.power_products &&
         a.in_one_pass == b.in_one_pass && a.in_phases == b.in_phases && a.coupled == b.coupled &&
         a.several == b.several && a.virtual_nodes == b.virtual_nodes && a.groups == b.groups &&
         a.chains == b.chains && a.cancel_bias == b.cancel_bias;
}

}  // namespace nodia
