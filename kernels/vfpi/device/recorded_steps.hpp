/// When a recording of a step may be run again: shared by every backend that records it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <list>
#include <utility>

#include "kernels/vfpi/device/step_parts.hpp"

namespace nodia {

/// Blocks of a launch over `n_chunk` items or fewer: a power of two, so that rows that come and go
/// with contacts leave most recordings as they are.
inline int recorded_blocks(int n_chunk) {
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(1, n_chunk))));
}

/// What a recording was made for.
template <class Precision>
struct StepKey {
  StepParts<Precision> step;
  int n_block = 0;  ///< blocks of a launch over items counted in the backend's memory, at most

  bool operator==(const StepKey&) const = default;
};

/// Recordings of a step, as long as they serve: contacts come and go, and with them the kernels
/// that a step needs, among a few patterns.
template <class Precision, class Recording>
class RecordedSteps {
 public:
  static constexpr std::size_t kKept = 8;  ///< the last used

  /// The recording for `key`, made where there is none.
  /// @param record  Recording record(); where it throws, nothing of it is kept
  template <class Record>
  const Recording& get(const StepKey<Precision>& key, const Record& record) {
    for (auto it = kept_.begin(); it != kept_.end(); ++it)
      if (it->first == key) {
        kept_.splice(kept_.begin(), kept_, it);
        return kept_.front().second;
      }
    if (!kept_.empty() && !is_of_same_memory(kept_.front().first.step, key.step)) kept_.clear();
    kept_.emplace_front(key, record());
    if (kept_.size() > kKept) kept_.pop_back();
    return kept_.front().second;
  }

 private:
  /// Recordings of other memory never serve again.
  static bool is_of_same_memory(const StepParts<Precision>& a, const StepParts<Precision>& b) {
    return a.batch == b.batch && a.queue == b.queue;
  }

  std::list<std::pair<StepKey<Precision>, Recording>> kept_;
};

}  // namespace nodia
