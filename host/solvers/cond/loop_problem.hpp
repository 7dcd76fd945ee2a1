/// Converts a ContactProblem to the arrays of the V-FPI loop on the host.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "host/solvers/cond/contact_layout.hpp"
#include "host/solvers/cond/loop_state.hpp"
#include "host/solvers/cond/nodalization.hpp"
#include "host/solvers/cond/options.hpp"
#include "host/solvers/cond/w/point_constraints.hpp"
#include "host/solvers/cond/w/set_up.hpp"
#include "host/solvers/interface.hpp"
#include "host/solvers/options.hpp"
#include "host/solvers/solver_options.hpp"
#include "host/step/device_step.hpp"
#include "kernels/vfpi/control_ends.hpp"
#include "kernels/vfpi/schedule.hpp"
#include "kernels/vfpi/times.hpp"

namespace nodia {

VfpiOptions vfpi_options(const CommonOptions& common, const CondOptions& own);

/// Changes of the arrays by LoopProblem::set(), and the start of each environment.
struct LoopChanges {
  bool new_rows = false;              ///< all arrays are new, as for a new pattern
  std::vector<std::uint8_t> renewed;  ///< [n_env] 1: the environment has new rows
  /// If only some environments have new rows, their lists begin here; other lists are unchanged.
  RowOffsets renewed_lists;
  /// [n_env] 1: set() wrote the initial vector of the power iteration. 0: the iteration continues
  /// with the vector of the last solve, if it ran.
  std::vector<std::uint8_t> new_power_vector;
  /// [n_env] 1: weights of the residual's norm have changed.
  std::vector<std::uint8_t> new_weights;
  /// [n_env] 1: starts on a device from the last solution, bit for bit, without contact nodes.
  std::vector<std::uint8_t> starts_from_solution;
  std::vector<ControlStart> control_start;  ///< [n_env] initial values of the control
  std::vector<std::uint8_t> knows_w;        ///< [n_env] 1: W is that of an earlier solve
};

template <class Precision>
class LoopProblem {
 public:
  using Arrays = LoopArrays<Precision, HostMemory>;
  using Real = typename Precision::Real;

  LoopProblem(const CommonOptions& common, const CondOptions& own)
      : execution_(common.execution), own_(own), options_(vfpi_options(common, own)) {}

  /// Sets the problem and the initial guess, which must outlive the solve. Allocates if sizes
  /// changed. If the last solve failed, its state is discarded.
  void set(const ContactProblem& problem, const WarmStart& warm);
  /// Undoes set() before a solve: the next problem is of the same step.
  void withdraw();
  /// Writes the reports except the times.
  /// @throws RuntimeError if the loop left an environment without a decision
  void take_reports(Solution* out);
  /// Writes v and, if the problem has the contacts, lambda of environments [begin, end).
  /// @param solutions  output of TakeSolutions for the rows of all environments; null: read
  /// arrays()
  void take_solutions(int begin, int end, Solution* out, const Real* solutions = nullptr);

  /// True if the environment has a state: not before the first solve, nor after a failed one.
  bool has_state(int e) const { return given_.count(e) > 0 || (taken_ && e < n_env()); }
  /// State for the next set(); W and the power iteration's vector have the layout of arrays().
  LoopState state(int e) const;
  /// Sets the state for the next set(); ignored if it does not fit the environment.
  void set_state(int e, LoopState state) { given_[e] = std::move(state); }
  /// True if set() will rebuild the rows of all environments from their states.
  bool needs_rows(const ContactProblem& problem) const;
  /// True if the device can make the contacts of the problem's soft rows. If the given state of an
  /// environment does not fit, the problem must have its contacts, which order the rows.
  bool device_can_make_contacts(const ContactProblem& problem) const;

