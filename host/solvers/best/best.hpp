/// Several solvers on the same problem; the answer of least energy error is taken.
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
  std::string solvers = "cond,pgs,apgd,prox";  ///< that are tried, with commas
};
void visit_keys(KeyVisitor& v, BestOptions& o);

/// Every environment by itself takes the answer whose energy error (Enzenhoefer et al., cone form)
/// is the least, each answer being measured at the velocity that its forces cause, A^-1 (b + Jc^T
/// lambda): an error in the dynamics then counts as one in the contacts does. The report is that of
/// the solver taken; its reason names it, and its time is that of all of them.
class BestSolver final : public ContactSolver {
 public:
  explicit BestSolver(const SolverOptions& options);
  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) override;
  /// The states of all its solvers; the names of the lists begin with the solver's name and a dot.
  SolverState state(int env) override;
  void set_state(int env, const SolverState& state) override;

 private:
  SolverOptions options_;
  std::vector<std::pair<std::string, std::unique_ptr<ContactSolver>>> solvers_;
};

std::unique_ptr<ContactSolver> make_best_solver(const SolverOptions& options);

}  // namespace nodia
