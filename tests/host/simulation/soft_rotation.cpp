/// Soft bodies that turn: positions follow a rotation of any angle, angular momentum is exact, and
/// the elastic force balances the centrifugal force.
#include "host/simulation/bodies/soft_rotation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "host/simulation/simulation.hpp"
#include "tests/support/gravity.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {
namespace {

constexpr double kYoung = 1e6, kPoisson = 0.3;

/// A free box without gravity.
Scene free_box(Vec3d size, double step_s, double theta = 1) {
  Scene scene = box_scene(size, {3, 3, 3});
  scene.soft_bodies[0].material.youngs_modulus_Pa = kYoung;
  scene.soft_bodies[0].material.poissons_ratio = kPoisson;
  scene.time.step_s = step_s;
  scene.time.theta = theta;
  return scene;
}

SolverOptions newton(double tolerance, int threads = 1) {
  SolverOptions options;
  options.solver = "newton";
  options.tolerance = tolerance;
  options.execution.threads = threads;
  return options;
}

double volume_of(const TetMesh& mesh, const std::vector<Vec3d>& x) {
  double sum = 0;
  for (const auto& tet : mesh.tets)
    sum += dot(x[tet[1]] - x[tet[0]], cross(x[tet[2]] - x[tet[0]], x[tet[3]] - x[tet[0]])) / 6;
  return sum;
}

Vec3d spin_of(const TetModel& model, const State& state) {
  const Totals t = totals(model, state);
  return t.angular_momentum - cross(t.centre, t.momentum);
}

/// Adds a rotation about the centre of mass to the velocities.
void add_spin(Simulation* simulation, Vec3d omega) {
  State state = simulation->state();
  const Vec3d center = totals(simulation->model(), state).centre;
  for (std::size_t i = 0; i < state.x.size(); ++i) state.v[i] += cross(omega, state.x[i] - center);
  simulation->set_state(0, state);
}

struct Spin {
  double swelling = 0;  ///< mean relative change of volume in the second half
  double first_J = 0, last_J = 0;
  double momentum_error = 0;  ///< relative
  double turn_rad = 0;        ///< largest rotation in a step, if it is above 0.1
  int n_unsolved = 0;
};

Spin spun(const Scene& scene, Vec3d omega, double duration_s, const SolverOptions& options) {
  Simulation simulation({scene}, options);
  add_spin(&simulation, omega);
  const TetMesh& mesh = scene.soft_bodies[0].mesh;
  const Vec3d L = spin_of(simulation.model(), simulation.state());
  Spin spin;
  const int n = static_cast<int>(std::lround(duration_s / scene.time.step_s));
  const int n_first = (n + 1) / 2;
  double volume = 0;
  for (int k = 0; k < n; ++k) {
    const StepRecord& r = simulation.step().front();
    spin.n_unsolved += r.solve.status != SolveStatus::converged;
    spin.turn_rad = std::max(spin.turn_rad, r.turn.angle_rad);
    spin.last_J = r.kinetic_energy_J + r.potential_energy_J;
    if (k == 0) spin.first_J = spin.last_J;
    if (k >= n_first) volume += volume_of(mesh, simulation.state().x) / (n - n_first);
  }
  spin.swelling = volume / volume_of(mesh, mesh.nodes) - 1;
  spin.momentum_error = norm(spin_of(simulation.model(), simulation.state()) - L) / norm(L);
  return spin;
}

// The trace of the mean stress is that of sum r x_i (m omega^2 x_i)/V, whatever the shape.
TEST(SoftRotation, ACubeThatSpinsSwellsByItsCentrifugalStressAlone) {
  constexpr double kOmega = 16, kSide = 0.1;
  double inertia = 0;
  {
    const Simulation still({free_box({kSide, kSide, kSide}, 1e-3)}, newton(1e-3));
    const Totals t = totals(still.model(), still.state());
    for (int i = 0; i < still.model().n_node(); ++i) {
      const Vec3d r = still.state().x[static_cast<std::size_t>(i)] - t.centre;
      inertia += still.model().mass()[static_cast<std::size_t>(i)] * (r.x * r.x + r.y * r.y);
    }
  }
  const double expected =
      (1 - 2 * kPoisson) / kYoung * kOmega * kOmega * inertia / (kSide * kSide * kSide);
  for (const double step_s : {1e-3, 2e-3, 5e-3, 1e-2}) {
    SCOPED_TRACE(step_s);
    const auto at = [&](double step) {
      return spun(free_box({kSide, kSide, kSide}, step), {0, 0, kOmega}, 1, newton(1e-3));
    };
    const Spin spin = at(step_s);
    EXPECT_EQ(spin.n_unsolved, 0);
    EXPECT_NEAR(spin.turn_rad, step_s < 1e-2 ? 0 : kOmega * step_s, 1e-3 * kOmega * step_s);
    EXPECT_NEAR(spin.swelling, expected, 0.01 * expected);
    EXPECT_NEAR(spin.swelling, at(step_s / 20).swelling, 2e-5);
  }
}

// No axis of the box is one of its rotation, so that it tumbles.
TEST(SoftRotation, ABoxThatTumblesKeepsAngularMomentumAndEnergy) {
  for (const double theta : {1.0, 0.5})
    for (const double step_s : {1e-2, 2e-3}) {
      SCOPED_TRACE(theta);
      SCOPED_TRACE(step_s);
      const Spin spin =
          spun(free_box({0.1, 0.06, 0.03}, step_s, theta), {3, 14, 5}, 1, newton(1e-8));
      EXPECT_LT(spin.momentum_error, 1e-8);
      EXPECT_NEAR(spin.last_J, spin.first_J, (theta == 1 ? 1e-3 : 2e-2) * spin.first_J);
    }
}

// The positions of `cond` are those of the paper.
TEST(SoftRotation, CondMovesNodesAlongStraightLines) {
  SolverOptions options = newton(1e-3);
  options.solver = "cond";
  EXPECT_GT(spun(free_box({0.1, 0.1, 0.1}, 1e-2), {0, 0, 16}, 1, options).swelling, 0.02);
}

TEST(SoftRotation, OfABoxThatSlidesBalancesTheMomentOfItsContacts) {
  for (const double step_s : {1e-2, 2e-3}) {
    SCOPED_TRACE(step_s);
    Scene scene = free_box({0.1, 0.1, 0.1}, step_s);
    scene.gravity_m_s2 = {0, 0, -kG};
    scene.soft_bodies[0].velocity = {0.5, 0, 0};
    scene.obstacles.push_back(floor_obstacle(0.2));
    Simulation simulation({scene}, newton(1e-8));
    add_spin(&simulation, {0, 0, 16});
    const double scale = norm(spin_of(simulation.model(), simulation.state()));
    Vec3d error{};
    for (int k = 0; k < std::lround(0.3 / step_s); ++k) {
      const Vec3d before = spin_of(simulation.model(), simulation.state());
      const std::vector<Vec3d> x = simulation.state().x;
      const Vec3d center = totals(simulation.model(), simulation.state()).centre;
      simulation.step();
      const StepView view = simulation.last_step();
      Vec3d moment{};
      for (std::size_t m = 0; m < view.contacts().size(); ++m) {
        const Contact<double>& c = view.contacts()[m];
        moment += cross(x[static_cast<std::size_t>(c.side_i)] - center,
                        transpose_times(c.R, view.lambda()[m]));
      }
      error += spin_of(simulation.model(), simulation.state()) - before - step_s * moment;
    }
    EXPECT_LT(norm(spin_of(simulation.model(), simulation.state())), 0.5 * scale);  // it slides
    EXPECT_LT(std::abs(error.z), 1e-6 * scale);
  }
}

// 0.16 rad a step, by springs that hold one side.
TEST(SoftRotation, ABoxThatAttachmentsTurnKeepsItsVolume) {
  Scene scene = free_box({0.1, 0.1, 0.1}, 1e-2);
  scene.soft_bodies[0].pose.position = {-0.05, -0.05, -0.05};
  AttachmentDescription a;
  a.name = "turn";
  a.body = "box";
  a.node_set = "x_max";
  a.stiffness_N_m = 200;
  const double quarter = std::sqrt(0.5);
  a.path.keys = {{0, {}, {}},
                 {0.1, {}, {quarter, 0, 0, quarter}},
                 {0.2, {}, {0, 0, 0, 1}},
                 {0.3, {}, {-quarter, 0, 0, quarter}},
                 {0.4, {}, {-1, 0, 0, 0}}};
  a.path.profile = PathProfile::linear;
  scene.attachments.push_back(a);
  Simulation simulation({scene}, newton(1e-3));
  const TetMesh& mesh = scene.soft_bodies[0].mesh;
  const double rest = volume_of(mesh, mesh.nodes);
  for (int k = 0; k < 40; ++k) {
    const StepRecord& r = simulation.step().front();
    EXPECT_EQ(r.solve.status, SolveStatus::converged) << k << ": " << r.solve.reason;
    EXPECT_NEAR(volume_of(mesh, simulation.state().x), rest, 5e-3 * rest) << k;
  }
}

TEST(SoftRotation, ABeamThatSwingsGainsNoEnergy) {
  for (const double theta : {1.0, 0.5})
    for (const double step_s : {2e-3, 5e-3, 1e-2}) {
      SCOPED_TRACE(theta);
      SCOPED_TRACE(step_s);
      Scene scene = box_scene({0.2, 0.03, 0.03}, {8, 2, 2});
      scene.gravity_m_s2 = {0, 0, -kG};
      scene.soft_bodies[0].material.youngs_modulus_Pa = kYoung;
      scene.time.step_s = step_s;
      scene.time.theta = theta;
      AttachmentDescription a;
      a.name = "clamp";
      a.body = "box";
      a.node_set = "x_min";
      a.path.keys = {{0, {}, {}}};
      scene.attachments.push_back(a);
      Simulation simulation({scene}, newton(1e-3));
      double first_J = 0, rise_J = 0, swing_J = 0;
      for (int k = 0; k < std::lround(4 / step_s); ++k) {
        const StepRecord& r = simulation.step().front();
        ASSERT_EQ(r.solve.status, SolveStatus::converged) << k << ": " << r.solve.reason;
        const double energy_J = r.kinetic_energy_J + r.potential_energy_J;
        if (k == 0) first_J = energy_J;
        rise_J = std::max(rise_J, energy_J - first_J);
        if (r.time_s < 1) swing_J = std::max(swing_J, r.kinetic_energy_J);
      }
      EXPECT_LT(rise_J, 0.01 * swing_J);
    }
}

TEST(SoftRotation, HasTheSameBitsWithAnyNumberOfThreads) {
  const auto ends = [](int threads) {
    Scene scene = free_box({0.1, 0.06, 0.03}, 1e-2);
    scene.soft_bodies[0].mesh = mesh_box({0.1, 0.06, 0.03}, {14, 12, 12});  // several parts
    Simulation simulation({scene}, newton(1e-3, threads));
    add_spin(&simulation, {3, 14, 5});
    for (int k = 0; k < 5; ++k) simulation.step();
    return simulation.state();
  };
  const State one = ends(1), three = ends(3);
  for (std::size_t i = 0; i < one.x.size(); ++i) {
    ASSERT_EQ(norm(one.x[i] - three.x[i]), 0) << i;
    ASSERT_EQ(norm(one.v[i] - three.v[i]), 0) << i;
  }
}

TEST(SoftRotation, OfABodyWithPartsAtRestIsNotFollowed) {
  std::vector<double> mass(20, 0.1);
  std::vector<Vec3d> x(20), turning(20), half(20);
  const Vec3d omega{0.3, -2, 5};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double s = static_cast<double>(i);
    x[i] = {0.1 * s, 0.02 * std::sin(3 * s), 0.02 * std::cos(5 * s)};
    turning[i] = Vec3d{1, 2, 3} + cross(omega, x[i]);
    half[i] = i < 10 ? Vec3d{} : cross(Vec3d{0, -2, 0}, x[i] - Vec3d{0.95, 0, 0});
  }
  const BodyNodes nodes{mass.data(), x.data(), 20};
  EXPECT_LT(norm(closest_rigid_motion(nodes, turning.data()).omega - omega), 1e-12);
  EXPECT_EQ(norm(closest_rigid_motion(nodes, half.data()).omega), 0);
}

}  // namespace
}  // namespace nodia::test
