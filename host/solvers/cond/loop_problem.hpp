/// A ContactProblem as the arrays of the V-FPI loop, on the host.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "host/solvers/cond/contact_layout.hpp"
#include "host/solvers/cond/nodalization.hpp"
#include "host/solvers/cond/options.hpp"
#include "host/solvers/cond/w/set_up.hpp"
#include "host/solvers/cond/w/ties.hpp"
#include "host/solvers/interface.hpp"
#include "host/solvers/options.hpp"
#include "kernels/vfpi/control_ends.hpp"
#include "kernels/vfpi/schedule.hpp"

namespace nodia {

VfpiOptions vfpi_options(const CommonOptions& common, const CondOptions& own);

/// What an environment carries from one solve to the next.
struct LoopMemory {
  RowMarks marks;
  std::int32_t n_virtual = 0;  ///< of the last solve
  int w_age = -1;              ///< solves since W was computed; -1: it is not known
  double lambda_max = 0;       ///< estimate for W A
  double body_scale = 0;       ///< of the parts of W on bodies, as VfpiControl has it
  // In the order of the rows.
  std::vector<double> power;  ///< the vector of the power iteration, kNodeStride numbers a row
  std::vector<double> w, w_unguarded;
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
  void take_back();
  /// The reports but for times.
  /// @throws RuntimeError where a loop left an environment undecided: its answer is none
  void take_reports(Solution* out);
  /// v and, where the problem has the contacts, lambda of environments [begin, end).
  /// @param answers  of TakeAnswers, for the rows of all environments; null: they lie in arrays()
  void take_answers(int begin, int end, Solution* out, const Real* answers = nullptr);
  /// Both.
  void take(Solution* out, const Real* answers = nullptr) {
    take_reports(out);
    take_answers(0, n_env(), out, answers);
  }

  /// Whether there is a memory of the environment: none before the first solve, or after one that
  /// failed.
  bool remembers(int e) const { return given_.count(e) > 0 || (taken_ && e < n_env()); }
  /// What the next set() goes on from. W and the vector of the power iteration of the last solve as
  /// they lie in arrays().
  LoopMemory memory(int e) const;
  /// For the next set(), in place of what the last solve left; where it is not of the environment
  /// it is forgotten.
  void set_memory(int e, LoopMemory memory) { given_[e] = std::move(memory); }
  /// Whether set() will make the rows of all environments anew, from their memories.
  bool needs_rows(const ContactProblem& problem) const;
  /// Whether contacts of the problem's soft rows can be left to be made where the loop runs. Those
  /// of environments whose memory was given are in the problem all the same, where the memory is
  /// not of them: they decide on the order of the rows.
  bool can_leave_contacts(const ContactProblem& problem) const;

