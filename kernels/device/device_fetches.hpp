/// Copies from a device to the host that run while the host does other work.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device/device_memory.hpp"

namespace nodia {

/// Queue of downloads through page-locked memory, which is reused. Without page-locked memory, each
/// copy is synchronous.
class DeviceFetches {
 public:
  /// Adds a copy in the stream. @param host  is written at the latest when take() returns
  void add(void* host, const void* device, std::size_t bytes, DeviceStream stream);
  /// Waits for the stream of all copies. @param what  name of the work in errors
  void take(const std::string& what, DeviceStream stream);
  /// Discards the copies that were added since the last take().
  void drop();

 private:
  struct Fetch {
    void* host = nullptr;
    const void* page = nullptr;
    std::size_t bytes = 0;
  };
  struct Pages {
    explicit Pages(std::size_t n) : memory(n), bytes(n) {}
    PinnedMemory memory;
    std::size_t bytes;
  };

  bool find_room(std::size_t bytes);

  std::vector<std::unique_ptr<Pages>> pages_;
  std::size_t current_ = 0, used_ = 0;  ///< page being filled, and its used bytes
  bool has_pages_ = true;               ///< false after page-locked memory was unavailable
  std::vector<Fetch> fetches_;
};

}  // namespace nodia
