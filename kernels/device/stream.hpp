/// Order of work on the device, seen from the host without CUDA types.
#pragma once

#include <string>

struct CUstream_st;

namespace nodia {

/// A CUDA stream; null is the default stream.
using DeviceStream = CUstream_st*;

/// Waits for the stream; throws RuntimeError naming `what` where its work failed.
void synchronize_device(const std::string& what, DeviceStream stream = nullptr);

}  // namespace nodia
