#include "scenarios/loader/judges_of_bodies.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "kernels/core/error.hpp"
#include "kernels/core/numbers.hpp"
#include "scenarios/loader/table.hpp"

namespace nodia {
namespace {

using Judge = ScenarioChecks::Judge;
using Kind = SurfaceId::Kind;

constexpr int kReferenceLinks = 9;
constexpr std::size_t kForceColumn = 2, kLinkColumn = 8;
constexpr std::size_t kReferenceColumns = kLinkColumn + 3 * kReferenceLinks;

/// Index in StepRecord::sensors.
std::size_t sensor_of(const std::string& check, const Scene& scene, const std::string& sensor) {
  const std::vector<std::string> names = sensor_names(scene);
  const auto found = std::find(names.begin(), names.end(), sensor);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw_bad_value("checks." + check + ".sensor", sensor,
                  "the name of a mount, an attachment or a force sensor", "");
}

/// Force of a sensor [N]; NaN where the record has none.
Vec3d force_of(const StepView& view, std::size_t sensor) {
  const std::vector<Wrench>& sensors = view.record.sensors;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return sensor < sensors.size() ? sensors[sensor].force_N : Vec3d{kNone, kNone, kNone};
}

/// Masses of a body's nodes [kg].
std::vector<double> node_masses(const SoftBodyDescription& body) {
  std::vector<double> mass(body.mesh.nodes.size());
  for (const auto& tet : body.mesh.tets) {
    const auto at = [&](int k) {
      return body.mesh.nodes[static_cast<std::size_t>(tet[static_cast<std::size_t>(k)])];
    };
    const double quarter = body.material.density_kg_m3 * tet_volume(at(0), at(1), at(2), at(3)) / 4;
    for (const std::int32_t node : tet) mass[static_cast<std::size_t>(node)] += quarter;
  }
  return mass;
}

/// Length [m] and mass [kg] of the links of a cable.
std::vector<std::pair<double, double>> link_masses(const CableDescription& cable) {
  std::vector<std::pair<double, double>> links;
  const RodSection section = RodSection::circle(cable.radius_m);
  for (const RodLink& link : polyline_rod(cable.points_m, {}, cable.links))
    links.emplace_back(link.length_m, link_mass(section, cable.material, link.length_m));
  return links;
}

/// Frames of an object that has some.
struct FrameRange {
  std::size_t first = 0, last = 0;  ///< [first, last)
};

FrameRange cable_frames(const BodyLayout& layout, int cable) {
  const auto c = static_cast<std::size_t>(cable);
  return {static_cast<std::size_t>(layout.cable_frame[c]),
          static_cast<std::size_t>(layout.cable_frame[c + 1])};
}

class ReferenceJudge : public Judge {
 public:
  ReferenceJudge(const std::string& name, const Scene& scene, const ReferenceCsv& check)
      : Judge(name, ""),
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
    const auto add = [&](const char* what, double value, double bound, const char* unit) {
      results.push_back({name() + what, value <= bound, value, bound, unit});
    };
    if (check_.force_rms_bound_N)
      add(".force", std::sqrt(squared_force_ / n_step_), *check_.force_rms_bound_N, "N");
    double largest = 0;
    for (const double sum : distance_) largest = larger_or_nan(largest, sum / n_step_);
    if (check_.position_bound_m) add(".position", largest, *check_.position_bound_m, "m");
    return results;
  }

