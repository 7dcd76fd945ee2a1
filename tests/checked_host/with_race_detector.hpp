/// Race detection in the kernels of the checked host backend.
#pragma once

#include <cstdint>

#include "tests/devices/checked_host/checked_host.hpp"
#include "tests/devices/race_detector/launcher.hpp"

namespace nodia::test {

/// Runs the kernels of the checked host backend with a RaceDetector during its lifetime.
class WithRaceDetector {
 public:
  explicit WithRaceDetector(std::uint64_t seed) : launcher_({.seed = seed}) {
    checked_host().detector = &launcher_;
  }
  ~WithRaceDetector() { checked_host().detector = nullptr; }
  WithRaceDetector(const WithRaceDetector&) = delete;
  WithRaceDetector& operator=(const WithRaceDetector&) = delete;
  const RaceDetector& launcher() const { return launcher_; }

 private:
  RaceDetector launcher_;
};

}  // namespace nodia::test
