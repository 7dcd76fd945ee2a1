#include "host/solvers/cond.hpp"

#include "host/errors/errors.hpp"
#include "host/solvers/report.hpp"
#include "host/solvers/threads.hpp"
#include "host/solvers/vfpi_loop.hpp"

namespace nodia {
namespace {

template <class Real>
class CondSolver : public ContactSolver {
 public:
  explicit CondSolver(const SolverOptions& options) : options_(options), loop_(options) {}

  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) override {
    loop_.setup(problem, warm);
    const int n_env = problem.n_env();
    if (n_env == 1) {
      loop_.solve(0, thread_count(options_.threads, problem.n_node()));
    } else {
      // Environments are independent: one thread each.
      const int n_thread = options_.threads > 0 ? options_.threads : omp_get_max_threads();
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_thread)
      for (int e = 0; e < n_env; ++e) loop_.solve(e, 1);
    }
    loop_.take(out);
    judge(problem, options_, out);
  }

 private:
  SolverOptions options_;
  VfpiLoop<Real> loop_;
};

}  // namespace

std::unique_ptr<ContactSolver> make_cond_solver(const SolverOptions& options) {
  if (options.precision == Precision::float_) return std::make_unique<CondSolver<float>>(options);
  return std::make_unique<CondSolver<double>>(options);
}

}  // namespace nodia
