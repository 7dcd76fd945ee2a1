/// Measures a calibration: whole steps of small scenes on the CPU and on the device, size by size.
#pragma once

#include <functional>
#include <string>

#include "host/backend/calibration.hpp"

namespace nodia::studies {

struct CalibrationOptions {
  bool quick = false;    ///< the smallest sizes alone, all of them
  double budget_s = 40;  ///< what would take longer in all is left out
  int threads = 0;       ///< of the CPU; 0: as a run chooses
};

/// What was left out, and why.
struct CalibrationSkip {
  Workload workload;
  std::string reason;
};

/// Called as soon as something is known; may throw to end the study.
struct CalibrationListener {
  std::function<void(const CalibrationPoint&)> point;
  std::function<void(const CalibrationSkip&)> skip;
};

/// Every loop in every precision, from small sizes to large ones.
/// @param on_device  device and launch mode of the backend cuda
/// @throws RuntimeError where a fault has lost the device
Calibration calibrate(const ExecutionOptions& on_device, const CalibrationOptions& options,
                      const CalibrationListener& listener);

}  // namespace nodia::studies
