/// Contact problem of one time step, the input of all solvers.
///
///   A v_hat = b + Jc^T lambda                                 (Lee et al., (1))
///   Signorini-Coulomb (11) on u_m = R_m (v_i - v_j) + phi_m for every contact m [m/s]
///
/// A row is a three-vector of velocity: of a node, of a frame (linear, then angular), or of three
/// generalized coordinates. A side of a contact is a row that is a node, or a point: side k <
/// n_node() is row k, side n_node() + k is points[k].
///
/// lambda is the mean contact FORCE over the step [N]; the impulse is step_s * lambda [N s].
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fem/matrix/block_matrix.hpp"
#include "host/problem/contact_points.hpp"
#include "host/problem/soft_source.hpp"
#include "host/problem/topology.hpp"
#include "kernels/contact/contact.hpp"

namespace nodia {

struct ContactProblem {
  BlockMatrix A;         ///< symmetric positive definite [kg/s]
  std::vector<Vec3d> b;  ///< per row [N]
  /// Mass per row; diag(mass) is a lower bound of M [kg]: the nodal mass, or the smallest moment of
  /// inertia [kg m^2] for angular rows. Empty if unknown (then no certificate).
  std::vector<double> mass;
  /// Position per row at the start of the step: of the node, of the frame's origin (both rows),
  /// zero for joints [m]. Empty if unknown; features that need positions are then omitted.
  std::vector<Vec3d> position;
  double theta = 1;                       ///< theta of the time scheme [-]
  double step_s = 0.01;                   ///< duration of the step [s]
  std::vector<Contact<double>> contacts;  ///< ordered by environment
  ContactPoints points;                   ///< ordered by environment
  /// [n_env] Pattern of A and kinds of rows; equal environments share one object.
  std::vector<std::shared_ptr<const Topology>> topology;
  std::vector<std::int32_t> env_node_begin{0};     ///< [n_env + 1] rows of A per environment
  std::vector<std::int32_t> env_contact_begin{0};  ///< [n_env + 1]
  std::vector<std::int32_t> env_point_begin{0};    ///< [n_env + 1], or {0} without points
  SoftSources soft;                                ///< sources of A and b, if known

  int n_node() const { return static_cast<int>(b.size()); }
  int n_contact() const { return static_cast<int>(contacts.size()); }
  int n_env() const { return static_cast<int>(env_node_begin.size()) - 1; }

  /// First point of an environment; for n_env: the number of points.
  int first_point(int env) const {
    return points.size() == 0 ? 0 : env_point_begin[static_cast<std::size_t>(env)];
  }
  /// True if a side of a contact is a point.
  bool is_point(std::int32_t side) const { return side >= n_node(); }
  /// Calls part(row, J) for the terms of the side's velocity: v_side = sum J v[row].
  template <class F>
  void for_parts(std::int32_t side, const F& part) const {
    if (!is_point(side)) {
      part(side, Mat3d::identity());
      return;
    }
    const std::int32_t k = side - n_node();
    for (std::int32_t e = points.begin[k]; e < points.begin[k + 1]; ++e)
      part(points.row[e], points.J[e]);
  }
  /// Velocity of a side of a contact [m/s]; zero for kWorld.
  Vec3d side_velocity(std::int32_t side, const Vec3d* v) const {
    if (side == kWorld) return {};
    return is_point(side) ? points.velocity(side - n_node(), v) : v[side];
  }

  /// Throws InputError for the first violated rule: sizes; finite values; separate environments;
  /// topologies that fit A; contacts in range; friction >= 0; A symmetric (relative 1e-10) with
  /// positive diagonal; orthonormal frames (1e-9); terms of points inside their environment; no
  /// contact directly on a row of a rigid body or a robot.
  void validate() const;
  /// Makes `topology` from A's pattern and the given bodies, for an imported problem. Rows outside
  /// the bodies become soft nodes; rest positions stay unknown. A and env_node_begin must be set.
  /// @param bodies  ascending, rows counted over all environments
  /// @throws InputError as validate()
  void derive_topology(const std::vector<Body>& bodies = {});
  /// Returns one environment as a separate problem.
  ContactProblem environment(int env) const;
};

/// Initial guess of a solver; each array may be empty.
struct WarmStart {
  std::vector<Vec3d> v;       ///< [n_node] representative velocity [m/s]
  std::vector<Vec3d> lambda;  ///< [n_contact] contact frame [N]
};

/// Saves and loads `*.nodia.h5` without rounding. Replaces the file atomically.
/// @throws InputError (file, dataset, rule) if the file is invalid; RuntimeError if writing fails
void save_problem(const ContactProblem& problem, const std::string& path,
                  const WarmStart& warm = {});
ContactProblem load_problem(const std::string& path, WarmStart* warm = nullptr);

}  // namespace nodia
