#include "scenarios/checks/contact_force.hpp"

#include "kernels/core/error.hpp"
#include "scenarios/checks/mean_force_judge.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

class ContactForceJudge final : public MeanForceJudge {
 public:
  ContactForceJudge(const std::string& name, const Scene& scene, const ContactForce& check)
      : MeanForceJudge(name, scene, check), on_(object_of(scene, check.on)), part_(check.part) {
    if (!on_) throw_bad_value("checks." + name + ".on", check.on, "the name of an object", "");
    if (check.by.empty()) return;
    by_ = object_of(scene, check.by);
    if (!by_) throw_bad_value("checks." + name + ".by", check.by, "the name of an object", "");
  }

 private:
  double force_N(const StepView& view) const override {
    Vec3d force{};
    double normal = 0;
    for (std::size_t m = 0; m < view.contacts.size(); ++m) {
      const ContactSides& sides = view.contact_sides[m];
      const bool on_i = matches(sides.i, sides.j), on_j = matches(sides.j, sides.i);
      if (on_i == on_j) continue;
      const Vec3d on_first = transpose_times(view.contacts[m].R, view.lambda[m]);
      force += on_i ? on_first : -on_first;
      normal += view.lambda[m].x;
    }
    if (part_ == ContactForcePart::normal) return normal;
    return part_ == ContactForcePart::norm ? norm(force) : force[static_cast<int>(part_)];
  }
  static std::optional<ObjectId> object_of(const Scene& scene, const std::string& name) {
    const Objects objects(scene);
    const std::int32_t number = objects.find(name);
    if (number < 0) return {};
    return objects[number].id;
  }
  bool matches(const ObjectId& on, const ObjectId& by) const {
    return same_object(on, *on_) && (by_ ? same_object(by, *by_) : !same_object(by, *on_));
  }

  std::optional<ObjectId> on_, by_;  ///< by_ absent: everything else
  ContactForcePart part_;
};

}  // namespace

void validate(const ContactForce& check, const std::string& path, const Scene& scene) {
  const std::vector<std::string> objects = Objects(scene).names();
  require_known(path + ".on", check.on, objects, "the name of an object");
  if (!check.by.empty()) require_known(path + ".by", check.by, objects, "the name of an object");
  require_window(path, scene, check.from_s, check.to_s);
  require_tolerance(path, check.relative_tolerance, check.tolerance_N, check.value_N);
}

std::unique_ptr<Judge> make_judge(const std::string& name, const Scene& scene,
                                  const ContactForce& check) {
  return std::make_unique<ContactForceJudge>(name, scene, check);
}

}  // namespace nodia