  const VfpiOptions& options() const { return options_; }
  const RowLayout& rows() const { return rows_; }
  const LoopRanges& ranges() const { return ranges_; }
  /// Those that the loop alone writes are empty where it runs on a device.
  Arrays& arrays() { return arrays_; }
  const LoopNeeds& needs() const { return needs_; }
  /// First row of every environment among the rows of A.
  const std::vector<std::int32_t>& first_row_of_A() const { return problem_->env_node_begin; }
  /// The environments, on the host.
  const std::vector<VfpiEnvironment<Precision>>& environments() const { return env_; }
  /// What the schedule of environments [begin, end) depends on.
  ScheduleKey key(int begin, int end) const;
  /// Whether set() made all arrays anew, as for a new pattern.
  bool new_rows() const { return new_rows_; }
  /// Per environment, 1: set() made its rows anew. Where that is not all of them, the lists that
  /// it wrote begin in arrays() at renewed_lists(); the rest of the lists is as it was.
  const std::vector<std::uint8_t>& renewed() const { return renewed_; }
  const RowOffsets& renewed_lists() const { return renewed_lists_; }
  /// Whether set() wrote the vector that environment e's power iteration starts from, into
  /// arrays(); otherwise it goes on from what the last solve left where it ran.
  bool new_power_vector(int e) const { return new_power_vector_[e] != 0; }
  /// Whether, on a device, environment e starts from the last answer, bit for bit, and has no
  /// virtual nodes.
  bool starts_from_answer(int e) const { return starts_from_answer_[e] != 0; }
  /// What environment e's control starts with, which set() wrote into arrays().
  const ControlStart& control_start(int e) const { return control_start_[e]; }
  /// The same of the k-th step after the problem's, where all environments are left till then and
  /// no W is made anew before its time. @param k  >= 1
  ControlStart control_start_after(int e, int k) const;
  /// Whether set() changed weights of environment e in the residual's norm, or made its rows anew.
  bool new_weights(int e) const { return new_weights_[e] != 0; }
  /// The problem that was set.
  const ContactProblem& problem() const { return *problem_; }
  /// Whether it says what its A and b are made of.
  bool has_sources() const { return !problem_->soft.empty(); }
  /// Whether contacts of soft rows are to be made where the loop runs; then those of the problem
  /// and their arrays are none.
  bool leaves_contacts() const { return leaves_contacts_; }
  /// Slots for contacts of rows with several, where they are made there. @param room  per
  /// environment, multiples of kSliceRows; for this problem and later ones
  void make_rare_room(std::vector<std::int32_t> room);
  /// Per environment, what there is room for of pairs of its soft surfaces, where contacts are made
  /// there.
  std::vector<PairRoom> pair_rooms() const;
  /// Whether environment e's W was that of a solve before when the problem was set.
  bool knows_w(int e) const { return steps_since_w_before_[e] >= 0; }
  /// Virtual nodes of environment e in its last solve; where pairs are made there, of the one
  /// before the problem until take_pairs().
  std::int32_t last_virtual(int e) const { return n_virtual_[e]; }
  /// Before the reports of a problem that left its contacts. @param told  [n_env]: of its pairs
  void take_pairs(const PairsTold* told);

 private:
  bool iterates_in_phases(const LoopRange& range) const;
  int n_env() const { return static_cast<int>(steps_since_w_.size()); }
  void make_pair_room();
  void build_rows(const std::vector<LoopMemory>& memories);
  void renew_rows(const std::map<int, LoopMemory>& memories);
  bool is_of(const LoopMemory& memory, const ContactProblem& problem, int e) const;
  std::vector<LoopMemory> memories_for(const ContactProblem& problem) const;
  void recall(int e, const LoopMemory& memory);
  void recall_alone(int e, const LoopMemory& memory);
  void size_arrays();
  void set_rows(int e);
  void set_new_rows(int e);
  void start_power(int e);
  void set_roles(int e, std::int32_t local, Vec3<Real> v);
  void set_ties(int e);
  void pull_virtual_node(int e, std::int32_t side, const Contact<double>& c, Vec3d lambda);
  void set_contacts(int e);
  double load_of(int e) const;
  void leave_contacts(int e);
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
  std::vector<VfpiEnvironment<Precision>> env_;
  std::vector<Vec3d> compliance_;   ///< diagonal of every contact's Delassus block [m/(N s)]
  std::vector<int> steps_since_w_;  ///< per environment: solves since W was computed; -1: never
  std::vector<int> steps_since_w_before_;    ///< the same before the problem was set
  std::vector<ControlStart> control_start_;  ///< per environment
  std::vector<std::uint8_t> renewed_;        ///< per environment
  RowOffsets renewed_lists_;
  std::vector<std::uint8_t> new_power_vector_;             ///< per environment
  std::vector<std::uint8_t> new_weights_;                  ///< per environment
  std::vector<std::uint8_t> starts_from_answer_;           ///< per environment
  std::vector<std::uint8_t> knows_answer_;                 ///< per environment: its roles are it
  std::vector<double> smallest_mass_;                      ///< per environment, of its rows [kg]
  std::vector<std::int32_t> n_virtual_;                    ///< per environment: of the last solve
  std::map<int, LoopMemory> given_;                        ///< by environment, for the next set()
  std::vector<std::shared_ptr<const Topology>> topology_;  ///< per environment: of the last solve
  std::vector<std::int32_t> rare_room_;                    ///< per environment
  std::vector<std::int32_t> pair_room_;  ///< per environment: rows for points of pairs made there
  bool leaves_contacts_ = false;
  bool new_rows_ = false;
  bool taken_ = true;  ///< the last solve was
};

}  // namespace nodia
