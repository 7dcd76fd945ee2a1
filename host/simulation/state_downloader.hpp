/// The interface that downloads ends of steps.
#pragma once

namespace nodia {

/// Owner of device-resident ends of steps.
class StateDownloader {
 public:
  virtual ~StateDownloader() = default;
  /// Downloads the end of an environment's last step, and possibly those of other environments.
  /// @throws RuntimeError if the device has lost it
  virtual void download(int env) = 0;
};

}  // namespace nodia
