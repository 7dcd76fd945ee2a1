/// Environments of a simulation, one or several, as one ContactProblem.
#pragma once

#include <functional>
#include <vector>

#include "host/collision/device_soft_pairs.hpp"
#include "host/simulation/environment.hpp"

namespace nodia {

/// What concerns one environment alone is done for all of them side by side.
class BatchProblem {
 public:
  /// @param envs     of equal time.step_s and time.theta; kept by pointer
  /// @param threads  of the batch; 0: as many as the machine has
  BatchProblem(std::vector<Environment*> envs, int threads);

  /// Another environment comes into the place of one.
  void replace(int env, Environment* other);
  /// Whether a solver that makes contacts may keep what it has of the other environments then.
  /// The one whose place it is must still exist.
  bool has_place_for(int env, Environment* other) const;

  /// The problem and the starting point of the coming step.
  /// @param soft_pairs  finds vertices of soft surfaces near soft surfaces; null: environments do
  void build(DeviceSoftPairs* soft_pairs = nullptr);
  /// Whether a solver can make the contacts of all environments: their number times the most nodes
  /// and the most obstacles that one has is 2^31 - 1 at most.
  bool can_leave_contacts() const;
  /// Whether soft surfaces of some environment can be near each other; can_leave_contacts().
  bool has_soft_searches() const;
  /// Whether some are in the built step.
  bool has_near_surfaces() const;
  /// As build(), but A, b and contacts of soft rows are the solver's to make, by
  /// ContactProblem::soft, and the end of the step its to keep; can_leave_contacts().
  /// @param begins_anew  per environment, 1: the problem has its contacts all the same, which the
  ///                     solver may order its rows by
  void prepare(const std::vector<char>& begins_anew);
  const ContactProblem& problem() const { return problem_; }
  const WarmStart& warm() const { return warm_; }
  /// Takes the environments that have not failed to the end of the step, with an answer to the
  /// problem or to one that differs from it in its contacts' values.
  /// @param records  out, [n_env], of those that take part
  /// @param stepped  out, [n_env]: whether it took part
  void finish(const ContactProblem& problem, const Solution& solution, StepRecord* records,
              char* stepped);
  /// The same for a prepared step, whose end stays with the solver where that can be.
  /// @param holder   what environments ask for it
  /// @param bring    bring(needed) makes the solution whole (ContactSolver::end_bringing) for
  ///                 environments e with needed[e] != 0, where that has to be
  void leave(const Solution& solution, const std::function<void(const std::vector<char>&)>& bring,
             Environment::Holder* holder, StepRecord* records, char* stepped);
  /// Whether an environment's end of its last step is the solver's.
  bool has_left(int env) const { return envs_[env]->is_left(); }
  /// Gives it to those of a range that left it. @param solution  whole for them
  void take_ends(EnvironmentRange range, const Solution& solution);
  /// The same of a prepared step that the solver refused, which is to be built then.
  void take_back(EnvironmentRange range, const Solution& solution);

 private:
  int n_env() const { return static_cast<int>(envs_.size()); }
  void merge();
  void merge_points();
  double* blocks_of(int env);
  int threads_of(int env) const;
  void put_state(int env);
  void find_contacts(DeviceSoftPairs* soft_pairs);
  void put_contacts();
  void set_times(int env, const SolveReport& report, StepRecord* record) const;
  Environment::Found found(int env, const Solution& solution) const;

  std::vector<Environment*> envs_;
  int threads_;
  std::vector<int> first_row_;            ///< [n_env + 1]
  std::vector<int> first_block_;          ///< [n_env + 1]
  std::vector<std::int32_t> first_part_;  ///< [n_env + 1] of the points' parts, in this step
  ContactProblem problem_;
  WarmStart warm_;
  std::vector<double> dynamics_ms_;           ///< [n_env] of the build
  std::vector<std::vector<VertexHit>> hits_;  ///< [n_env], where others than environments find them
};

}  // namespace nodia
