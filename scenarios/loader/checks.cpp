#include "scenarios/loader/checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/core/error.hpp"
#include "kernels/core/numbers.hpp"
#include "scenarios/loader/judge.hpp"
#include "scenarios/loader/judges_of_bodies.hpp"

namespace nodia {

namespace {

using Judge = ScenarioChecks::Judge;

/// Friction floor of FrictionInCone [N].
constexpr double kForceFloor = 1e-9;

class WeightJudge : public Judge {
 public:
  WeightJudge(const std::string& name, const Scene& scene, const WeightOnObstacle& check)
      : Judge(name, ""),
        window_(check.from_s, check.to_s, scene.time.step_s),
        tolerance_(check.relative_tolerance) {
    const double gravity = norm(scene.gravity_m_s2);
    up_ = (-1 / gravity) * scene.gravity_m_s2;
    weight_N_ = gravity * total_mass(scene);
    n_mount_ = scene.mounts.size();
    while (obstacle_ < static_cast<std::int32_t>(scene.obstacles.size()) &&
           scene.obstacles[static_cast<std::size_t>(obstacle_)].name != check.obstacle) {
      ++obstacle_;
    }
    if (obstacle_ == static_cast<std::int32_t>(scene.obstacles.size())) {
      throw_bad_value("checks." + name + ".obstacle", check.obstacle, "the name of an obstacle",
                      "");
    }
  }

  void observe(const StepView& view) override {
    if (!window_.contains(view.record.time_s)) return;
    Vec3d force = view.record.attachment_force_N;
    for (std::size_t k = 0; k < std::min(n_mount_, view.record.sensors.size()); ++k)
      force -= view.record.sensors[k].force_N;
    for (std::size_t m = 0; m < view.contacts.size(); ++m) {
      const Vec3d on_i = transpose_times(view.contacts[m].R, view.lambda[m]);
      const ContactSides& sides = view.contact_sides[m];
      if (is_obstacle(sides.j) && is_counted(sides.i)) force += on_i;
      if (is_obstacle(sides.i) && is_counted(sides.j)) force -= on_i;
    }
    sum_N_ += dot(force, up_);
    ++n_step_;
  }
  bool reached() const override { return window_.reached(); }
  std::string nothing_compared() const override { return window_.too_few_steps(); }
  CheckResult result() const override {
    return at_most(std::fabs(sum_N_ / n_step_ / weight_N_ - 1), tolerance_);
  }

 private:
  bool is_obstacle(const SurfaceId& id) const {
    return id.kind == SurfaceId::Kind::obstacle && id.index == obstacle_;
  }

  Window window_;
  double tolerance_;
  Vec3d up_{};
  double weight_N_ = 0, sum_N_ = 0;
  std::size_t n_mount_ = 0;
  std::int32_t obstacle_ = 0;
  int n_step_ = 0;
};

/// The largest of a number per step, over the steps that have one.
class LargestJudge : public Judge {
 public:
  using Measure = std::optional<double> (*)(const StepView&);
  /// @param nothing  why there is no number in any step
  LargestJudge(const std::string& name, const char* unit, double bound, Measure measure,
               const char* nothing)
      : Judge(name, unit), bound_(bound), measure_(measure), nothing_(nothing) {}

  void observe(const StepView& view) override {
    reached_ = true;
    if (const std::optional<double> value = measure_(view))
      largest_ = largest_ ? larger_or_nan(*largest_, *value) : value;
  }
  bool reached() const override { return reached_; }
  std::string nothing_compared() const override { return largest_ ? "" : nothing_; }
  CheckResult result() const override { return at_most(*largest_, bound_); }

 private:
  double bound_;
  Measure measure_;
  const char* nothing_;
  std::optional<double> largest_;
  bool reached_ = false;
};

std::optional<double> penetration(const StepView& view) {
  return view.record.max_penetration_m;
}

std::optional<double> cone_excess(const StepView& view) {
  if (view.contacts.empty()) return {};
  double excess = 0;
  for (std::size_t m = 0; m < view.contacts.size(); ++m) {
    const Contact<double>& contact = view.contacts[m];
    const Vec3d force = view.lambda[m];
    // Ellipse (lt1/mu1)^2 + (lt2/mu2)^2 <= lambda_n^2, both sides times mu: |lambda_t| <= mu
    // lambda_n where mu1 = mu2 = mu.
    const double mu = std::max(contact.mu1, contact.mu2);
    const double stretch_1 = contact.mu1 > 0 ? mu / contact.mu1 : 1;
    const double stretch_2 = contact.mu2 > 0 ? mu / contact.mu2 : 1;
    const double tangent = std::hypot(stretch_1 * force.y, stretch_2 * force.z);
    const double normal = std::max(force.x, 0.0);
    excess = larger_or_nan(excess, (tangent - mu * normal) / (mu * normal + kForceFloor));
    excess = larger_or_nan(excess, -force.x / (std::fabs(force.x) + kForceFloor));
  }
  return excess;
}

class ConvergedJudge : public Judge {
 public:
  explicit ConvergedJudge(const std::string& name) : Judge(name, "steps") {}
  void observe(const StepView& view) override {
    if (view.record.solve.status != SolveStatus::converged) ++n_failed_;
    reached_ = true;
  }
  bool reached() const override { return reached_; }
  CheckResult result() const override { return at_most(n_failed_, 0); }

