#include "kernels/collision/device/device_search.hpp"
#include "kernels/device/absent.hpp"

namespace nodia {

void cell_keys_on_device(const SurfaceBatch&, DeviceStream, bool) {
  throw_no_device("pairs of soft surfaces");
}

void flag_vertices_on_device(const SurfaceBatch&, DeviceStream, bool) {
  throw_no_device("pairs of soft surfaces");
}

void write_hits_on_device(const SurfaceBatch&, DeviceStream, bool) {
  throw_no_device("pairs of soft surfaces");
}

void find_pairs_on_device(const MeetingSurfaces&, DeviceStream, bool) {
  throw_no_device("pairs of soft surfaces");
}

void find_passages_on_device(const MeetingSurfaces&, DeviceStream, bool) {
  throw_no_device("pairs of soft surfaces");
}

}  // namespace nodia
