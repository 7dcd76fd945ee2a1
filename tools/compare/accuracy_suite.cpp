#include "tools/compare/accuracy_suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/delassus/delassus_solver.hpp"
#include "kernels/core/error.hpp"
#include "tools/compare/cpu_time.hpp"
#include "tools/compare/median.hpp"

namespace nodia::studies {
namespace {

/// Tolerances in half decades: from 1e-1 to 1e-9 for solvers that stop by an estimate of the error,
/// to 1e-12 for the others.
constexpr int kLoosestHalfDecade = 2, kTightestOfEstimate = 18, kTightestOfResidual = 24;
constexpr int kLeastIterations = 50, kMostIterations = 20000;
/// Limits for solvers that factorise A: unknowns, and bytes of the dense matrices of all samples.
constexpr int kMostUnknowns = 30000;
constexpr double kMostDenseBytes = 4e9;
/// A smaller tolerance means progress if the error is below this factor times the smallest error so
/// far.
constexpr double kProgress = 0.9;

const std::string kAuto = "auto";

SolverOptions trajectory_options(const SolverOptions& own) {
  SolverOptions options;
  options.solver = kAuto;
  options.projection = own.projection;
  options.invertible_omega_m_Ns = own.invertible_omega_m_Ns;
  options.execution.threads = 1;
  return options;
}

Scenario by_auto(Scenario scenario) {
  scenario.solver = trajectory_options(scenario.solver);
  return scenario;
}

SampleChoice choice_of(const SuiteOptions& options) {
  SampleChoice choice;
  choice.count = options.samples;
  choice.reference = false;
  choice.before = true;
  return choice;
}

bool by_delassus(const std::string& solver) {
  SolverOptions options;
  options.solver = solver;
  return dynamic_cast<DelassusSolver*>(make_solver(options).get()) != nullptr;
}

}  // namespace

/// Solves with one solver and measures their CPU times.
class AccuracyCaseRun::Solves {
 public:
  Solves(const SolverOptions& options, const std::vector<Evaluated>& evaluated)
      : evaluated_(evaluated), on_operator_(by_delassus(options.solver)) {
    begin(options);
  }

  void begin(const SolverOptions& options) {
    options_ = options;
    solver_ = make_solver(options);
    known_memory_ = false;
  }

  /// CPU time [s].
  struct Charged {
    double whole = 0, delassus = 0;
  };
  Charged solve(std::size_t k, Solution* out) {
    const Sample& sample = *evaluated_[k].sample;
    if (on_operator_) return solve_on_operator(k, out);
    if (sample.before && (!known_memory_ || remembers_)) {
      solver_->solve(*sample.before, sample.warm_before, out);
      remembers_ = !solver_->state(0).empty();
      known_memory_ = true;
    }
    const double from = process_cpu_seconds();
    solver_->solve(sample.problem, sample.warm, out);
    return {process_cpu_seconds() - from, 0};
  }

 private:
  struct Operator {
    std::unique_ptr<DelassusOperator> value;
    double cpu_s = 0;
  };

  Charged solve_on_operator(std::size_t k, Solution* out) {
    const Sample& sample = *evaluated_[k].sample;
    operators_.resize(evaluated_.size());
    Operator& own = operators_[k];
    if (!own.value) {
      const double from = process_cpu_seconds();
      own.value = std::make_unique<DelassusOperator>(sample.problem, options_.factor,
                                                     options_.invertible_omega_m_Ns);
      own.cpu_s = process_cpu_seconds() - from;
    }
    const double from = process_cpu_seconds();
    dynamic_cast<DelassusSolver&>(*solver_).solve_with(*own.value, sample.problem, sample.warm,
                                                       out);
    return {own.cpu_s + process_cpu_seconds() - from, own.cpu_s};
  }