 private:
  /// Of our cable where the reference has its link s: between the centres of two links, beyond the
  /// outer ones along their axes.
  Vec3d position(const StepView& view, int s) const {
    const FrameRange frames = cable_frames(view.layout, cable_);
    const int n = static_cast<int>(frames.last - frames.first);
    const int n_reference = check_.reference_links.value_or(n);
    const int link = s * (n_reference - 1) / (kReferenceLinks - 1);
    const double at = (link + 0.5) * n / n_reference - 0.5;  // in links, from the first centre
    const auto frame = [&](int k) {
      return view.state.frames[frames.first + static_cast<std::size_t>(k)];
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
  int last_step_;
  double half_link_m_ = 0;
  Table table_;
  std::map<int, std::size_t> row_of_;  ///< by step
  double squared_force_ = 0;
  std::array<double, kReferenceLinks> distance_{};
  int n_step_ = 0;
  bool observed_ = false, reached_ = false;
};

class BodyPositionJudge : public Judge {
 public:
  BodyPositionJudge(const std::string& name, const Scene& scene, const BodyPosition& check)
      : Judge(name, "m"),
        check_(check),
        rigid_(index_of(scene.rigid_bodies, check.body)),
        cable_(index_of(scene.cables, check.body)),
        due_s_(check.at_s.value_or(scene.time.duration_s) - scene.time.step_s / 2) {
    if (rigid_ < 0 && cable_ < 0)
      throw_bad_value("checks." + name + ".body", check.body, "the name of a rigid body or a cable",
                      "");
    if (cable_ < 0) return;
    const auto links = link_masses(scene.cables[static_cast<std::size_t>(cable_)]);
    half_first_m_ = links.front().first / 2;
    half_last_m_ = links.back().first / 2;
  }

  void observe(const StepView& view) override {
    if (reached_ || view.record.time_s < due_s_) return;
    reached_ = true;
    std::vector<double> values;
    for (const Vec3d place : places(view)) values.push_back(place[static_cast<int>(check_.axis)]);
    value_ = statistic_of(values, check_.of);
  }
  bool reached() const override { return reached_; }
  CheckResult result() const override { return between(value_, check_.above_m, check_.below_m); }

 private:
  std::vector<Vec3d> places(const StepView& view) const {
    const auto& frames = view.state.frames;
    if (cable_ < 0) return {frames[static_cast<std::size_t>(rigid_)].position};
    const FrameRange range = cable_frames(view.layout, cable_);
    if (check_.at == MountPoint::rear)
      return {frames[range.first].to_world({0, 0, -half_first_m_})};
    if (check_.at == MountPoint::front)
      return {frames[range.last - 1].to_world({0, 0, half_last_m_})};
    std::vector<Vec3d> places;
    for (std::size_t f = range.first; f < range.last; ++f) places.push_back(frames[f].position);
    return places;
  }

  BodyPosition check_;
  int rigid_, cable_;
  double due_s_;
  double half_first_m_ = 0, half_last_m_ = 0;
  double value_ = 0;
  bool reached_ = false;
};

class SensorJudge : public Judge {
 public:
  SensorJudge(const std::string& name, const Scene& scene, const SensorForce& check)
      : Judge(name, "N"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        sensor_(sensor_of(name, scene, check.sensor)),
        part_(check.axis),
        value_N_(check.value_N),
        tolerance_N_(check.tolerance_N
                         ? *check.tolerance_N
                         : check.relative_tolerance.value_or(0) * std::fabs(check.value_N)) {}

  void observe(const StepView& view) override {
    if (!window_.contains(view.record.time_s)) return;
    const Vec3d force = force_of(view, sensor_);
    sum_N_ += part_ == ForcePart::norm ? norm(force) : force[static_cast<int>(part_)];
    ++n_step_;
  }
  bool reached() const override { return window_.reached(); }
  std::string nothing_compared() const override { return window_.too_few_steps(); }
  CheckResult result() const override {
    return at_most(std::fabs(sum_N_ / n_step_ - value_N_), tolerance_N_);
  }

 private:
  Window window_;
  std::size_t sensor_;
  ForcePart part_;
  double value_N_, tolerance_N_;
  double sum_N_ = 0;
  int n_step_ = 0;
};

class ContactForceJudge : public Judge {
 public:
  ContactForceJudge(const std::string& name, const Scene& scene, const ContactForce& check)
      : Judge(name, "N"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        on_(surface_of(scene, check.on)),
        part_(check.part),
        value_N_(check.value_N),
        tolerance_N_(check.tolerance_N
                         ? *check.tolerance_N
                         : check.relative_tolerance.value_or(0) * std::fabs(check.value_N)) {
    if (!on_) throw_bad_value("checks." + name + ".on", check.on, "the name of an object", "");
    if (check.by.empty()) return;
    by_ = surface_of(scene, check.by);
    if (!by_) throw_bad_value("checks." + name + ".by", check.by, "the name of an object", "");
  }

  void observe(const StepView& view) override {
    if (!window_.contains(view.record.time_s)) return;
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
    if (part_ == ContactForcePart::normal)
      sum_N_ += normal;
    else
      sum_N_ += part_ == ContactForcePart::norm ? norm(force) : force[static_cast<int>(part_)];
    ++n_step_;
  }
  bool reached() const override { return window_.reached(); }
  std::string nothing_compared() const override { return window_.too_few_steps(); }
  CheckResult result() const override {
    return at_most(std::fabs(sum_N_ / n_step_ - value_N_), tolerance_N_);
  }

 private:
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

  Window window_;
  std::optional<SurfaceId> on_, by_;  ///< by_ absent: everything else
  ContactForcePart part_;
  double value_N_, tolerance_N_;
  double sum_N_ = 0;
  int n_step_ = 0;
};

class BalanceJudge : public Judge {
 public:
  BalanceJudge(const std::string& name, const Scene& scene, const ForceBalance& check)
      : Judge(name, "N"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        step_s_(scene.time.step_s),
        theta_(scene.time.theta),
        constant_N_(total_mass(scene) * scene.gravity_m_s2),
        n_holder_(scene.mounts.size() + scene.attachments.size()) {
    const double weight_N = norm(constant_N_);
    Vec3d applied{};
    for (const SoftBodyDescription& body : scene.soft_bodies) {
      for (const double mass : node_masses(body)) {
        node_.push_back({mass, body.material.rayleigh_mass_1_s * mass});
        before_.add(node_.back(), body.velocity);
      }
    }
    for (const RigidBodyDescription& body : scene.rigid_bodies) {
      frame_.push_back({body.mass_kg, 0});
      before_.add(frame_.back(), body.velocity_m_s);
      applied += body.force_N;
    }
    for (const CableDescription& cable : scene.cables)
      for (const auto& [length, mass] : link_masses(cable))
        frame_.push_back({mass, cable.material.drag_translation_N_s_m});
    constant_N_ += applied;
    const double scale = weight_N + norm(applied);
    tolerance_N_ =
        check.tolerance_N ? *check.tolerance_N : check.relative_tolerance.value_or(0) * scale;
  }

  void observe(const StepView& view) override {
    Sums now;
    for (std::size_t k = 0; k < node_.size(); ++k) now.add(node_[k], view.state.v[k]);
    for (std::size_t f = 0; f < frame_.size(); ++f) {
      const std::int32_t row = view.layout.frame_row(static_cast<std::int32_t>(f));
      now.add(frame_[f], view.state.v[static_cast<std::size_t>(row)]);
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

 private:
  /// Of a point: mass [kg] and drag [N s/m].
  struct Inertia {
    double mass = 0, drag = 0;
  };
  struct Sums {
    Vec3d momentum{}, drag{};  ///< [kg m/s], [N]
    void add(const Inertia& point, Vec3d v) {
      momentum += point.mass * v;
      drag += point.drag * v;
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
  std::vector<Inertia> node_, frame_;
  Sums before_;  ///< at the start of the step
  Vec3d missing_{};
  int n_step_ = 0;
};

class DriftJudge : public Judge {
 public:
  DriftJudge(const std::string& name, const Scene& scene, const Drift& check)
      : Judge(name, "m/s"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        soft_(index_of(scene.soft_bodies, check.body)),
        rigid_(index_of(scene.rigid_bodies, check.body)),
        cable_(index_of(scene.cables, check.body)),
        bound_(check.bound_m_s) {
    if (soft_ < 0 && rigid_ < 0 && cable_ < 0)
      throw_bad_value("checks." + name + ".body", check.body,
                      "the name of a soft body, a rigid body or a cable", "");
  }

  void observe(const StepView& view) override {
    if (!window_.contains(view.record.time_s)) return;
    last_ = centre(view);
    last_s_ = view.record.time_s;
    if (n_step_++ > 0) return;
    first_ = last_;
    first_s_ = last_s_;
  }
  bool reached() const override { return window_.reached(); }
  std::string nothing_compared() const override { return window_.too_few_steps(2); }
  CheckResult result() const override {
    return at_most(norm(last_ - first_) / (last_s_ - first_s_), bound_);
  }

 private:
  /// Mean over nodes or links.
  Vec3d centre(const StepView& view) const {
    if (rigid_ >= 0) return view.state.frames[static_cast<std::size_t>(rigid_)].position;
    Vec3d sum{};
    if (soft_ >= 0) {
      const auto body = static_cast<std::size_t>(soft_);
      const auto begin = static_cast<std::size_t>(view.layout.soft_node[body]);
      const auto end = static_cast<std::size_t>(view.layout.soft_node[body + 1]);
      for (std::size_t k = begin; k < end; ++k) sum += view.state.x[k];
      return (1 / static_cast<double>(end - begin)) * sum;
    }
    const FrameRange range = cable_frames(view.layout, cable_);
    for (std::size_t f = range.first; f < range.last; ++f) sum += view.state.frames[f].position;
    return (1 / static_cast<double>(range.last - range.first)) * sum;
  }

  Window window_;
  int soft_, rigid_, cable_;
  double bound_;
  Vec3d first_{}, last_{};
  double first_s_ = 0, last_s_ = 0;
  int n_step_ = 0;
};

}  // namespace

double total_mass(const Scene& scene) {
  double mass = 0;
  for (const SoftBodyDescription& body : scene.soft_bodies)
    for (const double node : node_masses(body)) mass += node;
  for (const RigidBodyDescription& body : scene.rigid_bodies) mass += body.mass_kg;
  for (const CableDescription& cable : scene.cables)
    for (const auto& link : link_masses(cable)) mass += link.second;
  return mass;
}

JudgePointer make_judge(const std::string& name, const Scene& scene, const ReferenceCsv& check) {
  return std::make_unique<ReferenceJudge>(name, scene, check);
}
JudgePointer make_judge(const std::string& name, const Scene& scene, const BodyPosition& check) {
  return std::make_unique<BodyPositionJudge>(name, scene, check);
}
JudgePointer make_judge(const std::string& name, const Scene& scene, const SensorForce& check) {
  return std::make_unique<SensorJudge>(name, scene, check);
}
JudgePointer make_judge(const std::string& name, const Scene& scene, const ForceBalance& check) {
  return std::make_unique<BalanceJudge>(name, scene, check);
}
JudgePointer make_judge(const std::string& name, const Scene& scene, const Drift& check) {
  return std::make_unique<DriftJudge>(name, scene, check);
}
JudgePointer make_judge(const std::string& name, const Scene& scene, const ContactForce& check) {
  return std::make_unique<ContactForceJudge>(name, scene, check);
}

}  // namespace nodia
