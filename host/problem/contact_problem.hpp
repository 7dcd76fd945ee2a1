/// The value every time step becomes and all solvers take.
///
///   A v_hat = b + Jc^T lambda                                                          (Lee et
///   al., (1)) Signorini-Coulomb (11) on u_m = R_m (v_i - v_j) + phi_m for every contact m [m/s]
///
/// lambda is the mean contact FORCE over the step [N]; the impulse is step_s * lambda [N s].
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fem/block_matrix.hpp"
#include "kernels/contact/contact.hpp"

namespace nodia {

struct ContactProblem {
  BlockMatrix A;         ///< symmetric positive definite [kg/s]
  std::vector<Vec3d> b;  ///< per node [N]
  std::vector<double>
      mass;  ///< per node [kg]; empty for an imported problem without a mass (no certificate then)
  double theta = 1;                                ///< of the time scheme
  double step_s = 0.01;                            ///< t [s]
  std::vector<Contact<double>> contacts;           ///< ordered by environment
  std::vector<std::int32_t> env_node_begin{0};     ///< [n_env + 1] rows of A per environment
  std::vector<std::int32_t> env_contact_begin{0};  ///< [n_env + 1]

  int n_node() const { return static_cast<int>(b.size()); }
  int n_contact() const { return static_cast<int>(contacts.size()); }
  int n_env() const { return static_cast<int>(env_node_begin.size()) - 1; }

  /// Throws InputError for the first broken rule: sizes, finite values, environments that share
  /// nothing, contacts in range, friction >= 0, A symmetric (relative 1e-10) with a positive
  /// diagonal, frames orthonormal (1e-9).
  void validate() const;
  /// One environment as a problem of its own.
  ContactProblem environment(int env) const;
};

/// Starting point of a solver; each part may be empty.
struct WarmStart {
  std::vector<Vec3d> v;       ///< [n_node] representative velocity [m/s]
  std::vector<Vec3d> lambda;  ///< [n_contact] contact frame [N]
};

/// `*.nodia.h5`: save and load, bit for bit. Written to a temporary file, synced, renamed.
/// @throws InputError (file, dataset, rule) for anything unreadable; RuntimeError when writing
/// fails
void save_problem(const ContactProblem& problem, const std::string& path,
                  const WarmStart& warm = {});
ContactProblem load_problem(const std::string& path, WarmStart* warm = nullptr);

}  // namespace nodia
