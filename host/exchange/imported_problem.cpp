#include "host/exchange/imported_problem.hpp"

#include "host/exchange/largest_entry.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <map>

#include "fem/matrix/symmetric_eigen.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// Limit of W's eigenvalues relative to the largest: below -kNegative, W is indefinite. Smaller
/// negative values are rounding, also of files with few digits, and become zero.
constexpr double kNegative = 1e-6;
constexpr double kRankTolerance = 1e-15;

void require_definite(const SparseMatrix& M, const std::string& where) {
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    const double diagonal = M.coeff(i, i);
    require(diagonal > 0, fmt::format("{}: M({}, {})", where, i, i), diagonal, "> 0",
            "M is positive definite: masses, inertias, stiffness");
  }
  const Eigen::VectorXd S = M.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::SimplicialLDLT<SparseMatrix> factor(S.asDiagonal() * M * S.asDiagonal());
  Eigen::Index at = 0;
  const double least =
      factor.info() == Eigen::Success && M.rows() > 0 ? factor.vectorD().minCoeff(&at) : 0;
  if (M.rows() > 0 && !(least > 0)) {
    if (factor.info() == Eigen::Success && factor.permutationPinv().size() > 0)
      at = factor.permutationPinv().indices()[at];
    throw_bad_value(where + ": M", "not positive definite", "positive definite",
                    factor.info() == Eigen::Success
                        ? fmt::format("the pivot of row {} is {:.2g} of its diagonal", at, least)
                        : "its Cholesky factorisation failed");
  }
}

/// True if a factorisation shows that no eigenvalue of W is below -kNegative times the largest. If
/// false, there may be one.
bool is_semidefinite(const SparseMatrix& W) {
  const double least = W.rows() > 0 ? W.diagonal().maxCoeff() : 0;  // of the largest eigenvalue
  if (!(least > 0)) return W.nonZeros() == 0;
  Eigen::SimplicialLLT<SparseMatrix> factor;
  factor.setShift(kNegative * least);
  factor.compute(W);
  return factor.info() == Eigen::Success;
}

/// L with W = L L^T, [n, rank]. Negative eigenvalues from rounding become zero.
Eigen::MatrixXd factor_semidefinite(const SparseMatrix& W, const std::string& where) {
  const SymmetricEigen eigen = symmetric_eigen(Eigen::MatrixXd(W));
  if (!eigen.converged)
    throw_bad_value(where + ": W", "without an eigenvalue decomposition", "finite", "");
  const Eigen::VectorXd& values = eigen.values;
  const double largest = values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
  if (largest > 0)
    require(values[0] >= -kNegative * largest, where + ": W, least eigenvalue", values[0],
            fmt::format(">= -{} of the largest, {:.3g}", kNegative, largest),
            "a Delassus matrix is positive semidefinite");
  const auto rank = (values.array() > kRankTolerance * largest).count();
  return eigen.vectors.rightCols(rank) * values.tail(rank).cwiseSqrt().asDiagonal();
}

/// Block matrix of scalar entries with the given row indices.
BlockMatrix block_matrix(const SparseMatrix& M, const std::vector<std::int32_t>& place, int n_row) {
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings;
  for (int j = 0; j < M.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(M, j); entry; ++entry)
      if (place[entry.row()] / 3 < place[j] / 3)
        couplings.emplace_back(place[entry.row()] / 3, place[j] / 3);
  BlockMatrix A(BlockPattern::from_couplings(n_row, couplings));
  std::vector<char> taken(3 * static_cast<std::size_t>(n_row), 0);
  for (int j = 0; j < M.outerSize(); ++j) {
    taken[place[j]] = 1;
    for (SparseMatrix::InnerIterator entry(M, j); entry; ++entry) {
      const int at = place[entry.row()], k = A.pattern->find(at / 3, place[j] / 3);
      Mat3d block = A.block(k);
      block(at % 3, place[j] % 3) += entry.value();
      A.set_block(k, block);
    }
  }
  for (int i = 0; i < n_row; ++i) {
    const int k = A.pattern->diagonal[i];
    Mat3d block = A.block(k);
    for (int axis = 0; axis < 3; ++axis)
      if (taken[3 * static_cast<std::size_t>(i) + axis] == 0) block(axis, axis) = 1;
    A.set_block(k, block);
  }
  return A;
}

