#include "kernels/emulated/item_launcher.hpp"
#include "kernels/linalg/device/launch_sliced.hpp"

namespace nodia {

template <class Real>
void launch_sliced_on_device(const SlicedProductView<Real>& product, DeviceStream stream) {
  launch_sliced_product(ItemLauncher{stream}, product);
}

template void launch_sliced_on_device(const SlicedProductView<float>&, DeviceStream);
template void launch_sliced_on_device(const SlicedProductView<double>&, DeviceStream);

}  // namespace nodia
