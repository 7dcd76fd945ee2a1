/// Searches between soft surfaces on the device, seen from the host without CUDA types. Pointers of
/// the arguments are into device memory. Returns without waiting, but where it is checked: then
/// faults are told with the names of their kernels.
#pragma once

#include "kernels/collision/guard_surfaces.hpp"
#include "kernels/device/stream.hpp"

namespace nodia {

/// launch_cell_keys in the stream.
void cell_keys_on_device(const SurfaceBatch& batch, DeviceStream stream, bool checked);
/// launch_flag_vertices in the stream.
void flag_vertices_on_device(const SurfaceBatch& batch, DeviceStream stream, bool checked);
/// launch_write_hits in the stream.
void write_hits_on_device(const SurfaceBatch& batch, DeviceStream stream, bool checked);
/// launch_guard in the stream.
void guard_surfaces_on_device(const SurfaceGuard& guard, DeviceStream stream, bool checked);
/// launch_passages in the stream.
void find_passages_on_device(const SurfaceGuard& guard, DeviceStream stream, bool checked);

}  // namespace nodia