SparseMatrix symmetric_part(const SparseMatrix& M) {
  const SparseMatrix transposed = M.transpose();
  return 0.5 * (M + transposed);
}

}  // namespace

ImportedProblem::ImportedProblem(FrictionProblem problem, const std::string& where)
    : source_(std::move(problem)), where_(where) {
  problem_.step_s = 1;
  problem_.theta = 1;
  defect_ = symmetric_part(source_.M) - source_.M;
  defect_.prune(0.0, 0.0);
  notable_ = largest_entry(defect_) > kAsymmetryNoticed * largest_entry(source_.M);
  corrected_ = Eigen::VectorXd::Zero(source_.n_dof());
  if (source_.kind == FrictionKind::global)
    import_global();
  else if (!is_semidefinite(symmetric_part(source_.M)))
    import_local();  // throws, or finds W semidefinite
}

const ContactProblem& ImportedProblem::contact_problem() {
  import_local();
  return problem_;
}

bool ImportedProblem::has_notable_defect() {
  import_local();
  return notable_;
}

void ImportedProblem::finish(const std::vector<Body>& bodies) {
  problem_.env_node_begin = {0, problem_.n_node()};
  problem_.env_contact_begin = {0, problem_.n_contact()};
  problem_.env_point_begin = {0, problem_.points.size()};
  problem_.derive_topology(bodies);
  made_ = true;
}

void ImportedProblem::import_global() {
  const SparseMatrix M = symmetric_part(source_.M);
  require_definite(M, where_);
  scale_ = M.diagonal().cwiseSqrt().cwiseInverse();
  const Unknowns unknowns = Unknowns::of(M, source_.dimension);
  place_ = unknowns.place;
  SparseMatrix A = scale_.asDiagonal() * M * scale_.asDiagonal();
  A.diagonal().setOnes();
  problem_.A = block_matrix(A, place_, unknowns.n_row);
  const SparseMatrix J = scale_.asDiagonal() * source_.H;
  add_contacts(J);
  defect_ = scale_.asDiagonal() * defect_;
  set_b();
  std::vector<Body> bodies = unknowns.bodies;
  for (std::int32_t row = unknowns.n_row; row < problem_.A.n_row(); ++row)
    bodies.push_back({BodyKind::robot, row, 1});  // rows of second tangents
  finish(bodies);
}

void ImportedProblem::import_local() {
  if (made_) return;
  const Eigen::MatrixXd L = factor_semidefinite(symmetric_part(source_.M), where_);
  const int n_row = static_cast<int>(L.cols() + 2) / 3;
  scale_ = Eigen::VectorXd::Ones(L.cols());
  for (int k = 0; k < L.cols(); ++k) place_.push_back(k);
  SparseMatrix one(L.cols(), L.cols());
  one.setIdentity();
  problem_.A = block_matrix(one, place_, n_row);
  add_contacts(Eigen::MatrixXd(L.transpose()).sparseView(0.0, 0.0));
  // The clipped part belongs to the defect.
  defect_ = (L * L.transpose() - Eigen::MatrixXd(source_.M)).sparseView(0.0, 0.0);
  notable_ = largest_entry(defect_) > kAsymmetryNoticed * largest_entry(source_.M);
  problem_.b.resize(static_cast<std::size_t>(problem_.A.n_row()));
  finish({});
}

