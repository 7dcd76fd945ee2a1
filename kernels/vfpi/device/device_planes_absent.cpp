#include "kernels/device/absent.hpp"
#include "kernels/vfpi/device/device_planes.hpp"

namespace nodia {

template <class Precision>
void assemble_planes_on_device(const PlanesAssembly<Precision>&, DeviceStream) {
  throw_no_device("assembly into the planes");
}

template void assemble_planes_on_device(const PlanesAssembly<DoublePrecision>&, DeviceStream);
template void assemble_planes_on_device(const PlanesAssembly<MixedPrecision>&, DeviceStream);
template void assemble_planes_on_device(const PlanesAssembly<FloatPrecision>&, DeviceStream);

}  // namespace nodia
