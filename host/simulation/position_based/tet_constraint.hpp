/// The co-rotational energy of a tetrahedron (kernels/elements/corotational_tet.hpp) as one
/// compliant constraint on its six strains.
///
///   psi = V (mu |E|^2 + lambda/2 tr(E)^2),   E = sym(R^T F) - I,   dE = sym(R^T dF)
///
/// R is constant here; the force -J^T K E is exact. In the orthonormal components z = (E_xx, E_yy,
/// E_zz, sqrt2 E_yz, sqrt2 E_xz, sqrt2 E_xy), K has the eigenvalues 2 mu V on deviators and (2 mu +
/// 3 lambda) V on the trace. J W J^T does not depend on R; its matrix is factorised once per step.
#pragma once

#include "host/simulation/position_based/compliant.hpp"
#include "host/simulation/position_based/row_motion.hpp"
#include "kernels/elements/corotational_tet.hpp"

namespace nodia {

struct TetConstraint {
  CorotationalTet tet{};
  double damping_s = 0;  ///< beta of D = beta K

  double deviator_scale = 0, trace_scale = 0;             ///< h K^(1/2) [sqrt(J) s]
  double gamma = 0;                                       ///< beta/h
  Matrix6 inverse = Matrix6::Identity();                  ///< ((1 + gamma) S J W J^T S + I)^-1
  Vector6 mu = Vector6::Zero(), start = Vector6::Zero();  ///< see JointConstraint
  Mat3d R{};                                              ///< rotation of the last strain

  /// Prepares a step with the substep h [s] and the inverse masses of the nodes.
  void set_substep(double h, const RowMotion& motion) {
    const TetRest<double>& rest = tet.rest;
    deviator_scale = h * std::sqrt(2 * rest.mu * rest.volume);
    trace_scale = h * std::sqrt((2 * rest.mu + 3 * rest.lambda) * rest.volume);
    gamma = damping_s / h;
    Matrix6 G = Matrix6::Zero();
    for (int a = 0; a < 4; ++a) {
      const Eigen::Matrix<double, 6, 3> J = jacobian(gradient(a));
      G += motion.inverse_mass[static_cast<std::size_t>(tet.node[a])] * (J * J.transpose());
    }
    Matrix6 S;
    for (int k = 0; k < 6; ++k) S.col(k) = scaled(Vector6::Unit(k));
    inverse = ((1 + gamma) * (S * G * S) + Matrix6::Identity()).inverse();
  }
  void begin(const RowMotion& motion) {
    mu.setZero();
    if (gamma > 0) start = strain(motion);
  }
  Vector6 defect(const RowMotion& motion) {
    Vector6 z = strain(motion);
    if (gamma > 0) z += gamma * (z - start);
    return scaled(z) + mu;
  }
  void project(RowMotion* motion) {
    const Vector6 change = -(inverse * defect(*motion));
    mu += change;
    const Vector6 lambda = scaled(change);
    for (int a = 0; a < 4; ++a) {
      const Eigen::Vector3d p = jacobian(gradient(a)).transpose() * lambda;
      const double w = motion->inverse_mass[static_cast<std::size_t>(tet.node[a])];
      motion->shift_node(tet.node[a], w * (R * Vec3d{p[0], p[1], p[2]}));
    }
  }

 private:
  /// grad N_a at rest [1/m]
  Vec3d gradient(int a) const {
    const Mat3d& g = tet.rest.gradient;
    return a == 0 ? -(g.row[0] + g.row[1] + g.row[2]) : g.row[a - 1];
  }
  /// Matrix that maps y to z of sym(y g^T).
  static Eigen::Matrix<double, 6, 3> jacobian(Vec3d g) {
    const double c = std::sqrt(0.5);
    Eigen::Matrix<double, 6, 3> J;
    J << g.x, 0, 0,           //
        0, g.y, 0,            //
        0, 0, g.z,            //
        0, c * g.z, c * g.y,  //
        c * g.z, 0, c * g.x,  //
        c * g.y, c * g.x, 0;
    return J;
  }
  Vector6 strain(const RowMotion& motion) {
    TetVectors<double> x;
    for (int a = 0; a < 4; ++a) x.corner[a] = motion.x[static_cast<std::size_t>(tet.node[a])];
    const Mat3d F = deformation_gradient(tet.rest, x);
    R = polar_rotation(F);
    const Mat3d E = transpose(R) * (F - R);
    const double c = std::sqrt(0.5);
    Vector6 z;
    z << E(0, 0), E(1, 1), E(2, 2), c * (E(1, 2) + E(2, 1)), c * (E(0, 2) + E(2, 0)),
        c * (E(0, 1) + E(1, 0));
    return z;
  }
  /// S z
  Vector6 scaled(const Vector6& z) const {
    const double mean = (z[0] + z[1] + z[2]) / 3;
    Vector6 s = deviator_scale * z;
    for (int k = 0; k < 3; ++k) s[k] += (trace_scale - deviator_scale) * mean;
    return s;
  }
};

}  // namespace nodia
