#include "host/exchange/exported_problem.hpp"

#include <fmt/format.h>

#include <vector>

#include "kernels/core/error.hpp"

namespace nodia {

FrictionProblem exported_problem(const ContactProblem& problem, const std::string& title) {
  FrictionProblem out;
  out.kind = FrictionKind::global;
  out.title = title;
  out.M = problem.A.to_eigen();
  out.M.prune(0.0, 0.0);
  out.q.resize(3 * problem.n_node());
  for (int i = 0; i < problem.n_node(); ++i)
    for (int axis = 0; axis < 3; ++axis) out.q[3 * i + axis] = problem.b[i][axis];
  out.b.resize(3 * problem.n_contact());
  std::vector<Eigen::Triplet<double>> entries;
  for (int m = 0; m < problem.n_contact(); ++m) {
    const Contact<double>& c = problem.contacts[m];
    require(c.mu1 == c.mu2, fmt::format("problem.contacts[{}].mu2", m), c.mu2,
            fmt::format("mu1 = {}", c.mu1), "the file format knows isotropic friction only");
    out.mu.push_back(c.mu1);
    for (int axis = 0; axis < 3; ++axis) out.b[3 * m + axis] = c.phi[axis];
    const auto add = [&](std::int32_t side, double sign) {
      problem.for_parts(side, [&](std::int32_t row, const Mat3d& part) {
        const Mat3d RJ = c.R * part;
        for (int axis = 0; axis < 3; ++axis)
          for (int k = 0; k < 3; ++k)
            entries.emplace_back(3 * row + k, 3 * m + axis, sign * RJ(axis, k));
      });
    };
    add(c.node_i, 1);
    if (c.node_j != kWorld) add(c.node_j, -1);
  }
  out.H.resize(3 * problem.n_node(), 3 * problem.n_contact());
  out.H.setFromTriplets(entries.begin(), entries.end());
  out.H.prune(0.0, 0.0);
  out.H.makeCompressed();
  out.M.makeCompressed();
  out.validate(title);
  return out;
}

}  // namespace nodia
