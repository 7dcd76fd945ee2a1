#include "host/solvers/cond/reference/cond_reference_w.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "fem/matrix/eigen_block.hpp"
#include "host/solvers/cond/w/set_up.hpp"
#include "host/solvers/linear/power_start.hpp"
#include "kernels/vfpi/control.hpp"

namespace nodia {
namespace {

/// Value of the WKind for one row of A, without point constraints.
double value_of_row(const ContactProblem& p, int row, WKind kind) {
  const BlockPattern& pattern = *p.A.pattern;
  Eigen::Vector3d sums = Eigen::Vector3d::Zero();
  double squares = 0;
  for (int k = pattern.row_begin[row]; k < pattern.row_begin[row + 1]; ++k) {
    const Eigen::Matrix3d a = to_eigen(p.A.block(k));
    squares += a.squaredNorm();
    sums += a.cwiseAbs().rowwise().sum();
  }
  const double trace = to_eigen(p.A.block(pattern.diagonal[row])).trace();
  switch (kind) {
    case WKind::frobenius:
      return trace / squares;
    case WKind::alpha_identity:
      return 1;
    case WKind::inf_norm:
      return 1 / sums.maxCoeff();
    case WKind::bb1:
    case WKind::bb2:
    case WKind::bb_alternating:
    case WKind::jacobi:
      break;
  }
  return 3 / trace;
}

bool holds(const Body& body, int row) {
  return row >= body.first_row && row < body.first_row + body.n_row;
}

/// True if all parts of point k belong to one body with a dense block.
bool in_one_body(const ContactProblem& p, int k) {
  bool found = false;
  for_bodies(p, 0, is_dense, [&](const Body& body) {
    found = found || std::all_of(p.points.row.begin() + p.points.begin[k],
                                 p.points.row.begin() + p.points.begin[k + 1],
                                 [&](std::int32_t row) { return holds(body, row); });
  });
  return found;
}

/// A + kv Jv^T Jv of a body's rows; for a chain within links and, for A, between neighbours. A
/// point with parts in different bodies counts once per part: (a + b)^2 <= 2 a^2 + 2 b^2.
Eigen::MatrixXd matrix_of_body(const ContactProblem& p, const Nodalization& nodes,
                               const Body& body) {
  const auto link = [&](int row) {
    return is_chain(body.kind) ? (row - body.first_row) / kLinkRows : 0;
  };
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(3 * body.n_row, 3 * body.n_row);
  const auto block = [&](int i, int j) {
    return B.block<3, 3>(3 * (i - body.first_row), 3 * (j - body.first_row));
  };
  const BlockPattern& pattern = *p.A.pattern;
  for (int i = body.first_row; i < body.first_row + body.n_row; ++i)
    for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k)
      if (const int j = pattern.column[k]; holds(body, j) && std::abs(link(i) - link(j)) <= 1)
        block(i, j) += to_eigen(p.A.block(k));
  const ContactPoints& points = p.points;
  for (int k = 0; k < points.size(); ++k) {
    const bool whole = is_chain(body.kind) || in_one_body(p, k);
    const double gain = nodes.gain[k] * (whole ? 1 : points.begin[k + 1] - points.begin[k]);
    for (int a = points.begin[k]; a < points.begin[k + 1]; ++a)
      for (int c = points.begin[k]; c < points.begin[k + 1]; ++c) {
        const int i = points.row[a], j = points.row[c];
        if (holds(body, i) && holds(body, j) && link(i) == link(j))
          block(i, j) += gain * to_eigen(points.J[a]).transpose() * to_eigen(points.J[c]);
      }
  }
  return B;
}

/// Rows of the body without a contact.
std::vector<int> free_rows(const ContactProblem& p, const Body& body) {
  std::vector<int> rows;
  for (int row = body.first_row; row < body.first_row + body.n_row; ++row)
    if (std::none_of(p.contacts.begin(), p.contacts.end(),
                     [&](const Contact<double>& c) { return c.side_i == row || c.side_j == row; }))
      rows.push_back(row);
  return rows;
}

/// True if a contact, a point or a body block acts on the row.
bool is_touched(const ContactProblem& p, int row) {
  const auto is_row = [row](std::int32_t other) { return other == row; };
  bool touched = std::any_of(p.points.row.begin(), p.points.row.end(), is_row);
  for (const Contact<double>& c : p.contacts)
    touched = touched || is_row(c.side_i) || is_row(c.side_j);
  for (const Body& body : p.topology.front()->bodies)
    touched = touched || (body.kind != BodyKind::soft && holds(body, row));
  return touched;
}

}  // namespace

