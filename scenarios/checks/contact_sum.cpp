#include "scenarios/checks/contact_sum.hpp"

namespace nodia {

ContactSum contact_sum(const StepView& view, const ObjectId& on,
                       const std::optional<ObjectId>& by) {
  const auto matches = [&](const ObjectId& first, const ObjectId& second) {
    return same_object(first, on) && (by ? same_object(second, *by) : !same_object(second, on));
  };
  ContactSum sum;
  for (std::size_t m = 0; m < view.contacts().size(); ++m) {
    const ContactSides& sides = view.contact_sides()[m];
    const bool on_i = matches(sides.i, sides.j), on_j = matches(sides.j, sides.i);
    if (on_i == on_j) continue;
    const Vec3d on_first = transpose_times(view.contacts()[m].R, view.lambda()[m]);
    sum.force_N += on_i ? on_first : -on_first;
    sum.normal_N += view.lambda()[m].x;
  }
  return sum;
}

}  // namespace nodia