  const VfpiOptions& options() const { return options_; }
  LaidOutProblem laid_out() const { return {*problem_, rows_, ranges_, changes_.renewed}; }
  const RowLayout& rows() const { return rows_; }
  const LoopRanges& ranges() const { return ranges_; }
  /// Arrays that only the loop writes are empty if it runs on a device.
  Arrays& arrays() { return arrays_; }
  const LoopNeeds& needs() const { return needs_; }
  /// Views of the environments on the host.
  const std::vector<VfpiEnvironment<Precision>>& environments() const { return env_; }
  /// Key of the launch schedule of environments [begin, end).
  ScheduleKey key(int begin, int end) const;
  /// Changes of the arrays by set().
  const LoopChanges& changes() const { return changes_; }
  /// Control of environment e at the start of the k-th step after the problem's, if all ends
  /// between stay on the device and W is renewed only when due. @param k  >= 1
  ControlStart control_start_after(int e, int k) const;
  /// The problem that was set.
  const ContactProblem& problem() const { return *problem_; }
  /// True if the device makes contacts of soft rows; the problem and arrays then have none.
  bool device_makes_contacts() const { return device_makes_contacts_; }
  /// Sets the room for contacts of rows with several contacts, if a device makes them, for this and
  /// later problems. @param room  per environment, multiples of kSliceRows
  void make_multi_contact_room(std::vector<std::int32_t> room);
  /// Room for soft-soft pairs, if the device generates the contacts.
  PairRooms pair_rooms() const;
  /// Call before take_reports() if a device made contacts. @param report  [n_env] report of the
  /// pairs
  void take_pairs(const PairReport* report);

 private:
  bool iterates_in_phases(const LoopRange& range) const;
  int n_env() const { return static_cast<int>(steps_since_w_.size()); }
  void make_pair_room();
  void build_rows(const std::vector<LoopState>& states);
  void renew_rows(const std::map<int, LoopState>& states);
  bool is_of(const LoopState& state, const ContactProblem& problem, int e) const;
  std::vector<LoopState> states_for(const ContactProblem& problem) const;
  void restore(int e, const LoopState& state);
  void restore_renewed(int e, const LoopState& state);
  void size_arrays();
  void set_rows(int e);
  void set_new_rows(int e);
  void start_power(int e);
  void set_roles(int e, std::int32_t local, Vec3<Real> v);
  void set_point_constraints(int e);
  void pull_contact_node(int e, std::int32_t side, const Contact<double>& c, Vec3d lambda);
  void set_contacts(int e);
  double load_of(int e) const;
  void reserve_contacts(int e);
  bool may_have_pairs(int e) const { return pair_room_[static_cast<std::size_t>(e)] > 0; }
  void set_control(int e);
  ControlStart next_start(bool may_keep, bool same_nodes, int* age) const;

  ExecutionOptions execution_;
  CondOptions own_;
  VfpiOptions options_;
  const ContactProblem* problem_ = nullptr;
  const WarmStart* warm_ = nullptr;
  LoopRanges ranges_;
  RowLayout rows_;
  ContactLayout contacts_;
  Nodalization nodalization_;
  PointConstraintSetUp point_constraints_;
  Arrays arrays_;
  LoopNeeds needs_;
  LoopChanges changes_;
  std::vector<VfpiEnvironment<Precision>> env_;
  std::vector<Vec3d> compliance_;          ///< diagonal of every contact's Delassus block [m/(N s)]
  std::vector<int> steps_since_w_;         ///< [n_env] solves since W was computed; -1: never
  std::vector<int> steps_since_w_before_;  ///< values before set()
  std::vector<std::uint8_t> knows_solution_;  ///< [n_env] 1: its roles hold the solution
  std::vector<double> smallest_mass_;         ///< [n_env] of its rows [kg]
  std::vector<std::int32_t> n_contact_node_;  ///< [n_env] contact nodes of the last solve
  std::map<int, LoopState> given_;            ///< states by environment, for the next set()
  std::vector<std::shared_ptr<const Topology>> topology_;  ///< [n_env] topology of the last solve
  std::vector<std::int32_t> multi_contact_room_;  ///< [n_env] see make_multi_contact_room()
  std::vector<std::int32_t> pair_room_;           ///< [n_env] rows for points of pairs
  bool device_makes_contacts_ = false;
  bool taken_ = true;  ///< the last solve was read
};

/// Sets the times of an environment's report.
/// @param own       times of its loop
/// @param shared_s  its share of the solver's work outside the loop
inline void set_times(const VfpiTimes& own, double shared_s, SolveReport* report) {
  report->before_loop_s = own.before_s;
  report->loop_s = own.loop_s;
  report->time_s = own.before_s + own.loop_s + shared_s;
}

/// Makes the solver Implementation<Precision> for ExecutionOptions::precision.
template <template <class> class Implementation, class Interface>
std::unique_ptr<Interface> make_with_precision(const SolverOptions& options) {
  switch (options.execution.precision) {
    case Precision::mixed:
      return std::make_unique<Implementation<MixedPrecision>>(options);
    case Precision::float_:
      return std::make_unique<Implementation<FloatPrecision>>(options);
    case Precision::double_:
      break;
  }
  return std::make_unique<Implementation<DoublePrecision>>(options);
}

}  // namespace nodia
