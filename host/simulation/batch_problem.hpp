/// The environments of a simulation as one ContactProblem.
#pragma once

#include <memory>
#include <vector>

#include "host/simulation/environment.hpp"

namespace nodia {

using Environments = std::vector<std::unique_ptr<Environment>>;

/// What concerns one environment alone is done for all of them side by side.
class BatchProblem {
 public:
  /// @param threads  of the batch; 0: as many as the machine has
  /// @throws InputError where environments differ in time.step_s or time.theta
  BatchProblem(Environments* envs, int threads);

  /// @throws InputError unless the scene has the environments' time.step_s and time.theta
  void require_fits(const Scene& scene) const;
  /// An environment whose scene fits was put into another's place.
  void replace(int env);

  /// The problem and the starting point of the coming step.
  void build();
  const ContactProblem& problem() const { return problem_; }
  const WarmStart& warm() const { return warm_; }
  /// Takes the environments that have not failed to the end of the step, with an answer to the
  /// problem or to one that differs from it in its contacts' values.
  /// @param stepped  out, per environment: whether it took part
  void finish(const ContactProblem& problem, const Solution& solution,
              std::vector<StepRecord>* records, std::vector<char>* stepped);

 private:
  int n_env() const { return static_cast<int>(envs_.size()); }
  void merge();
  void merge_points();

  Environments& envs_;
  int threads_;
  std::vector<int> first_row_;    ///< [n_env + 1]
  std::vector<int> first_block_;  ///< [n_env + 1]
  ContactProblem problem_;
  WarmStart warm_;
  std::vector<double> dynamics_ms_;  ///< [n_env] of the build
};

}  // namespace nodia
