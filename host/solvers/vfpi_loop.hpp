/// The V-FPI loop of one problem in one precision: setup, then each environment to its own stop.
#pragma once

#include <vector>

#include "host/solvers/contact_slots.hpp"
#include "host/solvers/contact_solver.hpp"
#include "host/solvers/step_size.hpp"
#include "kernels/contact/vfpi.hpp"

namespace nodia {

template <class Real>
class VfpiLoop {
 public:
  explicit VfpiLoop(const SolverOptions& options) : options_(options) {}

  /// Takes the problem and the starting point; allocates where sizes changed. The problem must
  /// outlive the solves.
  void setup(const ContactProblem& problem, const WarmStart& warm);
  /// Iterates environment `env`; environments may run in different threads at the same time.
  /// @param n_thread  threads of each pass
  void solve(int env, int n_thread);
  /// v and lambda of every environment, and the reports.
  void take(Solution* out) const;

 private:
  struct Iteration;
  struct Residual;

  void prepare_step_size(int env, int n_thread);
  /// @return v** of the environment's rows, indexed by node
  const Vec3<Real>* iterate(int env, int n_thread);
  VfpiView<Real> view() const;
  Residual measure(int env, const Vec3<Real>* v, int n_thread);
  double contact_error(int env, const Vec3<Real>* v) const;
  double iterate_contact_error(int env, const Vec3<Real>* v) const;
  bool forces_unbounded(int env) const;

  SolverOptions options_;
  const ContactProblem* problem_ = nullptr;
  ContactSlots slots_;

  // Indexed by node.
  std::vector<Real>
      value_;  ///< A in Real; empty in double, where the problem's own values are used
  std::vector<Vec3<Real>> b_, y_, v_prev_, v_next_, projected_, gradient_, gradient_prev_;
  std::vector<Real> w_;  ///< guarded W
  std::vector<double> w_unguarded_, inverse_mass_;
  std::vector<Vec3d> power_, power_workspace_;
  std::vector<Vec3<Real>> best_v_;
  // Indexed by slot.
  std::vector<Contact<Real>> contact_;
  std::vector<Vec3<Real>> lambda_, best_lambda_;
  // Indexed by environment.
  std::vector<SolveReport> report_;
  std::vector<double> lambda_max_;
  std::vector<int> steps_since_w_;  ///< solves since W was computed; -1: never
  std::vector<std::vector<double>> partial_;
  std::vector<int> env_first_node_;  ///< layout that w_ and power_ belong to
};

}  // namespace nodia
