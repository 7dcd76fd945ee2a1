/// What the launcher that mimics the device can find wrong with a kernel.
#pragma once

#include <cstdint>
#include <string>

namespace nodia {

enum class MimicFault : std::uint8_t {
  lane_race,      ///< two lanes in one phase, at least one writes: a barrier is missing
  item_race,      ///< two items in one launch, at least one writes global memory
  uninitialised,  ///< a read of Shared that nothing has written for this item
  out_of_bounds,  ///< outside Shared's end, or outside every registered array
  misaligned,     ///< an address that no vector load may have
};

enum class MimicAccess : std::uint8_t { read, write };

/// Who touched a byte.
struct MimicTouch {
  static constexpr std::int32_t kNobody = -1;
  static constexpr std::int32_t kLaunch = -2;    ///< item: every block, reading the number of items
  static constexpr std::int32_t kDecision = -3;  ///< item: the decision of group 0; of group g it
                                                 ///< is kDecision - g
  static constexpr std::int16_t kEnabled = -1;   ///< phase: enabled(), before phase 0

  bool is_decision() const { return item <= kDecision; }

  std::int32_t item = kNobody;
  std::int16_t phase = 0;
  std::int16_t lane = 0;
};

struct MimicConflict {
  MimicFault fault;
  std::string kernel;
  MimicTouch first;  ///< races only: who came earlier, in this run's order
  MimicAccess first_access = MimicAccess::read;
  MimicTouch second;  ///< whose access showed the fault
  MimicAccess second_access = MimicAccess::read;
  std::uintptr_t address = 0;
  std::string place;  ///< the address as `array[index]`, `Shared + bytes` or a number

  /// One line for a reader.
  std::string describe() const;
};

}  // namespace nodia
