/// Computes directions of Newton steps by conjugate gradients with a multigrid hierarchy. The CPU
/// makes it, keeps it over time steps, and rebuilds it if contacts change or iterations grow.
/// Cycles and conjugate gradients run on the CPU or on a device.
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
  /// @param device  used for topologies with has_device_form(), if it has a value
  MultigridSolve(std::shared_ptr<AggregatePool> aggregates,
                 const std::optional<DevicePlace>& device)
      : aggregates_(std::move(aggregates)), device_(device) {}

  /// Begins a time step. @param system  kept by reference until the next one
  /// @param n_thread  threads of every launch
  void start(const RelativeSystem& system, int n_thread);
  /// Takes one step towards K^-1 r, with K of the last assemble() of `step`: enough to know the
  /// size of the direction. Keeps K by reference.
  /// @param position  [n_row] [m]
  /// @return false if conjugate gradients fail with any amount of smoothing
  bool begin(const NewtonStep& step, const std::vector<Vec3d>& position,
             const std::vector<Vec3d>& r);
  /// Newton decrement |K^-1 r|_K, estimated after the first step.
  double decrement() const;
  /// Continues until a step adds at most `share` of the energy found, or at most `enough`.
  /// @param d  out: K^-1 r
  /// @return false if conjugate gradients fail
  bool finish(double share, double enough, std::vector<Vec3d>* d);
  /// Smooths on the device if all contacts are single, because sweeps over others use one lane.
  /// @return true if it did; else the CPU must smooth
  bool smooth(Smoothing* smoothing, int n_times, std::vector<Vec3d>* y, std::vector<Vec3d>* g,
              std::vector<Vec3d>* lambda);
  /// Multiply-adds since start().
  double multiply_adds() const { return multigrid_->multiply_adds() - before_; }
  /// Serialised state; empty: none. set_state() ignores numbers that do not fit.
  std::vector<double> state() const;
  void set_state(const std::vector<double>& numbers);

 private:
  /// States of the contacts by key, ascending.
  using States = std::vector<std::pair<std::uint64_t, ContactState>>;

  void restore(const std::vector<double>& numbers);
  bool must_build(const States& states) const;
  bool restart();

  std::shared_ptr<AggregatePool> aggregates_;
  std::optional<DevicePlace> device_;
  std::unique_ptr<Multigrid> multigrid_ = std::make_unique<Multigrid>();
  std::unique_ptr<DeviceMatrix> matrix_;           ///< if gradients_ run on a device
  std::unique_ptr<ConjugateGradients> gradients_;  ///< implementation for the topology
  std::unique_ptr<DeviceSmoothing> smoothing_;     ///< on the same device
  bool knows_smoothing_ = false;                   ///< set for this time step
  const RelativeSystem* system_ = nullptr;
  std::vector<Vec3d> direction_;
  double before_ = 0;
  bool is_built_ = false;
  States built_states_;       ///< states of the contacts when the hierarchy was built
  int built_iterations_ = 0;  ///< iterations of the first solve with it; 0: none yet
  int last_iterations_ = 0;
  std::vector<double> given_;  ///< given state, until the next solve knows the topology
  std::vector<Vec3d> r_;
};

}  // namespace nodia
