#include "scenarios/checks/reference_csv.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "kernels/core/error.hpp"
#include "kernels/core/numbers.hpp"
#include "scenarios/checks/masses.hpp"
#include "scenarios/checks/rules.hpp"
#include "scenarios/checks/sensor.hpp"
#include "scenarios/format/table.hpp"

namespace nodia {
namespace {

constexpr int kReferenceLinks = 9;
constexpr std::size_t kForceColumn = 2, kLinkColumn = 8;
constexpr std::size_t kReferenceColumns = kLinkColumn + 3 * kReferenceLinks;

class ReferenceEvaluator : public CheckEvaluator {
 public:
  ReferenceEvaluator(const std::string& name, const Scene& scene, const ReferenceCsv& check)
      : CheckEvaluator(name, "", ""),
        check_(check),
        sensor_(sensor_of(name, scene, check.sensor)),
        cable_(check.cable.empty() && scene.cables.size() == 1
                   ? 0
                   : index_of(scene.cables, check.cable)),
        last_step_(static_cast<int>(std::lround(scene.time.duration_s / scene.time.step_s))) {
    if (cable_ < 0)
      throw_bad_value("checks." + name + ".cable", check.cable, "the name of a cable", "");
    if (!check.reference) return;
    table_ = read_table(*check.reference, kReferenceColumns);
    for (std::size_t k = 0; k < table_.n_row(); ++k) {
      const double step = table_.row(k)[0];
      if (step >= 0 && step <= last_step_ && step == std::floor(step))
        row_of_[static_cast<int>(step)] = k;
    }
    if (row_of_.empty() || row_of_.rbegin()->first == 0)
      throw_bad_value("checks." + name + ".reference", *check.reference,
                      "a table with a step of the run behind 0", "its first column is the step");
    last_step_ = row_of_.rbegin()->first;
    body_ = Objects(scene).number({ObjectKind::cable, cable_, 0});
    half_link_m_ = link_masses(scene.cables[static_cast<std::size_t>(cable_)]).front().first / 2;
  }

  void observe(const StepView& view) override {
    observed_ = true;
    const auto row = row_of_.find(view.record.step);
    reached_ = reached_ || view.record.step >= last_step_;
    if (row == row_of_.end()) return;
    const double* expected = table_.row(row->second);
    const Vec3d force{expected[kForceColumn], expected[kForceColumn + 1],
                      expected[kForceColumn + 2]};
    squared_force_ += squared_norm(force_of(view, sensor_) - force);
    for (int s = 0; s < kReferenceLinks; ++s) {
      const double* p = expected + kLinkColumn + 3 * s;
      distance_[static_cast<std::size_t>(s)] += norm(position(view, s) - Vec3d{p[0], p[1], p[2]});
    }
    ++n_step_;
  }
  bool reached() const override { return check_.reference ? reached_ && n_step_ > 0 : observed_; }
  std::string nothing_compared() const override {
    return check_.reference ? "" : "no file is given as reference";
  }
  CheckResult result() const override { return results().front(); }
  std::vector<CheckResult> results() const override {
    std::vector<CheckResult> results;
    const auto add = [&](const char* what, double value, double bound, const char* unit,
                         const char* quantity) {
      results.push_back({name() + what, value <= bound, value, bound, unit});
      results.back().quantity = quantity;
    };
    if (check_.force_rms_bound_N)
      add(".force", std::sqrt(squared_force_ / n_step_), *check_.force_rms_bound_N, "N",
          "root mean square of the force difference");
    double largest = 0;
    for (const double sum : distance_) largest = larger_or_nan(largest, sum / n_step_);
    if (check_.position_bound_m)
      add(".position", largest, *check_.position_bound_m, "m", "mean distance of the worst link");
    return results;
  }
  void archive(Archive& a) override {
    a("squared_force", squared_force_);
    a("distance", distance_);
    a("n_step", n_step_);
    a("observed", observed_);
    a("reached", reached_);
  }

 private:
  /// Point of the cable at the arc length of column s of the reference [m]: between the centres of
  /// two links, or on the axis of an outer link.
  Vec3d position(const StepView& view, int s) const {
    const BodyRange& range = view.layout[body_];
    const int n = range.n;
    const int n_reference = check_.reference_links.value_or(n);
    const int link = s * (n_reference - 1) / (kReferenceLinks - 1);
    const double at = (link + 0.5) * n / n_reference - 0.5;  // links from the centre of link 0
    const auto frame = [&](int k) {
      return view.state().frames[static_cast<std::size_t>(range.first + k)];
    };
    if (at <= 0) return frame(0).to_world({0, 0, 2 * half_link_m_ * at});
    if (at >= n - 1) return frame(n - 1).to_world({0, 0, 2 * half_link_m_ * (at - (n - 1))});
    const int before = static_cast<int>(at);
    const Vec3d a = frame(before).position, b = frame(before + 1).position;
    return a + (at - before) * (b - a);
  }

  ReferenceCsv check_;
  std::size_t sensor_;
  int cable_;
  std::int32_t body_ = 0;  ///< number of the cable (Objects)
  int last_step_;
  double half_link_m_ = 0;
  Table table_;
  std::map<int, std::size_t> row_of_;  ///< by step
  double squared_force_ = 0;
  std::array<double, kReferenceLinks> distance_{};
  int n_step_ = 0;
  bool observed_ = false, reached_ = false;
};

}  // namespace

void validate(const ReferenceCsv& check, const std::string& path, const Scene& scene) {
  require_sensor(path, scene, check.sensor);
  if (!check.cable.empty() || scene.cables.size() != 1)
    require_known(path + ".cable", check.cable, names_of(scene.cables), "the name of a cable");
  require_either(path, check.force_rms_bound_N.has_value() || check.position_bound_m.has_value(),
                 "force_rms_bound_N or position_bound_m");
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const ReferenceCsv& check) {
  return std::make_unique<ReferenceEvaluator>(name, scene, check);
}

}  // namespace nodia
