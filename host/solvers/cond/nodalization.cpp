#include "host/solvers/cond/nodalization.hpp"

#include <algorithm>
#include <cmath>

#include "host/problem/scalar_part.hpp"

namespace nodia {
namespace {

/// Weights of a point's constraint parts: |x - sum J_e x_e|^2 <= 2 |x|^2 + sum c_e |x_e|^2. Inside
/// a triangle, with J_e = beta_e I and sum |beta_e| <= 1, c_e = 2 |beta_e| (convexity); else c_e =
/// 2 n |J_e|^2.
void weigh(const ContactPoints& points, int k, std::vector<double>* weight) {
  const std::int32_t begin = points.begin[k], end = points.begin[k + 1];
  bool scalar = true;
  double absolute = 0;
  for (std::int32_t e = begin; e < end; ++e) {
    scalar = scalar && is_scalar(points.J[e]);
    absolute += std::fabs(points.J[e](0, 0));
  }
  const bool convex = scalar && absolute <= 1 + 1e-12;
  for (std::int32_t e = begin; e < end; ++e) {
    const Mat3d& J = points.J[e];
    const double squared =
        scalar ? J(0, 0) * J(0, 0)
               : squared_norm(J.row[0]) + squared_norm(J.row[1]) + squared_norm(J.row[2]);
    (*weight)[e] = convex ? 2 * std::fabs(J(0, 0)) : 2 * (end - begin) * squared;
  }
}

}  // namespace

void size_for(const ContactProblem& p, Nodalization* out) {
  out->gain.resize(static_cast<std::size_t>(p.points.size()));
  out->softness.resize(p.contacts.size());
  out->constraint_weight.resize(p.points.row.size());
}

void nodalize(const ContactProblem& p, int env, const std::vector<Vec3d>& compliance,
              const CondOptions& options, Nodalization* out) {
  const ContactNodeCoupling coupling = options.coupling();
  const int first = p.env_contact_begin[env], end = p.env_contact_begin[env + 1];
  std::fill(out->softness.begin() + first, out->softness.begin() + end, 0.0);
  const int first_point = p.first_point(env), end_point = p.first_point(env + 1);
  if (first_point == end_point) return;
  std::fill(out->gain.begin() + first_point, out->gain.begin() + end_point, 0.0);
  const auto for_points = [&](const Contact<double>& c, auto&& visit) {
    for (const std::int32_t side : {c.side_i, c.side_j})
      if (side != kWorld && p.is_point(side)) visit(side - p.n_node());
  };
  for (int m = first; m < end; ++m) {
    const double gain = coupling.gain(compliance[m]);
    for_points(p.contacts[m], [&](int k) { out->gain[k] = std::max(out->gain[k], gain); });
  }
  for (int m = first; m < end; ++m)
    for_points(p.contacts[m], [&](int k) { out->softness[m] += 1 / out->gain[k]; });
  for (int k = first_point; k < end_point; ++k) {
    if (!(out->gain[k] > 0)) out->gain[k] = 1;  // a point without a contact
    weigh(p.points, k, &out->constraint_weight);
  }
}

void nodalize(const ContactProblem& p, const std::vector<Vec3d>& compliance,
              const CondOptions& options, Nodalization* out) {
  size_for(p, out);
  for (int e = 0; e < p.n_env(); ++e) nodalize(p, e, compliance, options, out);
}

}  // namespace nodia
