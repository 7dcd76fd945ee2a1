#include "kernels/collision/device/device_detection.hpp"

#include "kernels/device/device_launcher.cuh"

namespace nodia {

void DeviceDetection::launch(const DetectionView& view, DeviceStream stream) {
  launch_flags(DeviceLauncher(stream), view);
  select_(view.flag, view.n_slot(), view.slot, view.n_pair, stream);
  launch_pairs(DeviceLauncher(stream), view);
}

}  // namespace nodia
