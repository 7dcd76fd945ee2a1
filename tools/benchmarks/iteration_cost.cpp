#include "tools/benchmarks/iteration_cost.hpp"
#include "host/solvers/catalogue.hpp"

#include <algorithm>
#include <cstdint>

namespace nodia::studies {
namespace {

constexpr int kBlockFlops = 9 * 2;
/// x_j - x_i of a block outside the diagonal, where the matrix is in difference form.
constexpr int kDifferenceFlops = 3;
/// Gradient and v*: A y - b, times W, from y.
constexpr int kGradientFlops = 3 * 3;
/// nu (u (v** - y) + y - v_prev) + v_prev, and |v_next - y|^2.
constexpr int kChebyshevFlops = 3 * 6 + 3 * 3;
/// v_next - reference.
constexpr int kIncrementFlops = 3;
/// 1/w; the trial force -(R v* + phi)/w; the disc: |t|^2, root, mu lambda_n, quotient, two
/// products; v* + w R^T lambda.
constexpr int kContactFlops = 1 + (15 + 3 + 3) + (3 + 1 + 1 + 1 + 2) + (15 + 3 + 3);
/// R, phi, mu1, mu2 are read, lambda is written.
constexpr int kContactValues = 9 + 3 + 2 + 3;

double bytes_of_value(bool is_double) {
  return is_double ? sizeof(double) : sizeof(float);
}

}  // namespace

IterationCost scalar_product_cost(const ContactProblem& p) {
  const double n_row = 3.0 * p.n_node(), n_entry = 9.0 * p.A.pattern->n_block();
  return {n_entry * (sizeof(double) + sizeof(std::int32_t)) +
              n_row * (2 * sizeof(double) + sizeof(std::int32_t)),
          2 * n_entry};
}

IterationCost block_product_cost(const ContactProblem& p, Precision precision) {
  const double n = p.n_node(), n_block = p.A.pattern->n_block();
  const double value = bytes_of_value(precision == Precision::double_);
  return {n_block * (9 * value + sizeof(std::int32_t)) + n * (2 * 3 * value + sizeof(std::int32_t)),
          n_block * kBlockFlops};
}

IterationCost iteration_cost(const ContactProblem& p, Precision precision) {
  const double n = p.n_node(), n_block = p.A.pattern->n_block(), n_contact = p.n_contact();
  const bool mixed = precision == Precision::mixed;
  const double matrix = bytes_of_value(precision == Precision::double_);
  const double real = bytes_of_value(precision != Precision::float_);
  const double vectors = mixed ? 6 * 3 * real + 2 * 3 * matrix : 5 * 3 * real;
  IterationCost cost;
  cost.bytes = n_block * (9 * matrix + sizeof(std::int32_t)) +
               n * (vectors + real + sizeof(std::int32_t)) + n_contact * kContactValues * real;
  cost.flops =
      n_block * kBlockFlops + n * (kGradientFlops + kChebyshevFlops) + n_contact * kContactFlops;
  if (precision != Precision::double_) cost.flops += (n_block - n) * kDifferenceFlops;
  if (mixed) cost.flops += n * kIncrementFlops;
  return cost;
}

IterationTimer::IterationTimer(const SolverOptions& base, int n_node) {
  const auto fixed = [&base](int iterations) {
    SolverOptions options = base;
    options.tolerance = 1e-300;
    options.max_iterations = iterations;
    return make_solver(options);
  };
  const int few = 8;
  if (base.execution.backend == Backend::cpu) few_ = fixed(few);
  more_ = fixed(few + static_cast<int>(std::clamp(2e8 / (1e3 * n_node), 24.0, 400.0)));
}

IterationTimer::Sample IterationTimer::sample(const ContactProblem& problem,
                                              const WarmStart& warm) {
  Solution few, more;
  more_->solve(problem, warm, &more);
  if (!few_) return {0, more.env.front().loop_s, more.env.front().iterations};
  few_->solve(problem, warm, &few);
  return {few.env.front().time_s, more.env.front().time_s,
          more.env.front().iterations - few.env.front().iterations};
}

double least_s_per_iteration(const SolverOptions& options, const ContactProblem& problem,
                             const WarmStart& warm, int samples) {
  IterationTimer timer(options, problem.n_node());
  IterationTimer::Sample least = timer.sample(problem, warm);
  for (int k = 1; k < samples; ++k) {
    const IterationTimer::Sample sample = timer.sample(problem, warm);
    least.few_s = std::min(least.few_s, sample.few_s);
    least.more_s = std::min(least.more_s, sample.more_s);
  }
  return least.s_per_iteration();
}

}  // namespace nodia::studies