StepSizeMatrix step_size_matrix(const NodalSystem& system, WKind kind, double scale) {
  const ContactProblem& p = system.problem;
  const Nodalization& nodes = system.nodes;
  const int n_row = p.n_node() + p.points.size();
  std::vector<double> w(n_row), constraint(n_row, 0.0);
  for (int k = 0; k < p.points.size(); ++k)
    for (int e = p.points.begin[k]; e < p.points.begin[k + 1]; ++e)
      constraint[p.points.row[e]] += nodes.gain[k] * nodes.constraint_weight[e];
  for (int row = 0; row < p.n_node(); ++row)
    w[row] = 1 / (1 / value_of_row(p, row, kind) + constraint[row] / 2);
  for (int k = 0; k < p.points.size(); ++k) w[p.n_node() + k] = 1 / nodes.gain[k];

  std::vector<Eigen::Triplet<double>> entries;
  std::vector<bool> in_block(n_row, false);
  const auto has_block = [](BodyKind body) { return body != BodyKind::soft; };
  for_bodies(p, 0, has_block, [&](const Body& body) {
    const std::vector<int> rows = free_rows(p, body);
    const Eigen::MatrixXd all = matrix_of_body(p, nodes, body);
    const auto n = static_cast<int>(rows.size());
    const auto place = [&](int i) { return 3 * (rows[i / 3] - body.first_row) + i % 3; };
    Eigen::MatrixXd B(3 * n, 3 * n);
    for (int i = 0; i < 3 * n; ++i)
      for (int j = 0; j < 3 * n; ++j) B(i, j) = all(place(i), place(j));
    const Eigen::MatrixXd inverse = B.llt().solve(Eigen::MatrixXd::Identity(3 * n, 3 * n));
    for (int i = 0; i < 3 * n; ++i)
      for (int j = 0; j < 3 * n; ++j)
        entries.emplace_back(3 * body.first_row + place(i), 3 * body.first_row + place(j),
                             scale * inverse(i, j));
    for (const int row : rows) in_block[row] = true;
  });
  for (int row = 0; kind == WKind::jacobi && row < p.n_node(); ++row) {
    if (is_touched(p, row)) continue;
    const Eigen::Matrix3d inverse = to_eigen(p.A.block(p.A.pattern->diagonal[row])).inverse();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        entries.emplace_back(3 * row + i, 3 * row + j, scale * inverse(i, j));
    in_block[row] = true;
  }
  StepSizeMatrix W;
  W.w.resize(3 * n_row);
  for (int i = 0; i < 3 * n_row; ++i) {
    W.w[i] = scale * w[i / 3];
    if (!in_block[i / 3]) entries.emplace_back(i, i, W.w[i]);
  }
  const auto matrix = std::make_shared<Eigen::SparseMatrix<double>>(3 * n_row, 3 * n_row);
  matrix->setFromTriplets(entries.begin(), entries.end());
  W.times = [matrix](const Eigen::VectorXd& x) -> Eigen::VectorXd { return *matrix * x; };
  return W;
}

double largest_eigenvalue(const NodalSystem& s, const StepSizeMatrix& W) {
  constexpr int kProducts = 100;
  const Eigen::SparseMatrix<double> A = s.nodal.A.to_eigen();
  Eigen::VectorXd x(A.rows());
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = power_start(i);
  double largest = 0;
  for (int k = 0; k < kProducts; ++k) {
    const Eigen::VectorXd Ax = A * x, WAx = W.times(Ax);
    largest = std::max(largest, Ax.dot(WAx) / Ax.dot(x));
    x = WAx / WAx.norm();
  }
  return largest;
}

double guard_scale(const NodalSystem& s, const SolverOptions& o, double lambda_max) {
  const ContactProblem& p = s.problem;
  if (o.of<CondOptions>().acceleration == Acceleration::nesterov)
    return 1 / (kSpectralMargin * lambda_max);
  const double bound = kSpectralTarget / (kSpectralMargin * lambda_max);
  if (o.of<CondOptions>().w != WKind::alpha_identity) return std::min(1.0, bound);
  const double sigma_min =
      p.mass.empty() ? 0 : *std::min_element(p.mass.begin(), p.mass.end()) / (p.theta * p.step_s);
  return std::min(2 / (sigma_min + lambda_max), bound);
}

}  // namespace nodia
