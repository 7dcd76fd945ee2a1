#include "kernels/assembly/device/device_gather_lists.hpp"
#include "kernels/device/absent.hpp"

namespace nodia {

void gather_lists_on_device(const AssemblyView&, const GatherLists&, DeviceStream) {
  throw_no_device("lists of soft bodies");
}

}  // namespace nodia
