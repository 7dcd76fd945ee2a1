/// Cache of recorded steps, shared by every backend that records them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <list>
#include <utility>

#include "kernels/vfpi/device/step_parts.hpp"

namespace nodia {

/// Blocks of a launch over at most `n_chunk` items. A power of two, because contacts change the
/// number of rows and most recordings should stay valid.
inline int recorded_blocks(int n_chunk) {
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(1, n_chunk))));
}

/// Key of a recording.
template <class Precision>
struct StepKey {
  StepParts<Precision> step;
  /// Largest number of blocks of a launch whose item count is in the backend's memory.
  int n_block = 0;

  bool operator==(const StepKey&) const = default;
};

/// Most recently used recordings. The kernels of a step depend on its contacts; few patterns occur.
template <class Precision, class Recording>
class RecordedSteps {
 public:
  static constexpr std::size_t kKept = 8;  ///< number of recordings

  /// Returns the recording of `key`; records it if there is none.
  /// @param record  Recording record(); if it throws, nothing is stored
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
  /// False if the recording belongs to other memory; such a recording is never valid again.
  static bool is_of_same_memory(const StepParts<Precision>& a, const StepParts<Precision>& b) {
    return a.batch == b.batch && a.queue == b.queue;
  }

  std::list<std::pair<StepKey<Precision>, Recording>> kept_;
};

}  // namespace nodia
