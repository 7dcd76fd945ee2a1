/// When a recording of the V-FPI loop may be run again: shared by every backend that records it.
#pragma once

#include <optional>

#include "kernels/vfpi/schedule.hpp"

namespace nodia {

/// What a recording was made for.
template <class Precision>
struct LoopKey {
  ScheduleKey schedule;
  const VfpiBatch<Precision>* batch = nullptr;  ///< in the backend's memory, as is the queue
  VfpiQueue* queue = nullptr;
  int n_block = 0;  ///< blocks of a launch over items that are counted in the backend's memory

  bool operator==(const LoopKey&) const = default;
};

/// The last recording, as long as it serves.
template <class Precision, class Recording>
class RecordedLoop {
 public:
  /// A recording for `key`, made anew where the last one is for another.
  /// @param record  Recording record(); where it throws, nothing is kept and the next call records
  template <class Record>
  const Recording& get(const LoopKey<Precision>& key, const Record& record) {
    if (!recording_ || !(key == key_)) {
      recording_.reset();
      recording_.emplace(record());
      key_ = key;
    }
    return *recording_;
  }

 private:
  LoopKey<Precision> key_;
  std::optional<Recording> recording_;
};

}  // namespace nodia
