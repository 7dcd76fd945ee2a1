/// What a learner sees of an environment.
#pragma once

#include <vector>

#include "host/io/archive.hpp"
#include "host/simulation/simulation.hpp"
#include "scenarios/task/observables.hpp"

namespace nodia {

/// Of one environment.
class Observer {
 public:
  explicit Observer(std::vector<Observable> observed);

  const std::vector<Observable>& observed() const { return observed_; }
  /// An episode begins: forces are zero until a step is seen.
  void begin();
  /// Keeps the forces of a step, means over it.
  void see(const StepView& view);
  /// The present values of an observable.
  /// @param k    place in observed()
  /// @param out  its size() numbers
  void observe(int k, const Simulation& simulation, int env, double* out) const;
  /// Whether values lie in the observable's bounds; those that are not finite do not.
  static bool in_bounds(const Observable& observable, const double* values);
  /// The forces of the last step. Everything else is read from the simulation.
  void archive(Archive& a) { a("force", force_); }

 private:
  std::vector<Observable> observed_;
  std::vector<std::vector<double>> force_;  ///< of each that is a force, of the last step seen
};

}  // namespace nodia
