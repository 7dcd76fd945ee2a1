/// Formats the conflicts of the race detector.
#include "tests/devices/race_detector/conflict.hpp"

#include <fmt/format.h>

namespace nodia {

namespace {

const char* verb(MimicAccess access) {
  return access == MimicAccess::read ? "reads" : "writes";
}

std::string phase_name(const MimicTouch& touch) {
  return touch.phase == MimicTouch::kEnabled ? "enabled()" : fmt::format("phase {}", touch.phase);
}

std::string who(const MimicTouch& touch) {
  if (touch.item == MimicTouch::kLaunch) return "the launch (its number of items)";
  if (touch.is_decision())
    return fmt::format("the decision of group {} ({}, lane {})", MimicTouch::kDecision - touch.item,
                       phase_name(touch), touch.lane);
  return fmt::format("item {} ({}, lane {})", touch.item, phase_name(touch), touch.lane);
}

}  // namespace

std::string MimicConflict::describe() const {
  switch (fault) {
    case MimicFault::lane_race:
      return fmt::format(
          "kernel {}: race in {} of item {}: lane {} {} {}, lane {} {} it (a barrier between them "
          "is missing)",
          kernel, phase_name(second), second.item, first.lane, verb(first_access), place,
          second.lane, verb(second_access));
    case MimicFault::item_race:
      return fmt::format(
          "kernel {}: race between items: {} {} {}, {} {} it (only the next launch may see it)",
          kernel, who(first), verb(first_access), place, who(second), verb(second_access));
    case MimicFault::uninitialised:
      return fmt::format("kernel {}: {} reads {}, which nothing has written for this item", kernel,
                         who(second), place);
    case MimicFault::out_of_bounds:
      return fmt::format("kernel {}: {} {} {}, outside every array", kernel, who(second),
                         verb(second_access), place);
    case MimicFault::misaligned:
      return fmt::format("kernel {}: {} {} {}, which is not aligned", kernel, who(second),
                         verb(second_access), place);
  }
  return {};
}

}  // namespace nodia
