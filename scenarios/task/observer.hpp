/// Reads observations from a simulation.
#pragma once

#include <vector>

#include "host/io/archive.hpp"
#include "host/simulation/simulation.hpp"
#include "scenarios/task/observables.hpp"

namespace nodia {

/// Observer of one environment.
class Observer {
 public:
  explicit Observer(std::vector<Observable> observed);

  const std::vector<Observable>& observed() const { return observed_; }
  /// Starts an episode. Forces are zero until the first call of see().
  void begin();
  /// Stores the forces of a step: means over the step.
  void see(const StepView& view);
  /// Writes the present values of an observable.
  /// @param k    index in observed()
  /// @param out  size() numbers
  void observe(int k, const Simulation& simulation, int env, double* out) const;
  /// True if all values are within the bounds of the observable. False for values that are not
  /// finite.
  static bool in_bounds(const Observable& observable, const double* values);
  /// Saves or loads the forces of the last step. The simulation has all other quantities.
  void archive(Archive& a) { a("force", force_); }

 private:
  std::vector<Observable> observed_;
  std::vector<std::vector<double>> force_;  ///< by observable: forces of the last step, else empty
};

}  // namespace nodia
