#include "host/solvers/cond/tie_layout.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace nodia {
namespace {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Matrix3d to_eigen(const Mat3d& m) {
  Eigen::Matrix3d e;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) e(i, j) = m(i, j);
  return e;
}

/// B of kernels/vfpi/row_groups.hpp but for the ties.
void matrix_of_group(const ContactProblem& p, const RowGroup& group, RowMajorMatrix* B) {
  const BlockPattern& pattern = *p.A.pattern;
  B->setZero(3 * group.n_row, 3 * group.n_row);
  for (int i = 0; i < group.n_row; ++i) {
    const int row = group.first_row + i;
    for (int k = pattern.row_begin[row]; k < pattern.row_begin[row + 1]; ++k) {
      const int j = pattern.column[k] - group.first_row;
      const Eigen::Matrix3d a = to_eigen(p.A.block(k));
      if (j >= 0 && j < group.n_row)
        B->block<3, 3>(3 * i, 3 * j) += a;
      else
        B->diagonal().segment<3>(3 * i) += a.cwiseAbs().rowwise().sum();
    }
  }
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
  tie_jacobian.clear();
  if (problem.points.size() == 0 && problem.groups.empty()) return;
  tie_gain.assign(nodes.gain.begin(), nodes.gain.end());
  tie_weight.assign(nodes.tie_weight.begin(), nodes.tie_weight.end());
  for (int e = 0; e < problem.n_env(); ++e) {
    build_ties(problem, rows, e);
    build_groups(problem, rows, e);
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
  const auto below = [](const RowGroup& g, std::int32_t row) { return g.first_row < row; };
  const auto first = std::lower_bound(problem.groups.begin(), problem.groups.end(),
                                      problem.env_node_begin[e], below);
  const auto end =
      std::lower_bound(first, problem.groups.end(), problem.env_node_begin[e + 1], below);
  range.n_group = static_cast<std::int32_t>(end - first);

  std::vector<RowMajorMatrix> B(static_cast<std::size_t>(range.n_group));
  for (auto g = first; g != end; ++g) matrix_of_group(problem, *g, &B[g - first]);
  const auto group_of = [&](std::int32_t row) {
    const auto next = std::upper_bound(
        first, end, row, [](std::int32_t r, const RowGroup& g) { return r < g.first_row; });
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

}  // namespace nodia
