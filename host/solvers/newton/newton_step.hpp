/// The outer step: the contact law to first order, the step's matrix, the line search.
#pragma once

#include <optional>

#include "host/solvers/newton/direct_solve.hpp"
#include "host/solvers/newton/smoothing.hpp"
#include "kernels/contact/tangent.hpp"

namespace nodia {

class NewtonStep {
 public:
  /// @param smoothing  gives the contacts' compliances
  /// @param solve      keeps the factor; may hold the analysis of an earlier one
  /// @param K          room for the step's matrix
  NewtonStep(const RelativeSystem& system, const Smoothing& smoothing, Projection projection,
             double invertible_omega, DirectSolve* solve, BlockMatrix* K);

  /// Takes the contact law at (y, lambda).
  /// @param hold_sections  sections move half way only from where they were held last
  void linearise(const std::vector<Vec3d>& y, const std::vector<Vec3d>& lambda, bool hold_sections);
  /// J^T P(tau) - g [N].
  void residual(const std::vector<Vec3d>& g, std::vector<Vec3d>* r) const;
  /// K of the last linearise(): K0 + J^T G J.
  void assemble();
  const BlockMatrix& K() const { return *K_; }
  /// Blocks of K that the last assemble() may have changed, ascending; not known of the first one.
  const std::optional<std::vector<std::int32_t>>& changed() const { return changed_; }
  /// Blocks of K that the last assemble() may have left other than K0's, ascending.
  std::vector<std::int32_t> with_contacts() const;
  /// How a row follows its neighbours where contacts press on it, (1 + sum J^T G J/a)^-1 with a the
  /// mean diagonal of its block of K0; of the last assemble().
  std::vector<Mat3d> filter() const;
  /// States of the contacts in the last assemble().
  const std::vector<ContactState>& states() const { return factorised_state_; }
  /// Assembles K and factorises it. @throws RuntimeError where it is not positive definite
  void factorise();
  /// K^-1 of the last factorise().
  void solve(const std::vector<Vec3d>& f, std::vector<Vec3d>* x) { solve_->solve(f, x); }
  /// Of factorisations and solves.
  double multiply_adds() const { return solve_->multiply_adds() - before_; }
  /// K^-1 f where sections follow the normal forces: with the derivative of the strict law itself,
  /// which is not symmetric where contacts slip. Converges quadratically near the answer, and may
  /// lead anywhere from elsewhere. @return false where that matrix is singular
  bool solve_free_sections(const std::vector<Vec3d>& f, std::vector<Vec3d>* x);
  /// The share in (0, 1] of the direction at which the augmented energy is least, sections held.
  /// @param g   K0 y - b,  @param Kd  K0 d
  double line_search(const std::vector<Vec3d>& g, const std::vector<Vec3d>& d,
                     const std::vector<Vec3d>& Kd);
  /// Where single contacts would leave their state's range, d is cut at its end: an open one that
  /// would penetrate touches, a slip that would reverse stops. @return whether any did
  bool clip(std::vector<Vec3d>* d) const;
  /// g.d minus what the contact forces do along it.
  double slope(const std::vector<Vec3d>& g, const std::vector<Vec3d>& d) const;
  /// sqrt(sum gamma |P(tau) - lambda|^2) over the contacts that are not single: what the residual
  /// counts on and the multipliers are not yet; in the A-norm's unit.
  double multiplier_lag(const std::vector<Vec3d>& lambda) const;
  /// The augmented energy of a motion, sections its own [N m/s].
  /// @param g  K0 y - b
  double energy(const std::vector<Vec3d>& y, const std::vector<Vec3d>& g,
                const std::vector<Vec3d>& lambda) const;
  /// From now on single contacts have multipliers too, and penalties their first value.
  void keep_all_multipliers();
  /// lambda of the coupled and rigid contacts, from u at y.
  void update_multipliers(const std::vector<Vec3d>& y, std::vector<Vec3d>* lambda) const;

  /// Divides the penalties by ten. @return false where they are a hundredth of their value already
  bool soften();
  /// sqrt(sum gamma |P(lambda - u/gamma) - lambda|^2) over the contacts that are not single, and
  /// the same for the change of P(tau) since factorise() where the state is no longer the matrix's;
  /// the larger one, in the A-norm's unit.
  double force_change(const std::vector<Vec3d>& y, const std::vector<Vec3d>& lambda) const;

 private:
  void set_penalties();
  bool is_rigid(int m) const { return system_.relative.contact_class(m) == ContactClass::rigid; }
  bool has_multiplier(int m) const {
    return keep_all_ || system_.relative.contact_class(m) != ContactClass::single;
  }
  /// tau of a contact at y.
  Vec3d trial(int m, const std::vector<Vec3d>& y, Vec3d lambda) const;
  ContactTangent tangent(int m, Vec3d trial, double section) const;

  const RelativeSystem& system_;
  Projection projection_;
  double invertible_omega_;
  std::vector<double> compliance_;
  std::vector<double> penalty_;  ///< r' [N s/m]
  double penalty_share_ = 1;
  bool is_pile_ = false;  ///< whether rigid bodies or robots touch each other
  bool keep_all_ = false;
  std::vector<Vec3d> velocity_;
  std::vector<Vec3d> trial_;             ///< tau of the last linearise() [N]
  std::vector<double> section_;          ///< normal force whose section is held [N]
  std::vector<ContactTangent> tangent_;  ///< P(tau) and P'(tau)
  std::vector<ContactState> factorised_state_;
  std::vector<Vec3d> factorised_force_;
  std::vector<Vec3d> Jd_;
  BlockMatrix* K_;
  bool is_assembled_ = false;
  std::vector<std::int32_t> touched_;  ///< blocks with contacts in them
  std::optional<std::vector<std::int32_t>> changed_;
  DirectSolve* solve_;
  double before_;  ///< multiply-adds of earlier time steps
};

}  // namespace nodia
