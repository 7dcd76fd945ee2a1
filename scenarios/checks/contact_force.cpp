#include "scenarios/checks/contact_force.hpp"

#include <array>
#include <utility>

#include "kernels/core/error.hpp"
#include "scenarios/checks/mean_force_judge.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

using Kind = SurfaceId::Kind;

class ContactForceJudge final : public MeanForceJudge {
 public:
  ContactForceJudge(const std::string& name, const Scene& scene, const ContactForce& check)
      : MeanForceJudge(name, scene, check), on_(surface_of(scene, check.on)), part_(check.part) {
    if (!on_) throw_bad_value("checks." + name + ".on", check.on, "the name of an object", "");
    if (check.by.empty()) return;
    by_ = surface_of(scene, check.by);
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
  static bool same(const SurfaceId& a, const SurfaceId& b) {
    return a.kind == b.kind && a.index == b.index;
  }
  static std::optional<SurfaceId> surface_of(const Scene& scene, const std::string& name) {
    const std::array<std::pair<Kind, int>, 5> found{
        {{Kind::soft_body, index_of(scene.soft_bodies, name)},
         {Kind::rigid_body, index_of(scene.rigid_bodies, name)},
         {Kind::cable, index_of(scene.cables, name)},
         {Kind::robot, index_of(scene.robots, name)},
         {Kind::obstacle, index_of(scene.obstacles, name)}}};
    for (const auto& [kind, index] : found)
      if (index >= 0) return SurfaceId{kind, index, 0};
    return {};
  }
  bool matches(const SurfaceId& on, const SurfaceId& by) const {
    return same(on, *on_) && (by_ ? same(by, *by_) : !same(by, *on_));
  }

  std::optional<SurfaceId> on_, by_;  ///< by_ absent: everything else
  ContactForcePart part_;
};

}  // namespace

void validate(const ContactForce& check, const std::string& path, const Scene& scene) {
  const std::vector<std::string> objects =
      names_in(scene.soft_bodies, scene.rigid_bodies, scene.cables, scene.robots, scene.obstacles);
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
