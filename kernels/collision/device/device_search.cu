#include "kernels/collision/device/device_search.hpp"

#include "kernels/device/checked_launcher.hpp"
#include "kernels/device/device_launcher.cuh"

namespace nodia {

void cell_keys_on_device(const SurfaceBatch& batch, DeviceStream stream, bool checked) {
  launch_cell_keys(CheckedLauncher(DeviceLauncher(stream), stream, checked), batch);
}

void flag_vertices_on_device(const SurfaceBatch& batch, DeviceStream stream, bool checked) {
  launch_flag_vertices(CheckedLauncher(DeviceLauncher(stream), stream, checked), batch);
}

void write_hits_on_device(const SurfaceBatch& batch, DeviceStream stream, bool checked) {
  launch_write_hits(CheckedLauncher(DeviceLauncher(stream), stream, checked), batch);
}

void find_pairs_on_device(const MeetingSurfaces& meeting, DeviceStream stream, bool checked) {
  launch_find_pairs(CheckedLauncher(DeviceLauncher(stream), stream, checked), meeting);
}

void find_passages_on_device(const MeetingSurfaces& meeting, DeviceStream stream, bool checked) {
  launch_passages(CheckedLauncher(DeviceLauncher(stream), stream, checked), meeting);
}

}  // namespace nodia
