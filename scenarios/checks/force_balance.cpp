#include "scenarios/checks/force_balance.hpp"

#include <algorithm>
#include <cmath>

#include "scenarios/checks/masses.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

class BalanceJudge : public Judge {
 public:
  BalanceJudge(const std::string& name, const Scene& scene, const ForceBalance& check)
      : Judge(name, "N"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        step_s_(scene.time.step_s),
        theta_(scene.time.theta),
        constant_N_(total_mass(scene) * scene.gravity_m_s2),
        n_holder_(scene.mounts.size() + scene.attachments.size()),
        points_(point_masses(scene)) {
    const double weight_N = norm(constant_N_);
    Vec3d applied{};
    for (const PointMass& point : points_) {
      before_.add(point, point.velocity_m_s);
      applied += point.force_N;
    }
    constant_N_ += applied;
    const double scale = weight_N + norm(applied);
    tolerance_N_ =
        check.tolerance_N ? *check.tolerance_N : check.relative_tolerance.value_or(0) * scale;
  }

  void observe(const StepView& view) override {
    Sums now;
    const std::size_t n_node = view.state.x.size();
    for (std::size_t k = 0; k < points_.size(); ++k) {
      const std::size_t row = k < n_node ? k : n_node + kLinkRows * (k - n_node);
      now.add(points_[k], view.state.v[row]);
    }
    if (window_.contains(view.record.time_s)) {
      missing_ += constant_N_ + contact_force(view);
      // Sensors inside robots measure none of what holds the counted bodies.
      const std::vector<Wrench>& sensors = view.record.sensors;
      for (std::size_t k = 0; k < std::min(n_holder_, sensors.size()); ++k)
        missing_ -= sensors[k].force_N;
      missing_ -= theta_ * now.drag + (1 - theta_) * before_.drag;
      missing_ -= (1 / step_s_) * (now.momentum - before_.momentum);
      ++n_step_;
    }
    before_ = now;
  }
  bool reached() const override { return window_.reached(); }
  std::string nothing_compared() const override { return window_.too_few_steps(); }
  CheckResult result() const override { return at_most(norm(missing_) / n_step_, tolerance_N_); }
  void keep(Keeper& k) override {
    k("window", window_);
    k("before", before_);
    k("missing", missing_);
    k("n_step", n_step_);
  }

 private:
  struct Sums {
    Vec3d momentum{}, drag{};  ///< [kg m/s], [N]
    void add(const PointMass& point, Vec3d v) {
      momentum += point.mass_kg * v;
      drag += point.drag_N_s_m * v;
    }
  };

  /// Of everything that is not counted on everything that is [N].
  static Vec3d contact_force(const StepView& view) {
    Vec3d force{};
    for (std::size_t m = 0; m < view.contacts.size(); ++m) {
      const ContactSides& sides = view.contact_sides[m];
      if (is_counted(sides.i) == is_counted(sides.j)) continue;
      const Vec3d on_i = transpose_times(view.contacts[m].R, view.lambda[m]);
      force += is_counted(sides.i) ? on_i : -on_i;
    }
    return force;
  }

  Window window_;
  double step_s_, theta_;
  Vec3d constant_N_{};        ///< gravity and applied forces
  std::size_t n_holder_ = 0;  ///< sensors of mounts and attachments
  double tolerance_N_ = 0;
  std::vector<PointMass> points_;  ///< nodes, then frames
  Sums before_;                    ///< at the start of the step
  Vec3d missing_{};
  int n_step_ = 0;
};

}  // namespace

void validate(const ForceBalance& check, const std::string& path, const Scene& scene) {
  require_window(path, scene, check.from_s, check.to_s);
  require_tolerance(path, check.relative_tolerance, check.tolerance_N);
}

std::unique_ptr<Judge> make_judge(const std::string& name, const Scene& scene,
                                  const ForceBalance& check) {
  return std::make_unique<BalanceJudge>(name, scene, check);
}

}  // namespace nodia
