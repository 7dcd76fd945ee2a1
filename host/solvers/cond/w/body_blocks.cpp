/// Set-up of the dense preconditioner blocks of bodies (kernels/vfpi/w/body_blocks.hpp).

#include <Eigen/Dense>
#include <algorithm>

#include "fem/matrix/eigen_block.hpp"
#include "host/solvers/cond/w/set_up.hpp"

namespace nodia {
namespace {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// B of kernels/vfpi/w/body_blocks.hpp without point constraints.
RowMajorMatrix block_of_A(const ContactProblem& p, const Body& body) {
  const BlockPattern& pattern = *p.A.pattern;
  RowMajorMatrix B = RowMajorMatrix::Zero(3 * body.n_row, 3 * body.n_row);
  for (int i = 0; i < body.n_row; ++i) {
    const int row = body.first_row + i;
    for (int k = pattern.row_begin[row]; k < pattern.row_begin[row + 1]; ++k) {
      const int j = pattern.column[k] - body.first_row;
      const Eigen::Matrix3d a = to_eigen(p.A.block(k));
      if (j >= 0 && j < body.n_row) B.block<3, 3>(3 * i, 3 * j) += a;
    }
  }
  return B;
}

/// B += kv Jv^T Jv. A point with parts in different bodies counts as separate points, once per
/// part: (a + b)^2 <= 2 a^2 + 2 b^2.
void add_point_constraints(const ContactProblem& problem, const Nodalization& nodes, int e,
                           const std::vector<Body>& bodies, std::vector<RowMajorMatrix>* B) {
  const ContactPoints& points = problem.points;
  const auto first = bodies.begin(), end = bodies.end();
  const auto body_of = [&](std::int32_t row) {
    const auto next = std::upper_bound(
        first, end, row, [](std::int32_t r, const Body& g) { return r < g.first_row; });
    if (next == first) return end;
    const auto g = next - 1;
    return row < g->first_row + g->n_row ? g : end;
  };
  for (std::int32_t k = problem.first_point(e); k < problem.first_point(e + 1); ++k) {
    const double gain = nodes.gain[k];
    const std::int32_t part_begin = points.begin[k], part_end = points.begin[k + 1];
    bool one_body = true;
    for (std::int32_t a = part_begin; a < part_end; ++a)
      one_body = one_body && body_of(points.row[a]) == body_of(points.row[part_begin]);
    const double share = one_body ? 1 : part_end - part_begin;
    for (std::int32_t a = part_begin; a < part_end; ++a) {
      const auto g = body_of(points.row[a]);
      if (g == end) continue;
      for (std::int32_t b = part_begin; b < part_end; ++b) {
        if (body_of(points.row[b]) != g) continue;
        (*B)[g - first].block<3, 3>(3 * (points.row[a] - g->first_row),
                                    3 * (points.row[b] - g->first_row)) +=
            share * gain * to_eigen(points.J[a]).transpose() * to_eigen(points.J[b]);
      }
    }
  }
}

}  // namespace

void BodyBlockPart::prepare(PartSetUp& s, BodyBlocks<HostMemory>* blocks) {
  BodyBlockOffsets next;
  for (int e = 0; e <= s.problem.n_env(); ++e) {
    LoopRange& range = s.ranges[e];
    next.first_body_begin = next.first_body + e;
    static_cast<BodyBlockOffsets&>(range) = next;
    static_cast<BodyBlockCounts&>(range) = {};
    if (e == s.problem.n_env()) break;
    for_bodies(s.problem, e, is_dense, [&](const Body& body) {
      ++range.n_body;
      next.first_body_row += body.n_row;
      next.first_body_value += 9 * static_cast<std::int64_t>(body.n_row) * body.n_row;
    });
    next.first_body += range.n_body;
  }
  blocks->body_begin.resize(next.first_body_begin);
  blocks->body_row.resize(next.first_body_row);
  blocks->body_value_begin.resize(next.first_body);
  blocks->body_matrix.resize(next.first_body_value);
  blocks->body_inverse.resize(next.first_body_value);
}

void BodyBlockPart::fill(const PartSetUp& s, int e, BodyBlocks<HostMemory>* blocks) {
  const LoopRange& range = s.ranges[e];
  std::int32_t* begin = blocks->body_begin.data() + range.first_body_begin;
  begin[0] = 0;
  if (range.n_body == 0) return;
  std::vector<Body> bodies;
  std::vector<RowMajorMatrix> B;
  for_bodies(s.problem, e, is_dense, [&](const Body& body) {
    bodies.push_back(body);
    B.push_back(block_of_A(s.problem, body));
  });
  add_point_constraints(s.problem, s.nodes, e, bodies, &B);
  std::int64_t value = 0;
  for (std::int32_t g = 0; g < range.n_body; ++g) {
    const RowMajorMatrix inverse =
        B[g].llt().solve(RowMajorMatrix::Identity(B[g].rows(), B[g].cols()));
    begin[g + 1] = begin[g] + bodies[g].n_row;
    blocks->body_value_begin[range.first_body + g] = static_cast<std::int32_t>(value);
    for (std::int32_t i = 0; i < bodies[g].n_row; ++i)
      blocks->body_row[range.first_body_row + begin[g] + i] =
          s.rows.local_row(bodies[g].first_row + i);
    const std::int64_t at = range.first_body_value + value;
    std::copy_n(B[g].data(), B[g].size(), blocks->body_matrix.begin() + at);
    std::copy_n(inverse.data(), inverse.size(), blocks->body_inverse.begin() + at);
    value += B[g].size();
  }
}

}  // namespace nodia
