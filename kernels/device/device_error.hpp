/// Exception for the failure of a device.
#pragma once

#include "kernels/core/error.hpp"

namespace nodia {

/// Failure of a device. It ends the run and is not the status of a solve.
class DeviceError : public RuntimeError {
 public:
  using RuntimeError::RuntimeError;
};

}  // namespace nodia
