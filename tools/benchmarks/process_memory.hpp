/// Resident memory of this process.
#pragma once

namespace nodia::studies {

double resident_MB();

/// By how much resident memory rises, at its highest, from when this is made.
class MemoryRise {
 public:
  /// Hands back to the system what the process has freed before.
  MemoryRise();
  double MB() const;

 private:
  double before_MB_ = 0;
  bool peak_known_ = false;  ///< else the rise is what is left at the end
};

}  // namespace nodia::studies
