/// Resident memory of this process.
#pragma once

namespace nodia::studies {

double resident_MB();

/// Largest rise of the resident memory since the construction.
class MemoryRise {
 public:
  /// Returns memory that the process has freed to the system.
  MemoryRise();
  double MB() const;

 private:
  double before_MB_ = 0;
  bool peak_known_ = false;  ///< if false, the rise is that at the call of MB()
};

}  // namespace nodia::studies
