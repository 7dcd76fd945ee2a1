#include "kernels/collision/device/device_detection.hpp"
#include "kernels/emulated/item_launcher.hpp"

namespace nodia {

void DeviceDetection::launch(const DetectionView& view, DeviceStream stream) {
  launch_flags(ItemLauncher{}, view);
  select_(view.flag, view.n_slot(), view.slot, view.n_pair, stream);
  launch_pairs(ItemLauncher{}, view);
}

}  // namespace nodia
