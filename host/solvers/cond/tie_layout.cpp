#include "host/solvers/cond/tie_layout.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "fem/eigen_block.hpp"

namespace nodia {
namespace {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// B of kernels/vfpi/row_groups.hpp but for the ties.
void matrix_of_group(const ContactProblem& p, const Body& group, RowMajorMatrix* B) {
  const BlockPattern& pattern = *p.A.pattern;
  B->setZero(3 * group.n_row, 3 * group.n_row);
  for (int i = 0; i < group.n_row; ++i) {
    const int row = group.first_row + i;
    for (int k = pattern.row_begin[row]; k < pattern.row_begin[row + 1]; ++k) {
      const int j = pattern.column[k] - group.first_row;
      const Eigen::Matrix3d a = to_eigen(p.A.block(k));
      if (j >= 0 && j < group.n_row) B->block<3, 3>(3 * i, 3 * j) += a;
    }
  }
}

/// Bodies of an environment that are treated in one way, rows counted over all environments.
template <class Kind>
std::vector<Body> bodies_of(const ContactProblem& p, int e, const Kind& of_kind) {
  std::vector<Body> bodies;
  for (Body body : p.topology[e]->bodies) {
    if (!of_kind(body.kind)) continue;
    body.first_row += p.env_node_begin[e];
    bodies.push_back(body);
  }
  return bodies;
}

}  // namespace

void TieLayout::build(const ContactProblem& problem, const RowLayout& rows,
                      const Nodalization& nodes) {
  env.assign(problem.n_env(), {});
  for (auto* list : {&tie_begin, &tie_row, &tied_row, &tied_begin, &tied_part, &group_begin,
                     &group_row, &group_value_begin})
    list->clear();
  group_block.clear();
  group_inverse.clear();
  chain_begin.clear();
  chain_row.clear();
  chain_free.clear();
  chain_matrix.clear();
  tie_jacobian.clear();
  const bool only_soft =
      std::all_of(problem.topology.begin(), problem.topology.end(), [](const auto& topology) {
        return std::all_of(topology->bodies.begin(), topology->bodies.end(),
                           [](const Body& body) { return body.kind == BodyKind::soft; });
      });
  if (problem.points.size() == 0 && only_soft) return;
  tie_gain.assign(nodes.gain.begin(), nodes.gain.end());
  tie_weight.assign(nodes.tie_weight.begin(), nodes.tie_weight.end());
  for (int e = 0; e < problem.n_env(); ++e) {
    build_ties(problem, rows, e);
    build_groups(problem, rows, e);
    build_chains(problem, rows, e);
  }
}

void TieLayout::build_ties(const ContactProblem& problem, const RowLayout& rows, int e) {
  const ContactPoints& points = problem.points;
  TieRange& range = env[e];
  const std::int32_t first = problem.first_point(e), end = problem.first_point(e + 1);
  range.n_virtual = end - first;
  range.first_virtual = first;
  range.first_part = static_cast<std::int64_t>(tie_row.size());
  range.first_tied_row = static_cast<std::int64_t>(tied_row.size());
  struct Tie {
    std::int32_t row, part, node;
  };
  std::vector<Tie> ties;
  for (std::int32_t k = first; k < end; ++k) {
    tie_begin.push_back(points.begin[k] - points.begin[first]);
    for (std::int32_t part = points.begin[k]; part < points.begin[k + 1]; ++part) {
      const std::int32_t row = rows.local_row(e, points.row[part]);
      ties.push_back({row, part - points.begin[first], k - first});
      tie_row.push_back(row);
      for (const Vec3d& r : points.J[part].row)
        for (int axis = 0; axis < 3; ++axis) tie_jacobian.push_back(r[axis]);
    }
  }
  tie_begin.push_back(points.begin[end] - points.begin[first]);
  std::sort(ties.begin(), ties.end(), [](const Tie& a, const Tie& b) {
    return a.row != b.row ? a.row < b.row : a.part < b.part;
  });
  for (std::size_t t = 0; t < ties.size(); ++t) {
    if (t == 0 || ties[t].row != ties[t - 1].row) {
      tied_row.push_back(ties[t].row);
      tied_begin.push_back(static_cast<std::int32_t>(t));
    }
    tied_part.push_back(ties[t].part);
    tied_part.push_back(ties[t].node);
  }
  tied_begin.push_back(static_cast<std::int32_t>(ties.size()));
  range.n_tied_row =
      static_cast<std::int32_t>(static_cast<std::int64_t>(tied_row.size()) - range.first_tied_row);
}

void TieLayout::build_groups(const ContactProblem& problem, const RowLayout& rows, int e) {
  const ContactPoints& points = problem.points;
  TieRange& range = env[e];
  range.first_group = static_cast<std::int64_t>(group_value_begin.size());
  range.first_group_row = static_cast<std::int64_t>(group_row.size());
  range.first_group_value = static_cast<std::int64_t>(group_block.size());
  const std::vector<Body> groups = bodies_of(problem, e, is_dense);
  const auto first = groups.begin(), end = groups.end();
  range.n_group = static_cast<std::int32_t>(groups.size());

  std::vector<RowMajorMatrix> B(groups.size());
  for (auto g = first; g != end; ++g) matrix_of_group(problem, *g, &B[g - first]);
  const auto group_of = [&](std::int32_t row) {
    const auto next = std::upper_bound(
        first, end, row, [](std::int32_t r, const Body& g) { return r < g.first_row; });
    if (next == first) return end;
    const auto g = next - 1;
    return row < g->first_row + g->n_row ? g : end;
  };
  // kv Jv^T Jv. Parts of a point in different groups count as points of their own, as often as the
  // point has parts: (a + b)^2 <= 2 a^2 + 2 b^2.
  for (std::int32_t k = problem.first_point(e); k < problem.first_point(e + 1); ++k) {
    const double gain = tie_gain[k];
    const std::int32_t part_begin = points.begin[k], part_end = points.begin[k + 1];
    bool one_group = true;
    for (std::int32_t a = part_begin; a < part_end; ++a)
      one_group = one_group && group_of(points.row[a]) == group_of(points.row[part_begin]);
    const double share = one_group ? 1 : part_end - part_begin;
    for (std::int32_t a = part_begin; a < part_end; ++a) {
      const auto g = group_of(points.row[a]);
      if (g == end) continue;
      for (std::int32_t b = part_begin; b < part_end; ++b) {
        if (group_of(points.row[b]) != g) continue;
        B[g - first].block<3, 3>(3 * (points.row[a] - g->first_row),
                                 3 * (points.row[b] - g->first_row)) +=
            share * gain * to_eigen(points.J[a]).transpose() * to_eigen(points.J[b]);
      }
    }
  }
  std::int32_t n_row = 0, n_value = 0;
  for (auto g = first; g != end; ++g) {
    const RowMajorMatrix& block = B[g - first];
    const RowMajorMatrix inverse =
        block.llt().solve(RowMajorMatrix::Identity(block.rows(), block.cols()));
    group_begin.push_back(n_row);
    group_value_begin.push_back(n_value);
    for (std::int32_t i = 0; i < g->n_row; ++i)
      group_row.push_back(rows.local_row(e, g->first_row + i));
    group_block.insert(group_block.end(), block.data(), block.data() + block.size());
    group_inverse.insert(group_inverse.end(), inverse.data(), inverse.data() + inverse.size());
    n_row += g->n_row;
    n_value += static_cast<std::int32_t>(block.size());
  }
  group_begin.push_back(n_row);
}

namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

void append(const Matrix6& m, AlignedVector<double>* values) {
  values->insert(values->end(), m.data(), m.data() + m.size());
}

}  // namespace

