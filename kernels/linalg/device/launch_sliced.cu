#include "kernels/linalg/device/launch_sliced.hpp"

#include "kernels/device/device_backend.cuh"

namespace nodia {

template <class Real>
void launch_sliced_on_device(const SlicedProductView<Real>& product, DeviceStream stream) {
  launch_sliced_product(launcher_in({stream}), product);
}

template void launch_sliced_on_device(const SlicedProductView<float>&, DeviceStream);
template void launch_sliced_on_device(const SlicedProductView<double>&, DeviceStream);

}  // namespace nodia
