#include "host/solvers/newton/whole_body_energy.hpp"

namespace nodia {
namespace {

/// Distance between rows that move alike; kLinkRows for the linear rows of a cable.
int stride_of(const Body& body) {
  return body.kind == BodyKind::chain ? kLinkRows : 1;
}

}  // namespace

WholeBodyEnergy::WholeBodyEnergy(const ContactProblem& problem) : problem_(problem) {
  const BlockPattern& pattern = *problem.A.pattern;
  factor_.reserve(problem.topology[0]->bodies.size());
  for (const Body& body : problem.topology[0]->bodies) {
    const bool whole = !is_dense(body.kind);
    const int n = whole ? 1 : body.n_row;
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    const int stride = stride_of(body);
    for (int i = 0; i < body.n_row; i += stride) {
      const std::int32_t row = body.first_row + i;
      for (std::int32_t k = pattern.row_begin[row]; k < pattern.row_begin[row + 1]; ++k) {
        const std::int32_t j = pattern.column[k] - body.first_row;
        if (j < 0 || j >= body.n_row || j % stride != 0) continue;
        const Mat3d block = problem.A.block(k);
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c)
            matrix(whole ? r : 3 * i + r, whole ? c : 3 * j + c) += block(r, c);
      }
    }
    factor_.emplace_back(matrix);
  }
}

double WholeBodyEnergy::operator()(const std::vector<Vec3d>& f) const {
  double energy = 0;
  const std::vector<Body>& bodies = problem_.topology[0]->bodies;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const bool whole = !is_dense(bodies[b].kind);
    Eigen::VectorXd force = Eigen::VectorXd::Zero(factor_[b].rows());
    for (int i = 0; i < bodies[b].n_row; i += stride_of(bodies[b]))
      for (int r = 0; r < 3; ++r) force(whole ? r : 3 * i + r) += f[bodies[b].first_row + i][r];
    energy += force.dot(factor_[b].solve(force));
  }
  return energy;
}

}  // namespace nodia
