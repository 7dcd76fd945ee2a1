/// Cost of an iteration, counted and measured.
#pragma once

#include <memory>

#include "host/solvers/execution.hpp"
#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia::studies {

/// Bytes and operations of an iteration. Each value counts once, as if a cache kept it between two
/// uses. Padding does not count: these are the fewest bytes that a format of full 3x3 blocks moves.
struct IterationCost {
  double bytes = 0;
  double flops = 0;  ///< additions, multiplications, divisions and roots; a fused one counts two
};

/// y = A x in the scalar row-major format, double.
IterationCost scalar_product_cost(const ContactProblem& problem);

/// y = A x in 3x3 blocks of one number type.
IterationCost block_product_cost(const ContactProblem& problem, Precision precision);

/// A whole fused iteration: matrix and pattern; y, v_prev, b and W; contacts; its results v_next,
/// v** and lambda. In mixed precision the float increment and the reference with its gradient take
/// the place of b (MixedPrecision of kernels/vfpi/options.hpp).
IterationCost iteration_cost(const ContactProblem& problem, Precision precision);

/// Times iterations. On the CPU, the time is the difference of a short and a long solve of the same
/// problem, so that set-up cancels. On the GPU, it is the loop of the long solve, which events time
/// alone. The solvers are kept, so that they set up the pattern once.
class IterationTimer {
 public:
  /// @param options  their stop rule is tested, but the solve runs to a fixed number of iterations,
  ///                 or until the velocity no longer changes
  IterationTimer(const SolverOptions& options, int n_node);

  struct Sample {
    double few_s = 0, more_s = 0;  ///< the whole solves; on the GPU 0 and the loop [s]
    int iterations = 0;  ///< difference of the two solves; 0 if the long one ended early, because
                         ///< the velocity no longer changed
    double s_per_iteration() const { return (more_s - few_s) / iterations; }
  };
  Sample sample(const ContactProblem& problem, const WarmStart& warm);

 private:
  std::unique_ptr<ContactSolver> few_;  ///< null on the GPU
  std::unique_ptr<ContactSolver> more_;
};

/// Least time of an iteration over several samples of the same problem [s].
double least_s_per_iteration(const SolverOptions& options, const ContactProblem& problem,
                             const WarmStart& warm, int samples);

}  // namespace nodia::studies
