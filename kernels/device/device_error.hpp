/// The failure of a device, where a failed solve would be another's.
#pragma once

#include "kernels/core/error.hpp"

namespace nodia {

/// A device failed, whatever it worked at: the run's failure, and no solve's status.
class DeviceError : public RuntimeError {
 public:
  using RuntimeError::RuntimeError;
};

}  // namespace nodia
