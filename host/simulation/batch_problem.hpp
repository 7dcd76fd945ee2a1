/// The environments of a batch, one or several, as one ContactProblem.
#pragma once

#include <functional>
#include <vector>

#include "host/simulation/environment.hpp"
#include "host/solvers/device_batch_solver.hpp"

namespace nodia {

/// The stages of a step, for all environments in parallel. run_step() has their order.
class BatchProblem {
 public:
  /// @param envs     of equal time.step_s and time.theta; kept by pointer
  /// @param threads  of the batch; 0: as many as the machine has
  BatchProblem(std::vector<Environment*> envs, int threads);

  /// Replaces an environment by another.
  void replace(int env, Environment* other);
  /// True if a solver that generates contacts can then keep its data of the other environments.
  /// The environment to be replaced must still exist.
  bool has_place_for(int env, Environment* other) const;

  /// Sets kinematics, external forces and loads of attachments at the start of the step.
  void start();
  /// Computes A, b and the parts of ContactProblem that depend on the state.
  void assemble();
  /// Computes the free motion.
  void predict();
  /// Finds the candidate pairs.
  void detect();
  /// Makes and merges the contacts, and sets the initial guess of their forces.
  void make_contacts();
  /// Assembles environments again whose A and b expect another solution than this one. The solution
  /// becomes their initial guess.
  /// @param share    EnvironmentStep::expect()
  /// @param changed  out: [n_env] 1: the environment has to be solved again
  /// @return true if any has to be
  bool assemble_again(const Solution& solution, double share, std::vector<char>* changed);
  /// Makes the contacts again if a point tunnels in this solution without being in a pair. Requires
  /// a batch of one environment.
  /// @return true if problem() has changed and has to be solved again
  bool make_contacts_again(const Solution& solution);
  const ContactProblem& problem() const { return problem_; }
  const WarmStart& initial_guess() const { return initial_guess_; }
  /// Advances the environments that have not failed to the end of the step, and measures the step.
  /// @param problem  problem() or one that differs from it in the values of the contacts
  /// @param records  out: [n_env], written for environments that take part
  /// @param stepped  out: [n_env], 1 if the environment took part
  void finish(const ContactProblem& problem, const Solution& solution, StepRecord* records,
              char* stepped);

  /// True if a solver can generate the contacts of all environments: their number times the largest
  /// numbers of nodes and of obstacles of an environment is 2^31 - 1 at most.
  bool can_solver_make_contacts() const;
  /// True if soft surfaces of an environment may collide; requires can_solver_make_contacts().
  bool has_soft_searches() const;
  /// True if the built step has contacts between soft surfaces.
  bool has_soft_pairs() const;
  /// Replaces the stages up to make_contacts() if a device generates A, b and contacts of soft rows
  /// from ContactProblem::soft; requires can_solver_make_contacts().
  /// @param restarts  [n_env] 1: the problem also has the environment's contacts, which order its
  /// rows
  void prepare(const std::vector<char>& restarts);
  /// Finishes a prepared step. Its end stays on the device if possible.
  /// @param download  download(needed) completes the solution (DeviceBatchSolver::end_download) for
  ///                  environments e with needed[e] != 0; called if the host must finish steps
  /// @param downloader    object from which environments download the end of the step later
  void finish_on_device(const DeviceSolution& solution,
                        const std::function<void(const std::vector<char>&)>& download,
                        StateDownloader* downloader, StepRecord* records, char* stepped);
  /// True if the end of an environment's last step is on the device.
  bool is_on_device(int env) const { return envs_[env]->device_end().is_on_device(); }
  /// Moves device-resident ends of steps of a range from the solution to the environments.
  /// @param solution  complete for the range
  void download_ends(EnvironmentRange range, const DeviceSolution& solution);
  /// Rolls the environments of a range back from a prepared step that the solver has rejected. The
  /// step must be built then. @param solution  complete for the range
  void roll_back(EnvironmentRange range, const DeviceSolution& solution);

 private:
  int n_env() const { return static_cast<int>(envs_.size()); }
  void merge();
  void merge_points();
  double* blocks_of(int env);
  Vec3d* rows_of(int env);
  int threads_of(int env) const;
  void assemble(int env);
  void put_state(int env);
  void put_contacts();
  template <class Stage>
  void run(const Stage& stage);
  void set_times(int env, const SolveReport& report, StepRecord* record) const;
  DownloadedStep downloaded(int env, const DeviceSolution& solution) const;

  std::vector<Environment*> envs_;
  int threads_;
  std::vector<int> first_row_;            ///< [n_env + 1]
  std::vector<int> first_block_;          ///< [n_env + 1]
  std::vector<std::int32_t> first_part_;  ///< [n_env + 1] first row of points in this step
  ContactProblem problem_;
  WarmStart initial_guess_;
  std::vector<double> dynamics_ms_;  ///< [n_env] time of the stages before the solver
};

}  // namespace nodia
