#include "host/solvers/cond/reference/cond_reference_system.hpp"

#include <algorithm>
#include <utility>

#include "host/errors/errors.hpp"
#include "host/problem/contact_jacobian.hpp"
#include "host/solvers/linear/stacked_vector.hpp"
#include "kernels/contact/natural_map.hpp"

namespace nodia {
namespace {

using Eigen::VectorXd;

/// Problem (15).
ContactProblem nodal_problem(const ContactProblem& p, const Nodalization& nodes) {
  ContactProblem nodal;
  nodal.contacts = p.contacts;  // a point's number is the row of its contact node
  nodal.b = p.b;
  nodal.b.resize(p.b.size() + static_cast<std::size_t>(p.points.size()), Vec3d{});
  struct Block {
    std::int32_t row, column;
    Mat3d value;
  };
  std::vector<Block> blocks;
  for (int i = 0; i < p.n_node(); ++i)
    for (int k = p.A.pattern->row_begin[i]; k < p.A.pattern->row_begin[i + 1]; ++k)
      blocks.push_back({i, p.A.pattern->column[k], p.A.block(k)});
  for (int k = 0; k < p.points.size(); ++k) {
    const double kv = nodes.gain[k];
    const std::int32_t row = p.n_node() + k;
    blocks.push_back({row, row, kv * Mat3d::identity()});
    p.for_parts(row, [&](std::int32_t i, const Mat3d& Ji) {
      blocks.push_back({row, i, -kv * Ji});
      blocks.push_back({i, row, -kv * transpose(Ji)});
      p.for_parts(row, [&](std::int32_t j, const Mat3d& Jj) {
        blocks.push_back({i, j, kv * (transpose(Ji) * Jj)});
      });
    });
  }
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings;
  for (const Block& block : blocks)
    if (block.row < block.column) couplings.emplace_back(block.row, block.column);
  nodal.A = BlockMatrix(BlockPattern::from_couplings(nodal.n_node(), couplings));
  for (const Block& block : blocks) {
    const int k = nodal.A.pattern->find(block.row, block.column);
    nodal.A.set_block(k, nodal.A.block(k) + block.value);
  }
  nodal.env_node_begin = {0, nodal.n_node()};
  nodal.env_contact_begin = {0, nodal.n_contact()};
  return nodal;
}

}  // namespace

NodalSystem::NodalSystem(const ContactProblem& given, const SolverOptions& options)
    : problem(given), compliance(delassus_diagonal_estimate(given)) {
  nodalize(problem, compliance, options.of<CondOptions>(), &nodes);
  nodal = nodal_problem(problem, nodes);
}

ReferenceState reference_start(const NodalSystem& s, const VectorXd& v, const VectorXd& lambda) {
  const ContactProblem& p = s.problem;
  ReferenceState state{VectorXd::Zero(3 * s.nodal.n_node()), lambda};
  if (lambda.size() == 0) state.lambda = VectorXd::Zero(3 * p.n_contact());
  if (v.size() > 0) {
    state.v.head(v.size()) = v;
    const std::vector<Vec3d> rows = split(v);
    for (int k = 0; k < p.points.size(); ++k) {
      const Vec3d point = p.points.velocity(k, rows.data());
      state.v.segment<3>(3 * (p.n_node() + k)) << point.x, point.y, point.z;
    }
  }
  const VectorXd force = contact_jacobian(s.nodal).transpose() * state.lambda;
  for (int k = 0; k < p.points.size(); ++k) {
    const int i = 3 * (p.n_node() + k);
    state.v.segment<3>(i) += force.segment<3>(i) / s.nodes.gain[k];
  }
  return state;
}

VectorXd ahead_of_points(const NodalSystem& s, const VectorXd& lambda) {
  VectorXd ahead = lambda;
  for (int m = 0; m < s.problem.n_contact(); ++m) ahead.segment<3>(3 * m) *= s.nodes.softness[m];
  return ahead;
}

NodalErrors errors_of(const NodalSystem& s, const SolverOptions& o, const ReferenceState& state,
                      const VectorXd& bias) {
  const ContactProblem& p = s.problem;
  const bool cancel_bias = o.of<CondOptions>().bias_cancellation;
  const std::vector<Vec3d> v = split(state.v.head(3 * p.n_node())), lambda = split(state.lambda);
  const std::vector<Vec3d> points = contact_velocity(p, v);
  NodalErrors e;
  double scale = 0;
  for (int m = 0; m < p.n_contact(); ++m) {
    const Contact<double>& c = p.contacts[m];
    const Vec3d d3 = s.compliance[m];
    const double d = std::max({d3.x, d3.y, d3.z}) + o.invertible_omega_m_Ns;
    const auto error = [&](Vec3d u) {
      return d * norm(natural_map(lambda[m], u, d, c.mu1, c.mu2, o.projection));
    };
    const Vec3d u_point = points[m] + o.invertible_omega_m_Ns * lambda[m];
    const Vec3d moved = entry(bias, m) + s.nodes.softness[m] * lambda[m];
    const Vec3d u = cancel_bias ? u_point : u_point + moved;
    e.contact = std::max(e.contact, error(u));
    e.inner = std::max(e.inner, error(u_point + moved));
    if (cancel_bias) e.bias_change = std::max(e.bias_change, norm(moved));
    scale = std::max({scale, d * norm(lambda[m]), norm(u)});
  }
  if (scale > 0)
    for (double* value : {&e.contact, &e.inner, &e.bias_change}) *value /= scale;
  e.residual = solution_errors(p, 0, v, lambda, s.compliance, o.projection).relative_residual;
  return e;
}

}  // namespace nodia
