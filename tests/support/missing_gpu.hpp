/// Reason for which a test that needs a device skips.
#pragma once

#include <string>

#include "kernels/device/device.hpp"

namespace nodia::test {

/// Empty if a device is available. The prefix names the kind of the reason for tools/test.sh.
inline std::string missing_gpu() {
  std::string reason;
  return device_available(&reason) ? "" : "GPU: " + reason;
}

}  // namespace nodia::test
