#include "kernels/collision/device/device_search.hpp"

#include "kernels/device/device_backend.cuh"

namespace nodia {

void cell_keys_on_device(const SurfaceBatch& batch, DeviceStream stream, bool checked) {
  launch_cell_keys(checked_launcher_in(stream, checked), batch);
}

void flag_vertices_on_device(const SurfaceBatch& batch, DeviceStream stream, bool checked) {
  launch_flag_vertices(checked_launcher_in(stream, checked), batch);
}

void write_hits_on_device(const SurfaceBatch& batch, DeviceStream stream, bool checked) {
  launch_write_hits(checked_launcher_in(stream, checked), batch);
}

void find_pairs_on_device(const MeetingSurfaces& meeting, DeviceStream stream, bool checked) {
  launch_find_pairs(checked_launcher_in(stream, checked), meeting);
}

void find_passages_on_device(const MeetingSurfaces& meeting, DeviceStream stream, bool checked) {
  launch_passages(checked_launcher_in(stream, checked), meeting);
}

}  // namespace nodia
