/// One case of `nodia compare --suite accuracy`: what solvers cost at which true error.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/compare/accuracy_cost.hpp"
#include "tools/compare/energy_error.hpp"
#include "tools/compare/samples.hpp"

namespace nodia::studies {

struct SuiteOptions {
  int samples = 10;            ///< steps of each case, evenly spread; >= 1
  double seconds = 30;         ///< CPU time that a solver may take on a case [s]; > 0
  double target_error = 1e-6;  ///< tolerances end where the mean true error is at most this
};

/// References that are wrong by more are left out; where less than half are as good, those that are
/// wrong by more than the second. Errors below this many times the references' are not resolved.
inline constexpr double kGoodReference = 1e-7, kUsableReference = 1e-5, kResolution = 10;

class AccuracyCaseRun {
 public:
  /// Runs the scenario by `auto` at its default tolerance, one thread, and finds the references.
  /// @param watch  called before every solve and step with (steps done, steps); may throw
  /// @throws RuntimeError where less than half of the references can be trusted
  AccuracyCaseRun(const Scenario& scenario, const SuiteOptions& options,
                  std::function<void(int, int)> watch);

  int n_node() const;        ///< rows of A, of three unknowns each
  double n_contact() const;  ///< mean over the samples
  int n_sample() const { return static_cast<int>(evaluated_.size()); }
  /// Largest error of the references in use, relative as true errors are.
  double reference_error() const { return reference_error_; }
  /// Mean of |v_ref|_A/|A^-1 b|_A, motion over free motion: of bodies at rest next to nothing, and
  /// errors relative to it are then those of creeping [-].
  double motion() const { return motion_; }
  /// Samples that were left out, each in words.
  const std::vector<std::string>& left_out() const { return left_out_; }
  /// Steps of the trajectory that did not converge.
  int unconverged_steps() const { return samples_.unconverged_steps(); }

  /// Rows of one solver at tolerances 10^-1, 10^-3/2 ... 10^-12 (10^-9 of solvers that estimate
  /// their error), until the target or the bound of time is reached, or until two rows in turn have
  /// steps that do not converge and no less error. Each solve goes on from the step
  /// before, solved by the same solver without being timed, where it remembers anything. Solvers on
  /// the Delassus operator share one per sample, by CHOLMOD with sparse right-hand sides where
  /// present; its time is charged to each of their solves.
  /// @param take  called with each row as it is done
  SolverCurve curve_of(const std::string& solver,
                       const std::function<void(const AccuracyRow&)>& take);

 private:
  struct Evaluated {
    const Sample* sample;
    std::unique_ptr<EnergyError> energy;
    Reference reference;
    double scale = 0;  ///< what errors are relative to
    double relative(double distance) const { return scale > 0 ? distance / scale : distance; }
    double error() const { return relative(reference.error); }
  };
  class Solves;

  /// Leaves out references whose relative error is larger.
  void keep_references(double bound);

  SolverOptions options_of(const std::string& solver) const;
  std::string why_not(const std::string& solver) const;
  bool measure(Solves* solves, AccuracyRow* row, double* spent_s);

  SolverOptions own_;  ///< the scenario's
  SuiteOptions options_;
  std::function<void(int, int)> watch_;
  Samples samples_;
  std::vector<Evaluated> evaluated_;
  std::vector<std::string> left_out_;
  double reference_error_ = 0, motion_ = 0;
};

}  // namespace nodia::studies
