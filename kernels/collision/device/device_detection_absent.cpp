#include "kernels/collision/device/device_detection.hpp"
#include "kernels/device/absent.hpp"

namespace nodia {

void DeviceDetection::launch(const DetectionView&, DeviceStream) {
  throw_no_device("device detection");
}

}  // namespace nodia
