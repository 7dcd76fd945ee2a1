/// Launches of the searches between soft surfaces.
#include "kernels/collision/device/device_search.hpp"

#include "kernels/device/device_backend.cuh"

namespace nodia {

void find_pairs_on_device(const PairedSurfaces& paired, DeviceQueue queue) {
  launch_find_pairs(launcher_in(queue), paired);
}

void find_tunnelling_on_device(const PairedSurfaces& paired, DeviceQueue queue) {
  launch_tunnelling(launcher_in(queue), paired);
}

}  // namespace nodia