void TieLayout::build_chains(const ContactProblem& problem, const RowLayout& rows, int e) {
  const ContactPoints& points = problem.points;
  TieRange& range = env[e];
  range.first_chain = static_cast<std::int64_t>(chain_begin.size()) - e;
  range.first_link = static_cast<std::int64_t>(chain_row.size()) / kLinkRows;
  std::vector<std::int32_t> first_row;  // of the environment's chains
  std::vector<Matrix6> diagonal, lower;
  std::int32_t n_link = 0;
  const auto is_chain = [](BodyKind kind) { return kind == BodyKind::chain; };
  for (const Body& g : bodies_of(problem, e, is_chain)) {
    ++range.n_chain;
    chain_begin.push_back(n_link);
    for (std::int32_t k = 0; k < g.n_row / kLinkRows; ++k) {
      Matrix6 own = Matrix6::Zero(), left = Matrix6::Zero();
      for (std::int32_t r = 0; r < kLinkRows; ++r) {
        const std::int32_t row = g.first_row + kLinkRows * k + r;
        chain_row.push_back(rows.local_row(e, row));
        first_row.push_back(row);
        for (std::int32_t b = problem.A.pattern->row_begin[row];
             b < problem.A.pattern->row_begin[row + 1]; ++b) {
          const std::int32_t column = problem.A.pattern->column[b] - (row - r);
          if (column >= 0 && column < kLinkRows)
            own.block<3, 3>(3 * r, 3 * column) = to_eigen(problem.A.block(b));
          else if (k > 0 && column >= -kLinkRows && column < 0)
            left.block<3, 3>(3 * r, 3 * (column + kLinkRows)) = to_eigen(problem.A.block(b));
        }
      }
      diagonal.push_back(own);
      lower.push_back(left);
    }
    n_link += g.n_row / kLinkRows;
  }
  chain_begin.push_back(n_link);
  if (n_link == 0) return;
  // first_row holds every row of the chains, ascending.
  const auto place = [&](std::int32_t row) {
    const auto found = std::lower_bound(first_row.begin(), first_row.end(), row);
    return found != first_row.end() && *found == row
               ? static_cast<std::int32_t>(found - first_row.begin())
               : -1;
  };
  for (std::int32_t k = problem.first_point(e); k < problem.first_point(e + 1); ++k) {
    for (std::int32_t a = points.begin[k]; a < points.begin[k + 1]; ++a) {
      const std::int32_t i = place(points.row[a]);
      if (i < 0) continue;
      for (std::int32_t b = points.begin[k]; b < points.begin[k + 1]; ++b) {
        const std::int32_t j = place(points.row[b]);
        if (j < 0 || j / kLinkRows != i / kLinkRows) continue;
        diagonal[i / kLinkRows].block<3, 3>(3 * (i % kLinkRows), 3 * (j % kLinkRows)) +=
            tie_gain[k] * to_eigen(points.J[a]).transpose() * to_eigen(points.J[b]);
      }
    }
  }
  // Rows in contacts are not free.
  const std::size_t first_free = chain_free.size();
  chain_free.resize(first_free + first_row.size(), 1);
  for (std::int32_t m = problem.env_contact_begin[e]; m < problem.env_contact_begin[e + 1]; ++m)
    for (const std::int32_t side : {problem.contacts[m].node_i, problem.contacts[m].node_j})
      if (side != kWorld && !problem.is_point(side))
        if (const std::int32_t i = place(side); i >= 0) chain_free[first_free + i] = 0;

  Matrix6 inverse_before = Matrix6::Zero();
  for (std::int32_t k = 0; k < n_link; ++k) {
    Matrix6 &own = diagonal[k], &left = lower[k];
    for (std::int32_t r = 0; r < kLinkRows; ++r) {
      if (chain_free[first_free + kLinkRows * k + r] == 0) {
        own.middleRows<3>(3 * r).setZero();
        own.middleCols<3>(3 * r).setZero();
        own.block<3, 3>(3 * r, 3 * r).setIdentity();
        left.middleRows<3>(3 * r).setZero();
      }
      if (k > 0 && chain_free[first_free + kLinkRows * (k - 1) + r] == 0)
        left.middleCols<3>(3 * r).setZero();
    }
    const Matrix6 factor = left * inverse_before;  // zero at the start of a chain
    const Matrix6 S = own - factor * left.transpose();
    const Matrix6 inverse = S.llt().solve(Matrix6::Identity());
    append(own, &chain_matrix);
    append(left, &chain_matrix);
    append(inverse, &chain_matrix);
    append(factor, &chain_matrix);
    inverse_before = inverse;
  }
}

}  // namespace nodia
