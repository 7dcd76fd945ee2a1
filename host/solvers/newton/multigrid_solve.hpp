/// Directions of Newton steps by conjugate gradients with a multigrid hierarchy, which is kept over
/// time steps and made anew where the contacts have changed or iterations have grown. It is made on
/// the CPU; cycles and conjugate gradients run there or on a device.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "host/solvers/multigrid/device_gradients.hpp"
#include "host/solvers/newton/device_smoothing.hpp"
#include "host/solvers/newton/newton_step.hpp"

namespace nodia {

class MultigridSolve {
 public:
  /// @param device  where there is one, and topologies have a form there (has_device_form)
  MultigridSolve(std::shared_ptr<AggregatePool> aggregates,
                 const std::optional<DevicePlace>& device)
      : aggregates_(std::move(aggregates)), device_(device) {}

  /// Begins a time step. @param system  kept by reference until the next one
  /// @param n_thread  of every launch
  void start(const RelativeSystem& system, int n_thread);
  /// One step towards K^-1 r, K as the step's last assemble() left it: enough to know how large the
  /// direction is. Keeps the step's K by reference.
  /// @param position  per row [m]
  /// @return false where conjugate gradients fail, however much is smoothed
  bool begin(const NewtonStep& step, const std::vector<Vec3d>& position,
             const std::vector<Vec3d>& r);
  /// The Newton decrement |K^-1 r|_K, estimated after the first step.
  double decrement() const;
  /// Goes on to the step that adds at most `share` of the energy found, or `enough`.
  /// @param d  out: K^-1 r
  /// @return false where they fail
  bool finish(double share, double enough, std::vector<Vec3d>* d);
  /// Smooths on the device, where single contacts are all that there are: sweeps over others are
  /// one lane's. @return whether it did; else it is the CPU's
  bool smooth(Smoothing* smoothing, int n_times, std::vector<Vec3d>* y, std::vector<Vec3d>* g,
              std::vector<Vec3d>* lambda);
  /// Since start().
  double multiply_adds() const { return multigrid_->multiply_adds() - before_; }
  /// What it keeps, as numbers; empty: nothing. Numbers that do not fit are as none.
  std::vector<double> state() const;
  void set_state(const std::vector<double>& numbers);

 private:
  /// States by the contacts' keys, ascending.
  using States = std::vector<std::pair<std::uint64_t, ContactState>>;

  void restore(const std::vector<double>& numbers);
  bool must_build(const States& states) const;
  bool restart();

  std::shared_ptr<AggregatePool> aggregates_;
  std::optional<DevicePlace> device_;
  std::unique_ptr<Multigrid> multigrid_ = std::make_unique<Multigrid>();
  std::unique_ptr<DeviceMatrix> matrix_;           ///< where gradients_ are on a device
  std::unique_ptr<ConjugateGradients> gradients_;  ///< of the topology's form
  std::unique_ptr<DeviceSmoothing> smoothing_;     ///< on the same device
  bool knows_smoothing_ = false;                   ///< of this time step
  const RelativeSystem* system_ = nullptr;
  std::vector<Vec3d> direction_;
  double before_ = 0;
  bool is_built_ = false;
  States built_states_;       ///< of the contacts when the hierarchy was made
  int built_iterations_ = 0;  ///< of the first solve with it; 0: there was none
  int last_iterations_ = 0;
  std::vector<double> given_;  ///< a state, until the next solve knows the topology
  std::vector<Vec3d> r_;
};

}  // namespace nodia
