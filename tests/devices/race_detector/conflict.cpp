/// Formats the conflicts of the race detector.
#include "tests/devices/race_detector/conflict.hpp"

#include <fmt/format.h>

namespace nodia {

namespace {

const char* verb(RaceAccess access) {
  return access == RaceAccess::read ? "reads" : "writes";
}

std::string phase_name(const RaceTouch& touch) {
  return touch.phase == RaceTouch::kEnabled ? "enabled()" : fmt::format("phase {}", touch.phase);
}

std::string who(const RaceTouch& touch) {
  if (touch.item == RaceTouch::kLaunch) return "the launch (its number of items)";
  if (touch.is_decision())
    return fmt::format("the decision of group {} ({}, lane {})", RaceTouch::kDecision - touch.item,
                       phase_name(touch), touch.lane);
  return fmt::format("item {} ({}, lane {})", touch.item, phase_name(touch), touch.lane);
}

}  // namespace

std::string RaceConflict::describe() const {
  switch (fault) {
    case RaceFault::lane_race:
      return fmt::format(
          "kernel {}: race in {} of item {}: lane {} {} {}, lane {} {} it (a barrier between them "
          "is missing)",
          kernel, phase_name(second), second.item, first.lane, verb(first_access), place,
          second.lane, verb(second_access));
    case RaceFault::item_race:
      return fmt::format(
          "kernel {}: race between items: {} {} {}, {} {} it (only the next launch may see it)",
          kernel, who(first), verb(first_access), place, who(second), verb(second_access));
    case RaceFault::uninitialised:
      return fmt::format("kernel {}: {} reads {}, which nothing has written for this item", kernel,
                         who(second), place);
    case RaceFault::out_of_bounds:
      return fmt::format("kernel {}: {} {} {}, outside every array", kernel, who(second),
                         verb(second_access), place);
    case RaceFault::misaligned:
      return fmt::format("kernel {}: {} {} {}, which is not aligned", kernel, who(second),
                         verb(second_access), place);
  }
  return {};
}

}  // namespace nodia
