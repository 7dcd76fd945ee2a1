/// Copies from a device that come down side by side, while the host does other things.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device/device_memory.hpp"

namespace nodia {

/// Through page-locked memory, which is kept for the next ones. Where there is none, every copy
/// comes down at once.
class DeviceFetches {
 public:
  /// Adds one: work of the stream. @param host  is written when take() returns, or before
  void add(void* host, const void* device, std::size_t bytes, DeviceStream stream);
  /// Waits for the stream, in which all of them are. @param what  named where its work failed
  void take(const std::string& what, DeviceStream stream);
  /// Forgets what was added and not taken.
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
  std::size_t current_ = 0, used_ = 0;  ///< pages that are being filled, and bytes of them
  bool has_pages_ = true;               ///< there was page-locked memory whenever it was asked for
  std::vector<Fetch> fetches_;
};

}  // namespace nodia