  const std::vector<Evaluated>& evaluated_;
  SolverOptions options_;
  std::unique_ptr<ContactSolver> solver_;
  std::vector<Operator> operators_;
  bool on_operator_, known_memory_ = false, remembers_ = false;
};

AccuracyCaseRun::AccuracyCaseRun(const Scenario& scenario, const SuiteOptions& options,
                                 std::function<void(int, int)> watch)
    : own_(scenario.solver),
      options_(options),
      watch_(std::move(watch)),
      samples_(by_auto(scenario), choice_of(options), watch_) {
  double squares = 0;
  int n = 0;
  for (const Sample& sample : samples_.all()) {
    watch_(0, 1);
    auto energy = std::make_unique<EnergyError>(sample.problem);
    Reference reference = reference_of(sample.problem, sample.warm, *energy, own_);
    if (!reference.reason.empty()) {
      left_out_.push_back(fmt::format("step {}: {}", sample.step, reference.reason));
      continue;
    }
    squares += reference.norm * reference.norm;
    ++n;
    evaluated_.push_back({&sample, std::move(energy), std::move(reference)});
  }
  const double standstill = n > 0 ? kStandstill * std::sqrt(squares / n) : 0;
  std::size_t n_good = 0;
  for (Evaluated& evaluated : evaluated_) {
    evaluated.scale = std::max(evaluated.reference.norm, standstill);
    n_good += evaluated.error() <= kGoodReference;
  }
  keep_references(2 * n_good >= samples_.all().size() ? kGoodReference : kUsableReference);
  if (2 * evaluated_.size() < samples_.all().size())
    throw RuntimeError(fmt::format("of {} reference answers {} can be trusted ({})",
                                   samples_.all().size(), evaluated_.size(), left_out_.front()));
  for (const Evaluated& evaluated : evaluated_) {
    const ContactProblem& problem = evaluated.sample->problem;
    const double free = evaluated.energy->norm(evaluated.energy->contradiction(
        std::vector<Vec3d>(problem.b.size()), std::vector<Vec3d>(problem.contacts.size())));
    motion_ += evaluated.reference.norm / free / n_sample();
  }
}

void AccuracyCaseRun::keep_references(double bound) {
  std::vector<Evaluated> kept;
  for (Evaluated& evaluated : evaluated_) {
    if (!(evaluated.error() <= bound)) {
      left_out_.push_back(fmt::format("step {}: the reference is right to {:.1e} only",
                                      evaluated.sample->step, evaluated.error()));
      continue;
    }
    reference_error_ = std::max(reference_error_, evaluated.error());
    kept.push_back(std::move(evaluated));
  }
  evaluated_ = std::move(kept);
}

int AccuracyCaseRun::n_node() const {
  return evaluated_.front().sample->problem.n_node();
}

double AccuracyCaseRun::n_contact() const {
  double sum = 0;
  for (const Evaluated& evaluated : evaluated_) sum += evaluated.sample->problem.n_contact();
  return sum / n_sample();
}

SolverOptions AccuracyCaseRun::options_of(const std::string& solver) const {
  SolverOptions options = own_;
  if (solver == kAuto) {
    options = trajectory_options(own_);
  } else {
    options.solver = solver;
    options.stop = StopRule::automatic;
    options.execution.threads = 1;
    if (own_rule_of(solver) != StopRule::energy) options.max_iterations = kMostIterations;
  }
  if (own_rule_of(solver) == StopRule::residual && is_available(Factoriser::cholmod)) {
    options.factor.factoriser = Factoriser::cholmod;
    options.factor.sparse_rhs = true;
  }
  return options;
}

std::string AccuracyCaseRun::why_not(const std::string& solver) const {
  const bool on_operator = by_delassus(solver);
  if (!on_operator && solver != "ccs") return "";
  if (3 * n_node() > kMostUnknowns)
    return fmt::format("{} unknowns: it factorises A, tried up to {}", 3 * n_node(), kMostUnknowns);
  double bytes = 0;
  for (const Evaluated& evaluated : evaluated_)
    bytes += 8 * std::pow(3.0 * evaluated.sample->problem.n_contact(), 2);
  if (on_operator && bytes > kMostDenseBytes)
    return fmt::format("its dense matrices take {:.1f} GB, tried up to {:.0f}", 1e-9 * bytes,
                       1e-9 * kMostDenseBytes);
  return "";
}

bool AccuracyCaseRun::measure(Solves* solves, AccuracyRow* row, double* spent_s) {
  std::vector<double> errors;
  double estimates = 0;
  int n_estimate = 0;
  Solution solution;
  for (std::size_t k = 0; k < evaluated_.size(); ++k) {
    watch_(0, 1);
    const double from = process_cpu_seconds();
    const Solves::Charged charged = solves->solve(k, &solution);
    *spent_s += process_cpu_seconds() - from;
    if (*spent_s > options_.seconds && k + 1 < evaluated_.size()) return false;
    const SolveReport& report = solution.env.front();
    const Evaluated& evaluated = evaluated_[k];
    errors.push_back(
        evaluated.relative(evaluated.energy->distance(solution, evaluated.reference.v)));
    if (std::isnan(errors.back())) errors.back() = std::numeric_limits<double>::infinity();
    row->iterations += report.iterations;
    row->work_units += report.work_units;
    row->cpu_ms += 1e3 * charged.whole;
    row->delassus_ms += 1e3 * charged.delassus;
    row->unconverged += report.status != SolveStatus::converged;
    row->floor_ended += report.absolute_floor;
    if (std::isfinite(report.error_estimate) && !report.absolute_floor) {
      estimates += report.error_estimate;
      ++n_estimate;
    }
  }
  const auto n = static_cast<double>(evaluated_.size());
  for (double* mean : {&row->iterations, &row->work_units, &row->cpu_ms, &row->delassus_ms})
    *mean /= n;
  for (const double error : errors) row->mean_error += error / n;
  row->median_error = median(errors);
  row->worst_error = *std::max_element(errors.begin(), errors.end());
  row->estimate =
      n_estimate > 0 ? estimates / n_estimate : std::numeric_limits<double>::quiet_NaN();
  return true;
}

SolverCurve AccuracyCaseRun::curve_of(const std::string& solver,
                                      const std::function<void(const AccuracyRow&)>& take) {
  SolverCurve curve;
  curve.solver = solver;
  curve.resolution = kResolution * reference_error_;
  curve.ended = why_not(solver);
  if (!curve.ended.empty()) return curve;
  SolverOptions options = options_of(solver);
  Solves solves(options, evaluated_);
  double spent_s = 0, least_error = std::numeric_limits<double>::infinity();
  int without_progress = 0;
  const bool by_residual = own_rule_of(solver) == StopRule::residual;
  const int tightest = by_residual ? kTightestOfResidual : kTightestOfEstimate;
  for (int half_decade = kLoosestHalfDecade; half_decade <= tightest; ++half_decade) {
    options.tolerance = std::pow(10.0, -0.5 * half_decade);
    if (by_residual && !curve.rows.empty() && curve.rows.back().iterations > 0) {
      // A row, including the solves of the previous steps, takes at most half of the time limit.
      const AccuracyRow& last = curve.rows.back();
      const double ms_per_iteration = (last.cpu_ms - last.delassus_ms) / last.iterations;
      const double most = 250 * options_.seconds / (ms_per_iteration * n_sample());
      options.max_iterations =
          static_cast<int>(std::clamp<double>(most, kLeastIterations, kMostIterations));
    }
    solves.begin(options);
    AccuracyRow row;
    row.stop = stop_rule_of(options);
    row.tolerance = options.tolerance;
    if (!measure(&solves, &row, &spent_s)) {
      curve.ended = fmt::format("{:g} s of CPU time were over", options_.seconds);
      return curve;
    }
    curve.rows.push_back(row);
    take(row);
    if (row.mean_error <= options_.target_error) return curve;
    if (row.mean_error <= curve.resolution) {
      curve.ended = fmt::format("the references are right to {:.1e} only", reference_error_);
      return curve;
    }
    without_progress =
        row.mean_error > kProgress * least_error && row.unconverged > 0 ? without_progress + 1 : 0;
    least_error = std::min(least_error, row.mean_error);
    if (without_progress == 2) {
      curve.ended = fmt::format(
          "{} of {} steps do not converge in {} iterations, and the error no longer falls",
          row.unconverged, n_sample(), options.max_iterations);
      return curve;
    }
  }
  curve.ended = fmt::format("tolerance {:g} was the last", options.tolerance);
  return curve;
}

}  // namespace nodia::studies
