#include "kernels/device/absent.hpp"
#include "kernels/linalg/device/launch_sliced.hpp"

namespace nodia {

template <class Real>
void launch_sliced_on_device(const SlicedProductView<Real>&, DeviceStream) {
  throw_no_device("sliced product");
}

template void launch_sliced_on_device(const SlicedProductView<float>&, DeviceStream);
template void launch_sliced_on_device(const SlicedProductView<double>&, DeviceStream);

}  // namespace nodia
