/// What an iteration costs, counted and measured.
#pragma once

#include <memory>

#include "host/solvers/execution.hpp"
#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia::studies {

/// Counted once per use: what a cache could keep between two uses is not counted twice, and padding
/// is not counted, so the bytes are the fewest that any format of full 3x3 blocks moves.
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

/// Times iterations as the difference of a short and a long solve of the same problem, so that
/// setup cancels; on the device, whose events time the loop alone, as the loop of the long solve.
/// Solvers are kept, so that they set up the pattern once.
class IterationTimer {
 public:
  /// @param options  the stop rule is theirs, the tolerance is none: it runs to a fixed number, or
  ///                 until nothing changes any more
  IterationTimer(const SolverOptions& options, int n_node);

  struct Sample {
    double few_s = 0, more_s = 0;  ///< of the whole solves; on the device 0 and the loop's
    int iterations = 0;  ///< that the long solve has more; 0 where it ended early, because
                         ///< the velocity no longer changed at all
    double s_per_iteration() const { return (more_s - few_s) / iterations; }
  };
  Sample sample(const ContactProblem& problem, const WarmStart& warm);

 private:
  std::unique_ptr<ContactSolver> few_;  ///< null on the device
  std::unique_ptr<ContactSolver> more_;
};

/// Least time of an iteration over several samples of the same problem [s].
double least_s_per_iteration(const SolverOptions& options, const ContactProblem& problem,
                             const WarmStart& warm, int samples);

}  // namespace nodia::studies
