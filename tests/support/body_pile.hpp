/// Random rigid bodies that press on each other and on the ground.
#pragma once

#include <cmath>
#include <random>

#include "host/problem/contact_problem.hpp"

namespace nodia::test {

struct PileOptions {
  unsigned seed = 1;
  int n_body = 5;
  double decades = 0;  ///< masses are 10^[-decades/2, decades/2] kg
  double most_friction = 1;
};

/// A stack of n_body bodies with 3 contacts at each joint between two, and some that touch the
/// second next; with positions.
inline ContactProblem body_pile(const PileOptions& options) {
  std::mt19937_64 engine(options.seed);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  constexpr double kStep = 0.005, kSize = 0.1;
  ContactProblem p;
  p.step_s = kStep;
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings;
  std::vector<Body> bodies;
  for (int k = 0; k < options.n_body; ++k) {
    bodies.push_back({BodyKind::rigid, 2 * k, 2});
    couplings.emplace_back(2 * k, 2 * k + 1);
  }
  const int n = 2 * options.n_body;
  p.A = BlockMatrix(BlockPattern::from_couplings(n, couplings));
  for (int k = 0; k < options.n_body; ++k) {
    const double mass = std::pow(10, options.decades * uniform(-0.5, 0.5));
    const double inertia = mass * kSize * kSize / 6;
    p.A.set_block(p.A.pattern->diagonal[2 * k], mass / kStep * Mat3d::identity());
    p.A.set_block(p.A.pattern->diagonal[2 * k + 1], inertia / kStep * Mat3d::identity());
    p.b.push_back({0, 0, -9.81 * mass});
    p.b.push_back({});
    p.mass.insert(p.mass.end(), {mass, inertia});
    p.position.insert(p.position.end(), 2, {0, 0, kSize * (k + 0.5)});
  }
  const auto add_point = [&](int body, Vec3d arm) {
    p.points.add(2 * body, Mat3d::identity());
    p.points.add(2 * body + 1, {{{0, arm.z, -arm.y}, {-arm.z, 0, arm.x}, {arm.y, -arm.x, 0}}});
    return n + p.points.finish();
  };
  for (int k = 0; k < options.n_body; ++k)
    for (int corner = 0; corner < 3; ++corner) {
      const double angle = 2.1 * corner + uniform(-0.2, 0.2);
      const Vec3d side{0.05 * std::cos(angle), 0.05 * std::sin(angle), 0};
      Contact<double> c;
      c.side_i = add_point(k, {side.x, side.y, -0.05});
      c.side_j = k == 0 ? kWorld : add_point(k - 1, {side.x, side.y, 0.05});
      c.R = frame_from_normal(Vec3d{0, 0, 1});
      c.mu1 = c.mu2 = uniform(0, options.most_friction);
      c.key = engine();
      p.contacts.push_back(c);
    }
  p.env_node_begin.push_back(n);
  p.env_contact_begin.push_back(p.n_contact());
  p.env_point_begin.push_back(p.points.size());
  p.derive_topology(bodies);
  return p;
}

}  // namespace nodia::test
