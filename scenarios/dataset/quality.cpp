#include "scenarios/dataset/quality.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace nodia {
namespace {

/// Maximum; NaN if either value is NaN, so that an unknown error stays unknown.
double worse(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::nan("") : std::max(a, b);
}

/// Word of each status, by its number.
std::vector<std::string> status_names() {
  std::vector<std::string> names;
  for (const auto& word : words_of(SolveStatus{})) {
    names.resize(std::max(names.size(), static_cast<std::size_t>(word.value) + 1));
    names[static_cast<std::size_t>(word.value)] = word.word;
  }
  return names;
}

}  // namespace

QualityRecorder::QualityRecorder(const Scene& scene, const State& start) : balance_(scene) {
  balance_.start(start);
}

void QualityRecorder::see(const StepView& view) {
  const StepRecord& record = view.record;
  open_.relative_residual = worse(open_.relative_residual, record.solve.relative_residual);
  open_.natural_map_error = worse(open_.natural_map_error, record.solve.natural_map_error);
  if (record.solve.absolute_floor) {
    ++open_.n_floor_ended;
  } else {
    open_.error_estimate = worse(open_.error_estimate, record.solve.error_estimate);
    ++n_estimated_;
  }
  open_.n_fell_back += record.solve.fell_back();
  open_.certificate_J = worse(open_.certificate_J, record.solve.certificate_J);
  open_.penetration_m = worse(open_.penetration_m, record.max_penetration_m);
  open_.force_balance_N = worse(open_.force_balance_N, norm(balance_.missing_N(view)));
  open_.kinetic_energy_J = record.kinetic_energy_J;
  open_.potential_energy_J = record.potential_energy_J;
}

void QualityRecorder::end_control_step(const TaskReport& report) {
  open_.status = report.status;
  open_.n_clipped = static_cast<int>(report.clipped.size());
  if (n_estimated_ == 0) open_.error_estimate = std::nan("");
  rows_.push_back(open_);
  open_ = {};
  n_estimated_ = 0;
}

void QualityRecorder::add_to(ArrayGroup* episode) const {
  const std::uint64_t n = rows_.size();
  const auto add = [&](const std::string& name, const char* unit, auto value) {
    using T = decltype(value(rows_.front()));
    std::vector<T> values;
    for (const Row& row : rows_) values.push_back(value(row));
    episode->arrays["quality/" + name] = {{n}, std::move(values), {{"unit", std::string(unit)}}};
  };
  add("status", "", [](const Row& r) { return static_cast<std::uint8_t>(r.status); });
  episode->arrays["quality/status"].attributes["names"] = status_names();
  add("relative_residual", "1", [](const Row& r) { return r.relative_residual; });
  add("natural_map_error", "1", [](const Row& r) { return r.natural_map_error; });
  add("error_estimate", "1", [](const Row& r) { return r.error_estimate; });
  add("floor_ended", "", [](const Row& r) { return static_cast<std::int32_t>(r.n_floor_ended); });
  add("fell_back", "", [](const Row& r) { return static_cast<std::int32_t>(r.n_fell_back); });
  add("certificate_J", "J", [](const Row& r) { return r.certificate_J; });
  add("penetration_m", "m", [](const Row& r) { return r.penetration_m; });
  add("force_balance_N", "N", [](const Row& r) { return r.force_balance_N; });
  add("kinetic_energy_J", "J", [](const Row& r) { return r.kinetic_energy_J; });
  add("potential_energy_J", "J", [](const Row& r) { return r.potential_energy_J; });
  add("clipped", "", [](const Row& r) { return static_cast<std::int32_t>(r.n_clipped); });
}

WorstQuality worst_quality(const ArrayGroup& episode) {
  WorstQuality worst;
  const auto status = episode.arrays.find("quality/status");
  if (status == episode.arrays.end()) return worst;
  for (const std::uint8_t s : std::get<std::vector<std::uint8_t>>(status->second.values))
    worst.n_unconverged += s != static_cast<std::uint8_t>(SolveStatus::converged);
  const auto largest = [&](const char* name) {
    double value = 0;
    for (const double v :
         std::get<std::vector<double>>(episode.arrays.at(std::string("quality/") + name).values))
      value = worse(value, v);
    return value;
  };
  worst.relative_residual = largest("relative_residual");
  worst.natural_map_error = largest("natural_map_error");
  worst.certificate_J = largest("certificate_J");
  worst.penetration_m = largest("penetration_m");
  worst.force_balance_N = largest("force_balance_N");
  return worst;
}

}  // namespace nodia
