#include "kernels/device/absent.hpp"
#include "kernels/multigrid/device/device_multigrid.hpp"

namespace nodia {

namespace {
constexpr const char* kWhat = "conjugate gradients";
}  // namespace

struct DeviceMultigrid::Impl {};

DeviceMultigrid::DeviceMultigrid() = default;
DeviceMultigrid::~DeviceMultigrid() = default;

void DeviceMultigrid::start(LoopLauncher, DeviceStream, const GradientKey&) {
  throw_no_device(kWhat);
}

void DeviceMultigrid::run(LoopLauncher, DeviceStream, const GradientKey&) {
  throw_no_device(kWhat);
}

void make_fine_level_on_device(const MultigridBuild*, int, int, bool, const PutBlocks&,
                               DeviceStream, bool) {
  throw_no_device(kWhat);
}

}  // namespace nodia
