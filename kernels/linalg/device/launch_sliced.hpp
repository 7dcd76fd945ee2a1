/// Launches the kernel of sliced_product.hpp on the device.
#pragma once

#include "kernels/device/stream.hpp"
#include "kernels/linalg/sliced_product.hpp"

namespace nodia {

/// @param product  arrays in device memory @tparam Real  float or double
template <class Real>
void launch_sliced_on_device(const SlicedProductView<Real>& product, DeviceStream stream);

}  // namespace nodia
