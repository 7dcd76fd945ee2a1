/// Race detection in the kernels of the checked host backend.
#pragma once

#include <cstdint>

#include "tests/devices/emulated/emulated_device.hpp"
#include "tests/devices/race_detector/launcher.hpp"

namespace nodia::test {

/// Runs the kernels of the checked host backend with a MimicLauncher during its lifetime.
class Mimicked {
 public:
  explicit Mimicked(std::uint64_t seed) : launcher_({.seed = seed}) {
    emulated_device().mimic = &launcher_;
  }
  ~Mimicked() { emulated_device().mimic = nullptr; }
  Mimicked(const Mimicked&) = delete;
  Mimicked& operator=(const Mimicked&) = delete;
  const MimicLauncher& launcher() const { return launcher_; }

 private:
  MimicLauncher launcher_;
};

}  // namespace nodia::test
