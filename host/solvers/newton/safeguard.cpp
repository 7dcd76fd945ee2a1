#include "host/solvers/newton/safeguard.hpp"

#include <algorithm>

#include "host/solvers/delassus/pgs.hpp"

namespace nodia {
namespace {

/// Factor on the tolerance, because the sweeps have another stopping rule.
constexpr double kTighter = 1e-3;
constexpr int kMostContacts = 1000;
/// Limit of sweeps times entries of the operator per call.
constexpr double kMostProducts = 2e8;

}  // namespace

bool Safeguard::sweep(int n_sweep, std::vector<Vec3d>* y, std::vector<Vec3d>* lambda) {
  const int n = system_.n_contact();
  if (n > kMostContacts) return false;
  if (!delassus_)
    delassus_ = std::make_unique<DelassusOperator>(system_.problem, options_.factor,
                                                   options_.invertible_omega_m_Ns);
  CommonOptions options = options_;
  options.stop = StopRule::residual;
  options.tolerance *= kTighter;
  options.answer = AnswerRule::last;
  options.max_iterations = std::min(n_sweep, static_cast<int>(kMostProducts / (9.0 * n * n)));
  Solution found;
  PgsSolver(options).solve_with(*delassus_, system_.problem, {{}, *lambda}, &found);
  multiply_adds_ += 9.0 * n * n * found.env[0].iterations;
  *y = found.v;
  system_.relative.to_relative(y);
  *lambda = found.lambda;
  return true;
}

}  // namespace nodia
