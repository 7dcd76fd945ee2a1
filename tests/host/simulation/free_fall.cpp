/// Pairs of soft bodies that fly beside each other, with open contacts near: each falls with g.
#include <gtest/gtest.h>

#include <random>

#include "host/solvers/solver_options.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {
namespace {

/// Momentum of each body of a scene of soft bodies [kg m/s].
std::vector<Vec3d> momenta(const ContactProblem& p, const std::vector<Vec3d>& v) {
  std::vector<Vec3d> sums;
  for (const Body& body : p.topology[0]->bodies) {
    Vec3d sum{};
    for (int i = body.first_row; i < body.first_row + body.n_row; ++i) sum += p.mass[i] * v[i];
    sums.push_back(sum);
  }
  return sums;
}

TEST(FreeFall, OfSoftBodiesBesideEachOtherIsThatOfEachAlone) {
  std::mt19937_64 random(11);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  int n_near = 0, n_converged = 0;
  double worst = 0;
  for (int sample = 0; sample < 100; ++sample) {
    const double size[2] = {uniform(0.01, 0.05), uniform(0.01, 0.05)};
    const double gap = uniform(2e-4, 1.5e-3);
    Scene scene = box_scene({size[0], size[0], size[0]}, {2, 2, 2}, {-size[0] - gap, 0, 1});
    scene.soft_bodies.push_back(
        box_scene({size[1], size[1], size[1]}, {3, 2, 2}, {0, 0, 1}).soft_bodies[0]);
    scene.gravity_m_s2 = {0, 0, -9.81};
    scene.time.step_s = uniform(1e-3, 1e-2);
    for (SoftBodyDescription& body : scene.soft_bodies) {
      body.material.youngs_modulus_Pa = std::exp(uniform(std::log(1e5), std::log(1e8)));
      body.material.density_kg_m3 = std::exp(uniform(std::log(100), std::log(8000)));
    }
    scene.soft_bodies[1].name = "other";
    const Vec3d velocity{0, uniform(-3, 3), uniform(-3, 3)};
    for (SoftBodyDescription& body : scene.soft_bodies) body.velocity = velocity;
    SolverOptions options;
    options.solver = "newton";
    options.tolerance = 1e-3;
    Simulation simulation({scene}, options);
    for (int k = 0; k < 10; ++k) {
      const ContactProblem p = simulation.build_problem();
      n_near += p.n_contact() > 0;
      const std::vector<Vec3d> before = momenta(p, simulation.state().v);
      if (simulation.step().front().solve.status != SolveStatus::converged) continue;
      ++n_converged;
      const std::vector<Vec3d> after = momenta(p, simulation.state().v);
      for (std::size_t b = 0; b < before.size(); ++b) {
        double mass = 0;
        const Body& body = p.topology[0]->bodies[b];
        for (int i = body.first_row; i < body.first_row + body.n_row; ++i) mass += p.mass[i];
        const Vec3d a = (1 / (mass * scene.time.step_s)) * (after[b] - before[b]);
        worst = std::max(worst, norm(a - scene.gravity_m_s2));
      }
    }
  }
  EXPECT_LT(worst, 2e-3 * 9.81);
  EXPECT_GT(n_near, 500) << "of 1000 steps";
  EXPECT_GT(n_converged, 990);
}

}  // namespace
}  // namespace nodia::test
