/// Faults of kernels that the race detector can find.
#pragma once

#include <cstdint>
#include <string>

namespace nodia {

enum class RaceFault : std::uint8_t {
  lane_race,      ///< two lanes in one phase, at least one writes: missing barrier
  item_race,      ///< two items in one launch, at least one writes global memory
  uninitialised,  ///< read of Shared memory that was not written for this item
  out_of_bounds,  ///< beyond the end of Shared, or outside every registered array
  misaligned,     ///< address without the alignment of vector loads
};

enum class RaceAccess : std::uint8_t { read, write };

/// Originator of an access to a byte.
struct RaceTouch {
  static constexpr std::int32_t kNobody = -1;
  static constexpr std::int32_t kLaunch = -2;    ///< item: every block, reading the number of items
  static constexpr std::int32_t kDecision = -3;  ///< item: decision of group 0; the decision of
                                                 ///< group g is kDecision - g
  static constexpr std::int16_t kEnabled = -1;   ///< phase: enabled(), before phase 0

  bool is_decision() const { return item <= kDecision; }

  std::int32_t item = kNobody;
  std::int16_t phase = 0;
  std::int16_t lane = 0;
};

struct RaceConflict {
  RaceFault fault;
  std::string kernel;
  RaceTouch first;  ///< races only: earlier access in this run
  RaceAccess first_access = RaceAccess::read;
  RaceTouch second;  ///< access that showed the fault
  RaceAccess second_access = RaceAccess::read;
  std::uintptr_t address = 0;
  std::string place;  ///< the address as `array[index]`, `Shared + bytes` or a number

  /// Describes the conflict in one line.
  std::string describe() const;
};

}  // namespace nodia