/// @param J  columns: contact axes, rows: unknowns y
void ImportedProblem::add_contacts(const SparseMatrix& J) {
  const int d = source_.dimension, n_contact = source_.n_contact();
  const int n_row = problem_.A.n_row();
  const bool plane = d == 2;
  for (int m = 0; m < n_contact; ++m) {
    std::map<std::int32_t, Mat3d> parts;
    double tangent = 0;  // estimated tangential Delassus diagonal
    for (int axis = 0; axis < d; ++axis) {
      for (SparseMatrix::InnerIterator entry(J, d * m + axis); entry; ++entry) {
        const std::int32_t at = place_[entry.row()];
        parts[at / 3](axis, at % 3) += entry.value();
        if (axis > 0) tangent += entry.value() * entry.value();
      }
    }
    if (plane) parts[n_row + m](2, 0) = tangent > 0 ? std::sqrt(tangent) : 1;
    for (const auto& [row, part] : parts) problem_.points.add(row, part);
    Contact<double> contact;
    contact.side_i = (plane ? n_row + n_contact : n_row) + problem_.points.finish();
    contact.R = Mat3d::identity();
    contact.mu1 = contact.mu2 = source_.mu[m];
    contact.key = static_cast<std::uint64_t>(m);
    problem_.contacts.push_back(contact);
  }
  set_phi();
  if (!plane) return;
  // Unknowns of the second tangents.
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings;
  const BlockPattern& before = *problem_.A.pattern;
  for (int i = 0; i < n_row; ++i)
    for (int k = before.row_begin[i]; k < before.row_begin[i + 1]; ++k)
      couplings.emplace_back(i, before.column[k]);
  BlockMatrix A(BlockPattern::from_couplings(n_row + n_contact, couplings));
  std::copy(problem_.A.value.begin(),
            problem_.A.value.begin() + 9 * std::ptrdiff_t{before.n_block()}, A.value.begin());
  for (int m = 0; m < n_contact; ++m)
    A.set_block(A.pattern->diagonal[n_row + m], Mat3d::identity());
  problem_.A = std::move(A);
}

void ImportedProblem::set_b() {
  const Eigen::VectorXd b = scale_.cwiseProduct(source_.q) + corrected_;
  problem_.b.assign(static_cast<std::size_t>(problem_.A.n_row()), Vec3d{});
  for (Eigen::Index i = 0; i < b.size(); ++i) problem_.b[place_[i] / 3][place_[i] % 3] = b[i];
}

void ImportedProblem::set_phi() {
  const bool global = source_.kind == FrictionKind::global;
  const Eigen::VectorXd phi = global ? source_.b : Eigen::VectorXd(source_.q - corrected_);
  for (int m = 0; m < source_.n_contact(); ++m)
    for (int axis = 0; axis < source_.dimension; ++axis)
      problem_.contacts[m].phi[axis] = phi[source_.dimension * m + axis];
}

FrictionSolution ImportedProblem::answer(const Solution& solution) const {
  FrictionSolution answer;
  const int d = source_.dimension;
  answer.r.resize(d * source_.n_contact());
  for (int m = 0; m < source_.n_contact(); ++m)
    for (int axis = 0; axis < d; ++axis) answer.r[d * m + axis] = solution.lambda[m][axis];
  if (source_.kind == FrictionKind::global) {
    answer.v.resize(source_.n_dof());
    for (Eigen::Index i = 0; i < answer.v.size(); ++i)
      answer.v[i] = scale_[i] * solution.v[place_[i] / 3][place_[i] % 3];
  }
  answer.u = contact_velocity(source_, answer.v, answer.r);
  return answer;
}

double ImportedProblem::inner_error(const FrictionSolution& answer) {
  import_local();
  FrictionProblem inner = source_;
  if (source_.kind == FrictionKind::global) {
    const SparseMatrix defect = scale_.cwiseInverse().asDiagonal() * defect_;
    inner.M += defect;
    inner.q += corrected_.cwiseQuotient(scale_);
  } else {
    inner.M += defect_;
    inner.q -= corrected_;
  }
  return error_siconos(inner, answer.v, answer.r);
}

void ImportedProblem::correct(const FrictionSolution& answer) {
  import_local();
  if (defect_.nonZeros() == 0) return;
  const bool global = source_.kind == FrictionKind::global;
  corrected_ = mixing_.next(corrected_, defect_ * (global ? answer.v : answer.r));
  if (global)
    set_b();
  else
    set_phi();
}

}  // namespace nodia
