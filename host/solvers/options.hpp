/// Options that every solver takes.
#pragma once

#include <array>

#include "host/solvers/execution.hpp"
#include "host/solvers/linear/options.hpp"
#include "kernels/contact/contact.hpp"
#include "kernels/core/key.hpp"
#include "kernels/core/solve_status.hpp"

namespace nodia {

/// Which iterate is returned where the solver did not converge: the one of least contact error, the
/// last, or the one of least energy error (Enzenhoefer et al.). Methods with one answer return
/// that.
enum class AnswerRule { least_contact, last, least_energy };
constexpr auto words_of(AnswerRule) {
  return std::array{Word{AnswerRule::least_contact, "least_contact"},
                    Word{AnswerRule::last, "last"}, Word{AnswerRule::least_energy, "least_energy"}};
}

/// A tolerance that was left out, and those that rules then have: an error of the answer of 1e-3 is
/// 0.1 % of motion and forces; a residual of 1e-4 leaves errors of 1e-4 to 1e-2.
inline constexpr double kOwnTolerance = -1, kEnergyTolerance = 1e-3, kResidualTolerance = 1e-4;

struct CommonOptions {
  StopRule stop = StopRule::automatic;  ///< which rule ends the iteration; named in every result
  /// residual, energy: relative [-], paper: |v_new - v_old| [m/s]; kOwnTolerance: the rule's own,
  /// which make_solver() puts in its place.
  double tolerance = kOwnTolerance;
  int max_iterations = 2000;
  int check_every = 8;  ///< iterations between tests of the residual rule
  Projection projection = Projection::strict;
  double invertible_omega_m_Ns = 0;  ///< omega of (37): the contact law holds for u + omega lambda,
                                     ///< so that velocities give the forces [m/(N s)]; 0: off
  ExecutionOptions execution;        ///< threads, number type and processor
  AnswerRule answer = AnswerRule::least_contact;  ///< which iterate is returned unconverged
  FactorOptions factor;                           ///< of those that factorise A
  bool full_errors = false;  ///< exact Delassus diagonal in the error measures (`--errors full`)
};

/// The law that is solved for, and when it is solved.
void visit_iteration_keys(KeyVisitor& v, CommonOptions& o);
/// By which means, and what is told of it.
void visit_effort_keys(KeyVisitor& v, CommonOptions& o);

}  // namespace nodia
