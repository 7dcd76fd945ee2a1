/// Runs one case of `nodia compare --suite accuracy`: cost of solvers against true error.
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
  int samples = 10;            ///< number of evenly spaced steps of each case; >= 1
  double seconds = 30;         ///< limit of a solver's CPU time for a case [s]; > 0
  double target_error = 1e-6;  ///< a curve ends if the mean true error is at most this
};

/// References with a relative error above kGoodReference are left out. If fewer than half are this
/// good, the limit is kUsableReference. True errors below kResolution times the error of the
/// references are not resolved.
inline constexpr double kGoodReference = 1e-7, kUsableReference = 1e-5, kResolution = 10;

class AccuracyCaseRun {
 public:
  /// Runs the scenario with `auto`, its default tolerance and one thread, and computes the
  /// references.
  /// @param watch  called before every solve and step with (completed steps, steps); may throw
  /// @throws RuntimeError if fewer than half of the references are accurate enough
  AccuracyCaseRun(const Scenario& scenario, const SuiteOptions& options,
                  std::function<void(int, int)> watch);

  int n_node() const;        ///< block rows of A, three unknowns each
  double n_contact() const;  ///< mean number of contacts of the samples
  int n_sample() const { return static_cast<int>(evaluated_.size()); }
  /// Largest error of the references in use, relative like true errors.
  double reference_error() const { return reference_error_; }
  /// Mean of |v_ref|_A/|A^-1 b|_A: motion relative to free motion [-]. It is almost 0 if bodies are
  /// at rest; relative errors then refer to their creep.
  double motion() const { return motion_; }
  /// Messages about the samples that were left out.
  const std::vector<std::string>& left_out() const { return left_out_; }
  /// Number of steps of the trajectory that did not converge.
  int unconverged_steps() const { return samples_.unconverged_steps(); }

  /// Measures one solver at the tolerances 10^-1, 10^-3/2 ... 10^-12 (10^-9 for solvers that
  /// estimate their error). Ends at the target error or at the time limit, or if two consecutive
  /// rows have unconverged steps and no smaller error. If a solver keeps a state between steps, it
  /// first solves the previous step, which is not timed. Solvers on the Delassus operator share one
  /// operator per sample, computed by CHOLMOD with sparse right-hand sides if present; its time is
  /// added to each of their solves.
  /// @param take  called with each finished row
  SolverCurve curve_of(const std::string& solver,
                       const std::function<void(const AccuracyRow&)>& take);

 private:
  struct Evaluated {
    const Sample* sample;
    std::unique_ptr<EnergyError> energy;
    Reference reference;
    double scale = 0;  ///< norm to which errors are relative
    double relative(double distance) const { return scale > 0 ? distance / scale : distance; }
    double error() const { return relative(reference.error); }
  };
  class Solves;

  /// Leaves out references with a relative error above `bound`.
  void keep_references(double bound);

  SolverOptions options_of(const std::string& solver) const;
  std::string why_not(const std::string& solver) const;
  bool measure(Solves* solves, AccuracyRow* row, double* spent_s);

  SolverOptions own_;  ///< options of the scenario
  SuiteOptions options_;
  std::function<void(int, int)> watch_;
  Samples samples_;
  std::vector<Evaluated> evaluated_;
  std::vector<std::string> left_out_;
  double reference_error_ = 0, motion_ = 0;
};

}  // namespace nodia::studies
