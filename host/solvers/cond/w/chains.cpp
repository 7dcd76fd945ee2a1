/// Set-up of the block tridiagonal blocks of W on chains (kernels/vfpi/w/chains.hpp).

#include <Eigen/Dense>
#include <algorithm>

#include "fem/matrix/eigen_block.hpp"
#include "host/solvers/cond/w/set_up.hpp"

namespace nodia {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

/// The links of an environment's chains.
struct Links {
  std::vector<std::int32_t> row;         ///< kLinkRows each, ascending
  std::vector<std::uint8_t> free;        ///< per row
  std::vector<Matrix6> diagonal, lower;  ///< B_kk, B_k(k-1); the first of a chain has no lower one

  auto n_link() const { return static_cast<std::int32_t>(diagonal.size()); }
  /// Place of a row; -1: not of a chain.
  std::int32_t place(std::int32_t r) const {
    const auto found = std::lower_bound(row.begin(), row.end(), r);
    return found != row.end() && *found == r ? static_cast<std::int32_t>(found - row.begin()) : -1;
  }
};

/// A's blocks of a link and with the one before it.
void add_link(const ContactProblem& problem, std::int32_t first_row, bool first, Links* links) {
  const BlockPattern& pattern = *problem.A.pattern;
  Matrix6 own = Matrix6::Zero(), left = Matrix6::Zero();
  for (std::int32_t r = 0; r < kLinkRows; ++r) {
    const std::int32_t row = first_row + r;
    links->row.push_back(row);
    for (std::int32_t b = pattern.row_begin[row]; b < pattern.row_begin[row + 1]; ++b) {
      const std::int32_t column = pattern.column[b] - first_row;
      if (column >= 0 && column < kLinkRows)
        own.block<3, 3>(3 * r, 3 * column) = to_eigen(problem.A.block(b));
      else if (!first && column >= -kLinkRows && column < 0)
        left.block<3, 3>(3 * r, 3 * (column + kLinkRows)) = to_eigen(problem.A.block(b));
    }
  }
  links->diagonal.push_back(own);
  links->lower.push_back(left);
}

/// B_kk += kv Jv^T Jv.
void add_ties(const ContactProblem& problem, const Nodalization& nodes, int e, Links* links) {
  const ContactPoints& points = problem.points;
  for (std::int32_t k = problem.first_point(e); k < problem.first_point(e + 1); ++k) {
    for (std::int32_t a = points.begin[k]; a < points.begin[k + 1]; ++a) {
      const std::int32_t i = links->place(points.row[a]);
      if (i < 0) continue;
      for (std::int32_t b = points.begin[k]; b < points.begin[k + 1]; ++b) {
        const std::int32_t j = links->place(points.row[b]);
        if (j < 0 || j / kLinkRows != i / kLinkRows) continue;
        links->diagonal[i / kLinkRows].block<3, 3>(3 * (i % kLinkRows), 3 * (j % kLinkRows)) +=
            nodes.gain[k] * to_eigen(points.J[a]).transpose() * to_eigen(points.J[b]);
      }
    }
  }
}

/// Rows in contacts are not free: the identity, coupled with nothing.
void fix_rows_in_contact(const ContactProblem& problem, int e, Links* links) {
  links->free.assign(links->row.size(), 1);
  for (std::int32_t m = problem.env_contact_begin[e]; m < problem.env_contact_begin[e + 1]; ++m)
    for (const std::int32_t side : {problem.contacts[m].side_i, problem.contacts[m].side_j})
      if (side != kWorld && !problem.is_point(side))
        if (const std::int32_t i = links->place(side); i >= 0) links->free[i] = 0;
  for (std::int32_t k = 0; k < links->n_link(); ++k) {
    Matrix6 &own = links->diagonal[k], &left = links->lower[k];
    for (std::int32_t r = 0; r < kLinkRows; ++r) {
      if (links->free[kLinkRows * k + r] == 0) {
        own.middleRows<3>(3 * r).setZero();
        own.middleCols<3>(3 * r).setZero();
        own.block<3, 3>(3 * r, 3 * r).setIdentity();
        left.middleRows<3>(3 * r).setZero();
      }
      if (k > 0 && links->free[kLinkRows * (k - 1) + r] == 0) left.middleCols<3>(3 * r).setZero();
    }
  }
}

double* append(const Matrix6& m, double* values) {
  return std::copy_n(m.data(), m.size(), values);
}

}  // namespace

void ChainPart::prepare(PartSetUp& s, Chains<HostMemory>* chains) {
  static_assert(kLinkRows == kRowsOfLink);
  ChainOffsets next;
  std::int64_t n_chain = 0;
  for (int e = 0; e <= s.problem.n_env(); ++e) {
    LoopRange& range = s.ranges[e];
    next.first_chain_begin = n_chain + e;
    static_cast<ChainOffsets&>(range) = next;
    static_cast<ChainCounts&>(range) = {};
    if (e == s.problem.n_env()) break;
    for_bodies(s.problem, e, is_chain, [&](const Body& chain) {
      ++range.n_chain;
      next.first_link += chain.n_row / kLinkRows;
    });
    n_chain += range.n_chain;
  }
  chains->chain_begin.resize(next.first_chain_begin);
  chains->chain_row.resize(kLinkRows * next.first_link);
  chains->chain_free.resize(kLinkRows * next.first_link);
  chains->chain_matrix.resize(kLinkMatrices * kLinkMatrixSize * next.first_link);
}

void ChainPart::fill(const PartSetUp& s, int e, Chains<HostMemory>* chains) {
  const LoopRange& range = s.ranges[e];
  std::int32_t* begin = chains->chain_begin.data() + range.first_chain_begin;
  begin[0] = 0;
  if (range.n_chain == 0) return;
  Links links;
  for_bodies(s.problem, e, is_chain, [&](const Body& chain) {
    for (std::int32_t k = 0; k < chain.n_row / kLinkRows; ++k)
      add_link(s.problem, chain.first_row + kLinkRows * k, k == 0, &links);
    *++begin = links.n_link();
  });
  add_ties(s.problem, s.nodes, e, &links);
  fix_rows_in_contact(s.problem, e, &links);
  std::copy(links.free.begin(), links.free.end(),
            chains->chain_free.begin() + kLinkRows * range.first_link);
  std::transform(links.row.begin(), links.row.end(),
                 chains->chain_row.begin() + kLinkRows * range.first_link,
                 [&](std::int32_t row) { return s.rows.local_row(row); });

  double* out = chains->chain_matrix.data() + kLinkMatrices * kLinkMatrixSize * range.first_link;
  Matrix6 inverse_before = Matrix6::Zero();
  for (std::int32_t k = 0; k < links.n_link(); ++k) {
    const Matrix6 &own = links.diagonal[k], &left = links.lower[k];
    const Matrix6 factor = left * inverse_before;  // zero at the start of a chain
    const Matrix6 S = own - factor * left.transpose();
    const Matrix6 inverse = S.llt().solve(Matrix6::Identity());
    out = append(inverse, append(left, append(own, out)));
    out = append(factor, out);
    inverse_before = inverse;
  }
}

}  // namespace nodia
