/// A ContactProblem as the arrays of the V-FPI loop, on the host.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "host/solvers/cond/contact_layout.hpp"
#include "host/solvers/cond/loop_state.hpp"
#include "host/solvers/cond/nodalization.hpp"
#include "host/solvers/cond/options.hpp"
#include "host/solvers/cond/w/set_up.hpp"
#include "host/solvers/cond/w/ties.hpp"
#include "host/solvers/interface.hpp"
#include "host/solvers/options.hpp"
#include "host/solvers/solver_options.hpp"
#include "host/step/device_step.hpp"
#include "kernels/vfpi/control_ends.hpp"
#include "kernels/vfpi/schedule.hpp"
#include "kernels/vfpi/times.hpp"

namespace nodia {

VfpiOptions vfpi_options(const CommonOptions& common, const CondOptions& own);

/// What LoopProblem::set() changed in the arrays, and how the environments start.
struct LoopChanges {
  bool new_rows = false;              ///< all arrays are new, as for a new pattern
  std::vector<std::uint8_t> renewed;  ///< [n_env] 1: the environment has new rows
  /// If only some environments have new rows, their lists begin here; the other lists have not
  /// changed.
  RowOffsets renewed_lists;
  /// [n_env] 1: set() wrote the initial vector of the power iteration. 0: the iteration continues
  /// with the vector of the last solve, where that ran.
  std::vector<std::uint8_t> new_power_vector;
  /// [n_env] 1: weights of the residual's norm have changed.
  std::vector<std::uint8_t> new_weights;
  /// [n_env] 1: on a device, the environment starts from the last solution, bit for bit, and has no
  /// contact nodes.
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

  /// Takes the problem and the starting point; both must outlive the solve. Allocates where sizes
  /// changed. Where the last solve failed before take(), nothing of it is kept.
  void set(const ContactProblem& problem, const WarmStart& warm);
  /// As if the problem had not been set, of which nothing was solved: the next one is of the same
  /// step.
  void withdraw();
  /// The reports but for times.
  /// @throws RuntimeError where a loop left an environment undecided: its answer is none
  void take_reports(Solution* out);
  /// v and, where the problem has the contacts, lambda of environments [begin, end).
  /// @param answers  of TakeAnswers, for the rows of all environments; null: they lie in arrays()
  void take_answers(int begin, int end, Solution* out, const Real* answers = nullptr);

  /// Whether there is a state of the environment: none before the first solve, or after one that
  /// failed.
  bool has_state(int e) const { return given_.count(e) > 0 || (taken_ && e < n_env()); }
  /// What the next set() goes on from. W and the vector of the power iteration of the last solve as
  /// they lie in arrays().
  LoopState state(int e) const;
  /// For the next set(), in place of what the last solve left; where it is not of the environment
  /// it is forgotten.
  void set_state(int e, LoopState state) { given_[e] = std::move(state); }
  /// Whether set() will make the rows of all environments anew, from their states.
  bool needs_rows(const ContactProblem& problem) const;
  /// Whether contacts of the problem's soft rows can be left to be made where the loop runs. Those
  /// of environments whose state was given are in the problem all the same, where the state is
  /// not of them: they decide on the order of the rows.
  bool device_can_make_contacts(const ContactProblem& problem) const;

  const VfpiOptions& options() const { return options_; }
  LaidOutProblem laid_out() const { return {*problem_, rows_, ranges_, changes_.renewed}; }
  const RowLayout& rows() const { return rows_; }
  const LoopRanges& ranges() const { return ranges_; }
  /// Those that the loop alone writes are empty where it runs on a device.
  Arrays& arrays() { return arrays_; }
  const LoopNeeds& needs() const { return needs_; }
  /// The environments, on the host.
  const std::vector<VfpiEnvironment<Precision>>& environments() const { return env_; }
  /// What the schedule of environments [begin, end) depends on.
  ScheduleKey key(int begin, int end) const;
  /// What set() changed.
  const LoopChanges& changes() const { return changes_; }
  /// Control of environment e at the start of the k-th step after the problem's, if the device
  /// keeps the ends of all steps between and W is renewed at its time only. @param k  >= 1
  ControlStart control_start_after(int e, int k) const;
  /// The problem that was set.
  const ContactProblem& problem() const { return *problem_; }
  /// Whether contacts of soft rows are to be made where the loop runs; then those of the problem
  /// and their arrays are none.
  bool device_makes_contacts() const { return device_makes_contacts_; }
  /// Slots for contacts of rows with several, where they are made there. @param room  per
  /// environment, multiples of kSliceRows; for this problem and later ones
  void make_rare_room(std::vector<std::int32_t> room);
  /// Room for soft-soft pairs, if the device generates the contacts.
  PairRooms pair_rooms() const;
  /// Before the reports of a problem that left its contacts. @param told  [n_env]: of its pairs
  void take_pairs(const PairsTold* told);

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
  void set_ties(int e);
  void pull_virtual_node(int e, std::int32_t side, const Contact<double>& c, Vec3d lambda);
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
  TieSetUp ties_;
  Arrays arrays_;
  LoopNeeds needs_;
  LoopChanges changes_;
  std::vector<VfpiEnvironment<Precision>> env_;
  std::vector<Vec3d> compliance_;   ///< diagonal of every contact's Delassus block [m/(N s)]
  std::vector<int> steps_since_w_;  ///< per environment: solves since W was computed; -1: never
  std::vector<int> steps_since_w_before_;                  ///< the same before set()
  std::vector<std::uint8_t> knows_answer_;                 ///< per environment: its roles are it
  std::vector<double> smallest_mass_;                      ///< per environment, of its rows [kg]
  std::vector<std::int32_t> n_virtual_;                    ///< per environment: of the last solve
  std::map<int, LoopState> given_;                         ///< by environment, for the next set()
  std::vector<std::shared_ptr<const Topology>> topology_;  ///< per environment: of the last solve
  std::vector<std::int32_t> rare_room_;                    ///< per environment
  std::vector<std::int32_t> pair_room_;  ///< per environment: rows for points of pairs made there
  bool device_makes_contacts_ = false;
  bool taken_ = true;  ///< the last solve was
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
