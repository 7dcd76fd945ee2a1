/// The calibration of a machine as a file in the user's cache folder.
#pragma once

#include <optional>
#include <string>

#include "host/backend/calibration.hpp"

namespace nodia {

/// XDG_CACHE_HOME/nodia, else HOME/.cache/nodia; empty where neither is an absolute path.
std::string cache_folder();

/// Where the calibration of a device and CPU lies, whatever build and driver it is of; empty where
/// there is no folder for it.
std::string calibration_path(const CalibrationKey& key);

/// JSON. Keys are a contract: add, never rename.
std::string calibration_json(const Calibration& calibration);

/// Replaces a file that is there. @throws InputError or RuntimeError where it cannot be written
void write_calibration(const std::string& path, const Calibration& calibration);

struct FoundCalibration {
  std::optional<Calibration> calibration;
  std::string because;  ///< why there is none, with what to do; empty otherwise
};

/// Of calibration_path(key), if it is whole and of this very key. Never throws for what is in the
/// file.
FoundCalibration find_calibration(const CalibrationKey& key);

}  // namespace nodia
