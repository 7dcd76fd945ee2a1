#include "scenarios/checks/contact_force.hpp"

#include "kernels/core/error.hpp"
#include "scenarios/checks/contact_sum.hpp"
#include "scenarios/checks/mean_force_evaluator.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

class ContactForceEvaluator final : public MeanForceEvaluator {
 public:
  ContactForceEvaluator(const std::string& name, const Scene& scene, const ContactForce& check)
      : MeanForceEvaluator(name, scene, check), on_(object_of(scene, check.on)), part_(check.part) {
    if (!on_) throw_bad_value("checks." + name + ".on", check.on, "the name of an object", "");
    if (check.by.empty()) return;
    by_ = object_of(scene, check.by);
    if (!by_) throw_bad_value("checks." + name + ".by", check.by, "the name of an object", "");
  }

 private:
  double force_N(const StepView& view) const override {
    const ContactSum sum = contact_sum(view, *on_, by_);
    if (part_ == ContactForcePart::normal) return sum.normal_N;
    return part_ == ContactForcePart::norm ? norm(sum.force_N)
                                           : sum.force_N[static_cast<int>(part_)];
  }
  static std::optional<ObjectId> object_of(const Scene& scene, const std::string& name) {
    const Objects objects(scene);
    const std::int32_t number = objects.find(name);
    if (number < 0) return {};
    return objects[number].id;
  }

  std::optional<ObjectId> on_, by_;  ///< by_ absent: all other objects
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

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const ContactForce& check) {
  return std::make_unique<ContactForceEvaluator>(name, scene, check);
}

}  // namespace nodia
