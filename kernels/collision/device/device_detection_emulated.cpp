#include "kernels/collision/device/device_detection.hpp"
#include "kernels/emulated/item_launcher.hpp"

namespace nodia {

void DeviceDetection::launch(const DetectionView& view, DeviceStream stream) {
  launch_detection(ItemLauncher{}, view,
                   [&](const std::uint8_t* flag, int n, std::int32_t* slot, std::int32_t* n_pair) {
                     select_(flag, n, slot, n_pair, stream);
                   });
}

}  // namespace nodia
