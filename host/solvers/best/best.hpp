/// Runs several solvers on the same problem and returns the solution of least energy error.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

inline constexpr const char* kBestName = "best";

struct BestOptions {
  std::string solvers = "cond,pgs,apgd,prox";  ///< solvers to run, separated by commas
};
void visit_keys(KeyVisitor& v, BestOptions& o);

/// Chooses per environment the solution of least energy error (Enzenhoefer et al., cone form). Each
/// is measured at the velocity that its forces cause, A^-1 (b + Jc^T lambda), so errors of the
/// dynamics and of the contacts count alike. The report is that of the chosen solver; its reason
/// names the solver, and its time includes all solvers.
class BestSolver final : public ContactSolver {
 public:
  explicit BestSolver(const SolverOptions& options);
  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) override;
  /// States of all its solvers; the names of the lists begin with the solver's name and a dot.
  SolverState state(int env) override;
  void set_state(int env, const SolverState& state) override;

 private:
  SolverOptions options_;
  std::vector<std::pair<std::string, std::unique_ptr<ContactSolver>>> solvers_;
};

std::unique_ptr<ContactSolver> make_best_solver(const SolverOptions& options);

}  // namespace nodia
