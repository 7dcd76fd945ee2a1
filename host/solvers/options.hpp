/// Options of every solver.
#pragma once

#include <array>

#include "host/solvers/execution.hpp"
#include "host/solvers/linear/options.hpp"
#include "kernels/contact/contact.hpp"
#include "kernels/core/key.hpp"
#include "kernels/core/solve_status.hpp"

namespace nodia {

/// Iterate that is returned without convergence: smallest contact error, last, or smallest energy
/// error (Enzenhoefer et al.). Direct methods return their only solution.
enum class AnswerRule { least_contact, last, least_energy };
constexpr auto words_of(AnswerRule) {
  return std::array{Word{AnswerRule::least_contact, "least_contact"},
                    Word{AnswerRule::last, "last"}, Word{AnswerRule::least_energy, "least_energy"}};
}

/// Marks a missing tolerance, and the defaults of the rules. A relative error of 1e-3 is 0.1 % of
/// motion and forces; a residual of 1e-4 leads to errors of 1e-4 to 1e-2.
inline constexpr double kOwnTolerance = -1, kEnergyTolerance = 1e-3, kResidualTolerance = 1e-4;

struct CommonOptions {
  StopRule stop = StopRule::automatic;  ///< rule that ends the iteration; named in every result
  /// residual, energy: relative [-]; paper: |v_new - v_old| [m/s]. kOwnTolerance: rule's default.
  double tolerance = kOwnTolerance;
  int max_iterations = 2000;
  int check_every = 8;  ///< iterations between tests of the residual rule
  Projection projection = Projection::strict;
  double invertible_omega_m_Ns =
      0;  ///< omega of (37): the contact law holds for u + omega lambda [m/(N s)]; 0: off
  ExecutionOptions execution;                     ///< threads, number type and processor
  AnswerRule answer = AnswerRule::least_contact;  ///< iterate returned without convergence
  FactorOptions factor;                           ///< for solvers that factorise A
  bool full_errors = false;  ///< exact Delassus diagonal in the error measures (`--errors full`)
};

/// Visits the keys of the contact law and the stopping rule.
void visit_iteration_keys(KeyVisitor& v, CommonOptions& o);
/// Visits the keys of execution and error reports.
void visit_effort_keys(KeyVisitor& v, CommonOptions& o);

}  // namespace nodia
