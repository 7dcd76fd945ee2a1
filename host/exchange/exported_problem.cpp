#include "host/exchange/exported_problem.hpp"

#include <fmt/format.h>

#include "host/problem/contact_jacobian.hpp"
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
  out.b = contact_offset(problem);
  for (int m = 0; m < problem.n_contact(); ++m) {
    const Contact<double>& c = problem.contacts[m];
    require(c.mu1 == c.mu2, fmt::format("problem.contacts[{}].mu2", m), c.mu2,
            fmt::format("mu1 = {}", c.mu1), "the file format knows isotropic friction only");
    out.mu.push_back(c.mu1);
  }
  out.H = contact_jacobian(problem).transpose();
  out.H.prune(0.0, 0.0);
  out.H.makeCompressed();
  out.M.makeCompressed();
  out.validate(title);
  return out;
}

}  // namespace nodia
