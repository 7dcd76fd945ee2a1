/// Small-displacement elastostatics by the matrix that TetModel assembles, solved by Eigen.
#pragma once

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <vector>

#include "fem/soft/tet_model.hpp"
#include "tests/support/fem_random.hpp"

namespace nodia::test {

/// A body without mass to speak of: A of a step of 1 s is then K to the last bit.
inline TetModel massless_model(const TetMesh& mesh, double youngs_modulus_Pa,
                               double poissons_ratio) {
  Material material;
  material.youngs_modulus_Pa = youngs_modulus_Pa;
  material.poissons_ratio = poissons_ratio;
  material.density_kg_m3 = 1e-200;
  TetModel model;
  model.add_body(mesh, material);
  model.finish();
  return model;
}

/// K at positions x [N/m], and the elastic force there [N].
inline Eigen::SparseMatrix<double> stiffness_matrix(const TetModel& massless,
                                                    const std::vector<Vec3d>& x,
                                                    std::vector<Vec3d>* force = nullptr) {
  BlockMatrix A(massless.pattern());
  std::vector<Vec3d> f(x.size());
  TetModel::AssemblyInput in;
  in.x = x.data();
  in.time.step_s = 1;
  massless.assemble(in, A.value.data(), f.data());
  if (force) *force = f;
  return A.to_eigen();
}

using DirectSolver = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>;

/// Conjugate gradients to 1e-12, for compact bodies whose factor would be large.
struct IterativeSolver
    : Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper> {
  explicit IterativeSolver(const Eigen::SparseMatrix<double>& K) {
    setTolerance(1e-12);
    compute(K);
  }
};

/// Displacement u with K u = load on the free degrees of freedom and u given on the others.
/// @param fixed  per scalar degree of freedom
/// @param u      in: given values on fixed degrees of freedom; out: the solution [m]
template <class Solver = DirectSolver>
void solve_elastostatics(const Eigen::SparseMatrix<double>& K, const std::vector<char>& fixed,
                         const Eigen::VectorXd& load, Eigen::VectorXd& u) {
  std::vector<int> free_index(fixed.size(), -1);
  int n_free = 0;
  for (std::size_t i = 0; i < fixed.size(); ++i)
    if (!fixed[i]) free_index[i] = n_free++;
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd rhs(n_free);
  for (std::size_t i = 0; i < fixed.size(); ++i)
    if (!fixed[i]) rhs[free_index[i]] = load[static_cast<Eigen::Index>(i)];
  for (int c = 0; c < K.outerSize(); ++c) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(K, c); it; ++it) {
      if (fixed[it.row()]) continue;
      if (fixed[c])
        rhs[free_index[it.row()]] -= it.value() * u[c];
      else
        entries.emplace_back(free_index[it.row()], free_index[c], it.value());
    }
  }
  Eigen::SparseMatrix<double> K_free(n_free, n_free);
  K_free.setFromTriplets(entries.begin(), entries.end());
  const Solver solver(K_free);
  const Eigen::VectorXd u_free = solver.solve(rhs);
  for (std::size_t i = 0; i < fixed.size(); ++i)
    if (!fixed[i]) u[static_cast<Eigen::Index>(i)] = u_free[free_index[i]];
}

/// Equilibrium of the co-rotational model by Newton's method with its stiffness.
/// @param fixed  per scalar degree of freedom: keeps its value in x
/// @return       largest correction of the last step [m]
inline double solve_equilibrium(const TetModel& massless, const std::vector<char>& fixed,
                                std::vector<Vec3d>& x, int n_step) {
  double largest = 0;
  for (int step = 0; step < n_step; ++step) {
    std::vector<Vec3d> f;
    const auto K = stiffness_matrix(massless, x, &f);
    Eigen::VectorXd load(3 * static_cast<Eigen::Index>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int c = 0; c < 3; ++c) load[3 * static_cast<Eigen::Index>(i) + c] = f[i][c];
    Eigen::VectorXd u = Eigen::VectorXd::Zero(load.size());
    solve_elastostatics(K, fixed, load, u);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int c = 0; c < 3; ++c) x[i][c] += u[3 * static_cast<Eigen::Index>(i) + c];
    largest = u.cwiseAbs().maxCoeff();
  }
  return largest;
}

/// Moves every node by at most `amount` in each direction [m].
inline void distort(TetMesh& mesh, double amount, unsigned seed) {
  FemRandom random(seed);
  for (Vec3d& p : mesh.nodes) p += random.vector(amount);
}

inline double largest_norm(const std::vector<Vec3d>& v) {
  double m = 0;
  for (const Vec3d& p : v) m = std::max(m, norm(p));
  return m;
}

}  // namespace nodia::test
