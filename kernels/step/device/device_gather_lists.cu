/// Builds the lists of the assembly on the device with Thrust.
#include "kernels/step/device/device_gather_lists.hpp"

#include "kernels/device/device_arrays.cuh"

namespace nodia {

namespace {
constexpr const char* kWhat = "lists of soft bodies";
}  // namespace

void gather_lists_on_device(const AssemblyView& model, const GatherLists& lists,
                            DeviceStream stream) {
  make_gather_lists(DeviceArrays(kWhat, stream), model, lists);
  synchronize_device(kWhat, stream);
}

}  // namespace nodia
