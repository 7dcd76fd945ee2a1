#include "tools/studies/iteration_cost.hpp"

#include <algorithm>
#include <cstdint>

namespace nodia::studies {
namespace {

constexpr int kBlockFlops = 9 * 2;
/// Gradient and v*: A y - b, times W, from y.
constexpr int kGradientFlops = 3 * 3;
/// nu (u (v** - y) + y - v_prev) + v_prev, and |v_next - y|^2.
constexpr int kChebyshevFlops = 3 * 6 + 3 * 3;
/// 1/w; the trial force -(R v* + phi)/w; the disc: |t|^2, root, comparison's product, quotient, two
/// products; v* + w R^T lambda.
constexpr int kContactFlops = 1 + (15 + 3 + 3) + (3 + 1 + 1 + 1 + 2) + (15 + 3 + 3);

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
  const double matrix = bytes_of_value(precision == Precision::double_);
  const double vector = bytes_of_value(precision != Precision::float_);
  const double contact =
      precision == Precision::float_ ? sizeof(Contact<float>) : sizeof(Contact<double>);
  return {
      n_block * (9 * matrix + sizeof(std::int32_t)) +
          n * (5 * 3 * vector + vector + 2 * sizeof(std::int32_t)) +
          n_contact * (contact + 3 * vector),
      n_block * kBlockFlops + n * (kGradientFlops + kChebyshevFlops) + n_contact * kContactFlops};
}

TimedSolve timed_solve(const SolverOptions& base, const ContactProblem& problem,
                       const WarmStart& warm, int iterations) {
  SolverOptions options = base;
  options.stop = StopRule::paper;
  options.tolerance = 1e-300;
  options.max_iterations = iterations;
  Solution solution;
  make_solver(options)->solve(problem, warm, &solution);
  return {solution.env.front().time_s, solution.env.front().iterations};
}

SolveLengths solve_lengths(int n_node) {
  SolveLengths lengths;
  lengths.more = lengths.few + static_cast<int>(std::clamp(2e8 / (1e3 * n_node), 24.0, 400.0));
  return lengths;
}

}  // namespace nodia::studies
