/// Access to ends of steps that are device-resident.
#pragma once

namespace nodia {

/// Stores ends of steps on a device until they are read.
class EndKeeper {
 public:
  virtual ~EndKeeper() = default;
  /// Downloads the end of an environment's last step, and possibly those of other environments.
  /// @throws RuntimeError if the device has lost it
  virtual void download(int env) = 0;
};

}  // namespace nodia
