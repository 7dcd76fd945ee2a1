/// Contacts of the current step of one environment and the solver's forces at them.
#pragma once

#include <cstdint>
#include <vector>

#include "host/simulation/contact_finder.hpp"
#include "host/simulation/initial_guess.hpp"
#include "host/simulation/simulation.hpp"
#include "host/simulation/step_solution.hpp"

namespace nodia {

struct EnvironmentContacts {
  StepContacts found;
  std::vector<Vec3d> lambda;  ///< [n_contact] contact frame [N]
  std::vector<ContactState> state;

  int size() const { return static_cast<int>(found.contacts.size()); }
  int count(ContactState wanted) const;
  bool has_soft_pairs() const;
  StepContactsView view() const { return {found.contacts, lambda, state, found.sides}; }

  /// Takes the contacts of the solution, if it has any, in the environment's own rows and points.
  void set_contacts(const StepSolution& solution, std::int32_t n_row);
  /// Stores the forces, also as the initial guess of the next step.
  /// @param forces            [n_contact] contact frame [N]
  /// @param with_pair_forces  the guess contains the forces of soft-soft pairs
  void set_forces(const Vec3d* forces, bool with_pair_forces, InitialGuess* guess);
  struct Work {
    double work_J = 0;      ///< of all contacts in a step
    double turnover_J = 0;  ///< sum of the absolute values of their normal and tangential parts
  };
  /// Work of the contact forces on the rows of v_hat.
  Work work(const Vec3d* v_hat, std::int32_t n_row, double step_s) const;
  /// Computes slip velocities and gaps at the end of the step.
  /// @param shift  Impacts::shift()
  void set_slip_velocities(const Vec3d* v_hat, const Vec3d* shift, std::int32_t n_row,
                           double step_s);
};

}  // namespace nodia