 private:
  int n_failed_ = 0;
  bool reached_ = false;
};

class EnergyJudge : public Judge {
 public:
  EnergyJudge(const std::string& name, const Scene& scene, const EnergyNonIncreasing& check)
      : Judge(name, "J"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        tolerance_(check.tolerance_J) {}

  void observe(const StepView& view) override {
    if (!window_.contains(view.record.time_s)) return;
    if (n_step_ > 0) work_ += view.record.attachment_work_J;
    const double energy = view.record.kinetic_energy_J + view.record.potential_energy_J - work_;
    least_ = std::min(least_, energy);
    rise_ = larger_or_nan(rise_, energy - least_);
    ++n_step_;
  }
  bool reached() const override { return window_.reached(); }
  std::string nothing_compared() const override { return window_.too_few_steps(); }
  CheckResult result() const override { return at_most(rise_, tolerance_); }

 private:
  Window window_;
  double tolerance_;
  double work_ = 0, rise_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  int n_step_ = 0;
};

class PositionJudge : public Judge {
 public:
  PositionJudge(const std::string& name, const Scene& scene, const NodePosition& check)
      : Judge(name, "m"),
        check_(check),
        due_s_(check.at_s.value_or(scene.time.duration_s) - scene.time.step_s / 2) {
    std::size_t first = 0;
    for (const SoftBodyDescription& body : scene.soft_bodies) {
      if (body.name == check.body) collect(name, body, first);
      first += body.mesh.nodes.size();
    }
    if (nodes_.empty()) {
      throw_bad_value("checks." + name + ".body", check.body, "the name of a body with nodes", "");
    }
  }

  void observe(const StepView& view) override {
    if (reached_ || view.record.time_s < due_s_) return;
    reached_ = true;
    std::vector<double> values;
    for (const std::size_t node : nodes_)
      values.push_back(view.state.x[node][static_cast<int>(check_.axis)]);
    value_ = statistic_of(values, check_.of);
  }
  bool reached() const override { return reached_; }
  CheckResult result() const override { return between(value_, check_.above_m, check_.below_m); }

 private:
  void collect(const std::string& name, const SoftBodyDescription& body, std::size_t first) {
    if (check_.node_set.empty()) {
      for (std::size_t k = 0; k < body.mesh.nodes.size(); ++k) nodes_.push_back(first + k);
      return;
    }
    const auto set = body.mesh.node_sets.find(check_.node_set);
    if (set == body.mesh.node_sets.end()) {
      throw_bad_value("checks." + name + ".node_set", check_.node_set,
                      "a node set of the body's mesh", "");
    }
    for (const std::int32_t node : set->second)
      nodes_.push_back(first + static_cast<std::size_t>(node));
  }

  NodePosition check_;
  double due_s_;
  std::vector<std::size_t> nodes_;
  double value_ = 0;
  bool reached_ = false;
};

class StickSlipJudge : public Judge {
 public:
  StickSlipJudge(const std::string& name, const Scene& scene, const SticksAndSlips& check)
      : Judge(name, "nodes"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        nodes_(check.nodes) {}
  void observe(const StepView& view) override {
    if (!window_.contains(view.record.time_s)) return;
    most_ = std::max(most_, std::min(view.record.n_stick, view.record.n_slip));
  }
  bool reached() const override { return window_.reached(); }
  std::string nothing_compared() const override { return window_.too_few_steps(); }
  CheckResult result() const override { return at_least(most_, nodes_); }

 private:
  Window window_;
  int nodes_;
  int most_ = 0;
};

struct JudgeMaker {
  const Scene& scene;
  const std::string& name;

  using Made = std::unique_ptr<Judge>;
  Made operator()(const WeightOnObstacle& c) const {
    return std::make_unique<WeightJudge>(name, scene, c);
  }
  Made operator()(const MaxPenetration& c) const {
    return std::make_unique<LargestJudge>(name, "m", c.bound_m, penetration, "no step");
  }
  Made operator()(const FrictionInCone& c) const {
    return std::make_unique<LargestJudge>(name, "", c.tolerance, cone_excess,
                                          "no contact in any step");
  }
  Made operator()(const AllStepsConverged&) const { return std::make_unique<ConvergedJudge>(name); }
  Made operator()(const EnergyNonIncreasing& c) const {
    return std::make_unique<EnergyJudge>(name, scene, c);
  }
  Made operator()(const NodePosition& c) const {
    return std::make_unique<PositionJudge>(name, scene, c);
  }
  Made operator()(const SticksAndSlips& c) const {
    return std::make_unique<StickSlipJudge>(name, scene, c);
  }
  template <class Check>
  Made operator()(const Check& c) const {
    return make_judge(name, scene, c);
  }
};

}  // namespace

ScenarioChecks::ScenarioChecks(const Scene& scene, const CheckOptions& checks) {
  for (const CheckDescription& check : checks) {
    judges_.push_back(std::visit(JudgeMaker{scene, check.name}, check.kind));
  }
}

ScenarioChecks::~ScenarioChecks() = default;

void ScenarioChecks::observe(const StepView& view) {
  for (const auto& judge : judges_) judge->observe(view);
}

std::vector<CheckResult> ScenarioChecks::results() const {
  std::vector<CheckResult> results;
  for (const auto& judge : judges_) {
    if (!judge->reached()) continue;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (const std::string nothing = judge->nothing_compared(); !nothing.empty()) {
      results.push_back({judge->name(), false, kNone, kNone, "", 0, nothing, true});
      continue;
    }
    for (CheckResult& result : judge->results()) {
      if (std::isnan(result.value)) result.not_compared = "its value is not a number";
      results.push_back(std::move(result));
    }
  }
  return results;
}

std::vector<std::string> ScenarioChecks::not_reached() const {
  std::vector<std::string> names;
  for (const auto& judge : judges_) {
    if (!judge->reached()) names.push_back(judge->name());
  }
  return names;
}

}  // namespace nodia
