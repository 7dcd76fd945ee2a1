/// Launches of the searches between soft surfaces.
#include "kernels/collision/device/device_search.hpp"

#include "kernels/device/device_backend.cuh"

namespace nodia {

void cell_keys_on_device(const SurfaceBatch& batch, DeviceQueue queue) {
  launch_cell_keys(launcher_in(queue), batch);
}

void flag_vertices_on_device(const SurfaceBatch& batch, DeviceQueue queue) {
  launch_flag_vertices(launcher_in(queue), batch);
}

void write_hits_on_device(const SurfaceBatch& batch, DeviceQueue queue) {
  launch_write_hits(launcher_in(queue), batch);
}

void find_pairs_on_device(const PairedSurfaces& paired, DeviceQueue queue) {
  launch_find_pairs(launcher_in(queue), paired);
}

void find_tunnelling_on_device(const PairedSurfaces& paired, DeviceQueue queue) {
  launch_tunnelling(launcher_in(queue), paired);
}

}  // namespace nodia
