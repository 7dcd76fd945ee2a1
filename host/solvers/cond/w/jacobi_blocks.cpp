/// Set-up of block Jacobi (kernels/vfpi/w/jacobi_blocks.hpp).
#include <Eigen/Dense>
#include <algorithm>

#include "fem/matrix/eigen_block.hpp"
#include "host/solvers/cond/w/set_up.hpp"

namespace nodia {
namespace {

/// [n_row] of the environment, 1: only A acts on the row.
std::vector<char> free_rows(const ContactProblem& p, int e) {
  const std::int32_t first = p.env_node_begin[e];
  std::vector<char> free(static_cast<std::size_t>(p.env_node_begin[e + 1] - first), 1);
  for (std::int32_t m = p.env_contact_begin[e]; m < p.env_contact_begin[e + 1]; ++m)
    for (const std::int32_t side : {p.contacts[m].side_i, p.contacts[m].side_j})
      if (side != kWorld && !p.is_point(side)) free[side - first] = 0;
  for (std::int32_t part = p.points.begin[p.first_point(e)];
       part < p.points.begin[p.first_point(e + 1)]; ++part)
    free[p.points.row[part] - first] = 0;
  const auto has_block = [](BodyKind kind) { return kind != BodyKind::soft; };
  for_bodies(p, e, has_block, [&](const Body& body) {
    std::fill_n(free.begin() + (body.first_row - first), body.n_row, char{0});
  });
  return free;
}

}  // namespace

void JacobiBlockPart::prepare(PartSetUp& s, JacobiBlocks<HostMemory>* blocks) {
  JacobiBlockOffsets next;
  for (int e = 0; e <= s.problem.n_env(); ++e) {
    LoopRange& range = s.ranges[e];
    static_cast<JacobiBlockOffsets&>(range) = next;
    static_cast<JacobiBlockCounts&>(range) = {};
    if (e == s.problem.n_env() || s.w != WKind::jacobi) continue;
    const std::vector<char> free = free_rows(s.problem, e);
    range.n_jacobi = static_cast<std::int32_t>(std::count(free.begin(), free.end(), 1));
    next.first_jacobi += range.n_jacobi;
  }
  blocks->jacobi_row.resize(next.first_jacobi);
  blocks->jacobi_matrix.resize(9 * next.first_jacobi);
  blocks->jacobi_inverse.resize(9 * next.first_jacobi);
}

void JacobiBlockPart::fill(const PartSetUp& s, int e, JacobiBlocks<HostMemory>* blocks) {
  using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const LoopRange& range = s.ranges[e];
  if (range.n_jacobi == 0) return;
  const ContactProblem& p = s.problem;
  const std::vector<char> free = free_rows(p, e);
  std::int64_t k = range.first_jacobi;
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (free[i] == 0) continue;
    const std::int32_t row = p.env_node_begin[e] + static_cast<std::int32_t>(i);
    const Block own = to_eigen(p.A.block(p.A.pattern->diagonal[row]));
    const Block inverse = own.inverse();
    blocks->jacobi_row[k] = s.rows.local_row(row);
    std::copy_n(own.data(), 9, blocks->jacobi_matrix.begin() + 9 * k);
    std::copy_n(inverse.data(), 9, blocks->jacobi_inverse.begin() + 9 * k);
    ++k;
  }
}

}  // namespace nodia
