/// The outer step: linearised contact law, matrix of the step, and line search.
#pragma once

#include <optional>

#include "host/solvers/newton/body_balance.hpp"
#include "host/solvers/newton/direct_solve.hpp"
#include "host/solvers/newton/smoothing.hpp"
#include "kernels/contact/tangent.hpp"

namespace nodia {

class NewtonStep {
 public:
  /// @param smoothing  provides the contacts' compliances
  /// @param solve      stores the factor; may have the analysis of an earlier one
  /// @param K          storage for the step's matrix
  NewtonStep(const RelativeSystem& system, const Smoothing& smoothing, Projection projection,
             double invertible_omega, DirectSolve* solve, BlockMatrix* K);

  /// Sets the speeds with which the penalties of rigid contacts compare their forces.
  void set_load_speeds(const BodyBalance& balance);
  /// Uses softer penalties of rigid contacts, without loads, from now on.
  void continue_from_sweeps();
  /// Linearises the contact law at (y, lambda). Raises the penalties of rigid contacts with their
  /// forces before, where set_load_speeds() has set a speed, and never lowers them.
  /// @param hold_sections  sections move only half way from their last held values
  void linearise(const std::vector<Vec3d>& y, const std::vector<Vec3d>& lambda, bool hold_sections);
  /// J^T P(tau) - g [N].
  void residual(const std::vector<Vec3d>& g, std::vector<Vec3d>* r) const;
  /// Assembles K of the last linearise(): K0 + J^T G J.
  void assemble();
  const BlockMatrix& K() const { return *K_; }
  /// Blocks of K that the last assemble() may have changed, ascending; no value after the first.
  const std::optional<std::vector<std::int32_t>>& changed() const { return changed_; }
  /// Blocks of K that differ from K0's after the last assemble(), ascending.
  std::vector<std::int32_t> with_contacts() const;
  /// Factor by which a row with contacts follows its neighbours, (1 + sum J^T G J/a)^-1 with a the
  /// mean diagonal of its block of K0; after the last assemble().
  std::vector<Mat3d> filter() const;
  /// States of the contacts in the last assemble().
  const std::vector<ContactState>& states() const { return factorised_state_; }
  /// Assembles and factorises K. @throws RuntimeError if it is not positive definite
  void factorise();
  /// K^-1 of the last factorise().
  void solve(const std::vector<Vec3d>& f, std::vector<Vec3d>* x) { solve_->solve(f, x); }
  /// Multiply-adds of factorisations and solves.
  double multiply_adds() const { return solve_->multiply_adds() - before_; }
  /// K^-1 f with sections that follow the normal forces: the derivative of the strict law itself,
  /// which is not symmetric if contacts slip. Converges quadratically near the solution, without
  /// any guarantee elsewhere. @return false if that matrix is singular
  bool solve_free_sections(const std::vector<Vec3d>& f, std::vector<Vec3d>* x);
  /// Step length in (0, 1] with the smallest augmented energy, for held sections.
  /// @param g   K0 y - b,  @param Kd  K0 d
  double line_search(const std::vector<Vec3d>& g, const std::vector<Vec3d>& d,
                     const std::vector<Vec3d>& Kd);
  /// Cuts d where single contacts would leave their state's range: an open contact that would
  /// penetrate closes, a slip that would reverse stops. @return true if it cut d
  bool clip(std::vector<Vec3d>* d) const;
  /// g.d minus the work of the contact forces along d.
  double slope(const std::vector<Vec3d>& g, const std::vector<Vec3d>& d) const;
  /// sqrt(sum gamma |P(tau) - lambda|^2) over the contacts that are not single, in the unit of the
  /// A-norm: forces in the residual that the multipliers do not have yet.
  double multiplier_lag(const std::vector<Vec3d>& lambda) const;
  /// Augmented energy of a motion, with its own sections [N m/s].
  /// @param g  K0 y - b
  double energy(const std::vector<Vec3d>& y, const std::vector<Vec3d>& g,
                const std::vector<Vec3d>& lambda) const;
  /// Adds multipliers to single contacts and resets the penalties.
  void keep_all_multipliers();
  /// Updates lambda of the coupled and rigid contacts from u at y.
  void update_multipliers(const std::vector<Vec3d>& y, std::vector<Vec3d>* lambda) const;

  /// Divides the penalties by ten. @return false if they are already a hundredth of their value
  bool soften();
  /// sqrt(sum gamma |P(lambda - u/gamma) - lambda|^2) over the contacts that have multipliers, in
  /// the unit of the A-norm.
  double natural_map(const std::vector<Vec3d>& y, const std::vector<Vec3d>& lambda) const;
  /// natural_map(), or the same for the change of P(tau) since factorise() of contacts whose state
  /// has changed, if that is larger.
  double force_change(const std::vector<Vec3d>& y, const std::vector<Vec3d>& lambda) const;

 private:
  void set_compliances(const Smoothing& smoothing);
  void raise_penalties(const std::vector<Vec3d>& lambda);
  void set_penalties();
  bool is_rigid(int m) const { return system_.relative.contact_class(m) == ContactClass::rigid; }
  bool has_multiplier(int m) const {
    return keep_all_ || system_.relative.contact_class(m) != ContactClass::single;
  }
  /// Trial force tau of a contact at y.
  Vec3d trial(int m, const std::vector<Vec3d>& y, Vec3d lambda) const;
  ContactTangent tangent(int m, Vec3d trial, double section) const;

  const RelativeSystem& system_;
  Projection projection_;
  double invertible_omega_;
  std::vector<double> compliance_;    ///< of the error estimate
  std::vector<double> both_sides_;    ///< of the penalties
  std::vector<double> load_speed_;    ///< of rigid contacts [m/s]; 0: unknown
  std::vector<double> largest_load_;  ///< BodyBalance::largest_load() [N s/m]
  std::vector<double> load_;          ///< largest normal force over load_speed_ [N s/m]
  std::vector<double> penalty_;       ///< r' [N s/m]
  double penalty_share_ = 1;
  bool keep_all_ = false;
  bool is_swept_ = false;
  bool is_pile_ = false;   ///< rigid bodies or robots touch each other
  bool is_stiff_ = false;  ///< their penalties are kInPiles over the compliance
  std::vector<Vec3d> velocity_;
  std::vector<Vec3d> trial_;             ///< tau of the last linearise() [N]
  std::vector<double> section_;          ///< normal force of the held section [N]
  std::vector<ContactTangent> tangent_;  ///< P(tau) and P'(tau)
  std::vector<ContactState> factorised_state_;
  std::vector<Vec3d> factorised_force_;
  std::vector<Vec3d> Jd_;
  BlockMatrix* K_;
  bool is_assembled_ = false;
  std::vector<std::int32_t> touched_;  ///< blocks with contacts
  std::optional<std::vector<std::int32_t>> changed_;
  DirectSolve* solve_;
  double before_;  ///< multiply-adds of earlier time steps
};

}  // namespace nodia
