/// Bodies that slide and roll over the seams of flush boards, compared with one board.
#include <gtest/gtest.h>

#include <cmath>

#include "host/simulation/simulation.hpp"
#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/scenario_run.hpp"

namespace nodia {
namespace {

using test::ScenarioFile;

Scenario loaded_seam(const std::string& text) {
  const ScenarioFile file(text);
  return load_scenario(file.path());
}

/// A board of 0.6 m x 0.4 m with its top at z = 0, as nx times ny boxes. The tops of the boxes
/// differ by at most 1e-9 m, and the seams have gaps or overlaps of at most `gap`.
std::string board(int nx, int ny, double gap, double friction) {
  std::string text = "obstacles:\n";
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) {
      const double width = 0.6 / nx, depth = 0.4 / ny;
      const int k = i * ny + j;
      const double top = nx * ny == 1 ? 0 : 1e-9 * std::sin(7.0 * k);
      text += fmt::format(
          "  b{}: {{shape: box, size_m: [{}, {}, 0.1], friction: {}, position_m: [{}, {}, {}]}}\n",
          k, width + gap * std::sin(3.0 * k), depth + gap * std::cos(5.0 * k), friction,
          -0.3 + width * (i + 0.5), -0.2 + depth * (j + 0.5), -0.05 + top);
    }
  return text;
}

struct End {
  Vec3d position{}, velocity{};  ///< mean of the soft nodes, or of the rigid body
};

End run_on(const std::string& text) {
  Scenario scenario = loaded_seam(text);
  const TimeOptions& time = scenario.scene.time;
  Simulation simulation({scenario.scene}, scenario.solver);
  const int n_step = static_cast<int>(std::lround(time.duration_s / time.step_s));
  const auto position = [&] {
    const State& state = simulation.state();
    if (!state.frames.empty()) return state.frames[0].position;
    Vec3d sum{};
    for (const Vec3d x : state.x) sum += x;
    return (1.0 / static_cast<double>(state.x.size())) * sum;
  };
  Vec3d before{};
  for (int k = 0; k < n_step; ++k) {
    before = position();
    simulation.step();
  }
  return {position(), (1 / time.step_s) * (position() - before)};
}

TEST(Seams, BodiesPassAsOverOneBoard) {
  struct Case {
    const char* name;
    const char* body;
    double height, friction, speed, step;
  };
  const std::vector<Case> cases{
      {"box", "shape: box, size_m: [0.06, 0.06, 0.06], mass_kg: 0.3", 0.03, 0, 0.3, 0.004},
      {"turned box",
       "shape: box, size_m: [0.06, 0.06, 0.06], mass_kg: 0.3, orientation_wxyz: [0.96, 0, 0, 0.28]",
       0.03, 0, 1, 0.002},
      {"rubbing box", "shape: box, size_m: [0.06, 0.06, 0.06], mass_kg: 0.3", 0.03, 0.3, 1, 0.002},
      {"ball", "shape: sphere, radius_m: 0.03, mass_kg: 0.3", 0.03, 0, 1, 0.01},
      {"rolling ball", "shape: sphere, radius_m: 0.03, mass_kg: 0.3", 0.03, 0.3, 1, 0.004},
      {"cylinder", "shape: cylinder, radius_m: 0.03, length_m: 0.06, mass_kg: 0.3", 0.03, 0, 1,
       0.002},
      {"capsule",
       "shape: capsule, radius_m: 0.02, length_m: 0.06, mass_kg: 0.3, orientation_wxyz: [0.6, 0.8, "
       "0, 0]",
       0.05, 0, 1, 0.004},
  };
  for (const Case& c : cases) {
    const std::string head = fmt::format(
        "name: seams\ntime: {{step_s: {}, duration_s: {}}}\n"
        "solver: {{tolerance: 1e-10, max_iterations: 100000}}\n"
        "rigid_bodies:\n  x: {{{}, friction: {}, position_m: [-0.15, 0.013, {}], "
        "velocity_m_s: [{}, 0, 0]}}\n",
        c.step, 0.3 / c.speed, c.body, c.friction, c.height, c.speed);
    const End whole = run_on(head + board(1, 1, 0, c.friction));
    for (const auto& [nx, ny, gap] : {std::tuple{2, 1, 0.0}, {5, 4, 1e-6}, {20, 1, 1e-9}}) {
      const End cut = run_on(head + board(nx, ny, gap, c.friction));
      SCOPED_TRACE(fmt::format("{} {} x {}", c.name, nx, ny));
      EXPECT_NEAR(norm(cut.velocity - whole.velocity), 0, 2e-6 * c.speed);
      EXPECT_NEAR(norm(cut.position - whole.position), 0, 1e-6);
    }
  }
}

TEST(Seams, TheCasesOfUsersPass) {
  for (const std::string text : {R"(name: box_seam
time: {step_s: 0.004, duration_s: 3}
rigid_bodies:
  box: {shape: box, size_m: [0.06, 0.06, 0.06], mass_kg: 0.3, friction: 0, position_m: [-0.15, 0.013, 0.03], velocity_m_s: [0.1, 0, 0]}
obstacles:
  left: {shape: box, size_m: [0.3, 0.4, 0.1], friction: 0, position_m: [-0.15, 0, -0.05]}
  right: {shape: box, size_m: [0.3, 0.4, 0.1], friction: 0, position_m: [0.15, 0, -0.05]}
checks:
  arrived: {check: body_position, body: box, axis: x, above_m: 0.1499, below_m: 0.1501}
  level: {check: body_position, body: box, above_m: 0.029999, below_m: 0.030001}
)",
                                 R"(name: soft_seam
time: {step_s: 0.004, duration_s: 0.6}
bodies:
  cube: {mesh: {box: {size_m: [0.06, 0.06, 0.06], cells: [3, 3, 3]}}, position_m: [-0.18, -0.03, 0], velocity_m_s: [0.5, 0, 0], youngs_modulus_Pa: 1e5, density_kg_m3: 1000, rayleigh_stiffness_s: 0.002, friction: 0}
obstacles:
  left: {shape: box, size_m: [0.3, 0.4, 0.1], friction: 0, position_m: [-0.15, 0, -0.05]}
  right: {shape: box, size_m: [0.3, 0.4, 0.1], friction: 0, position_m: [0.15, 0, -0.05]}
checks:
  arrived: {check: node_position, body: cube, axis: x, above_m: 0.149, below_m: 0.151}
)"}) {
    EXPECT_TRUE(test::run_to_the_end(loaded_seam(text)).failures.empty());
  }
}

TEST(Seams, AStepOfFiveMillimetresStopsABox) {
  const End end = run_on(
      "name: step\ntime: {step_s: 0.004, duration_s: 2}\nrigid_bodies:\n"
      "  x: {shape: box, size_m: [0.06, 0.06, 0.06], mass_kg: 0.3, friction: 0, "
      "position_m: [-0.1, 0.013, 0.03], velocity_m_s: [0.1, 0, 0]}\nobstacles:\n"
      "  left: {shape: box, size_m: [0.3, 0.4, 0.1], friction: 0, position_m: [-0.15, 0, -0.05]}\n"
      "  right: {shape: box, size_m: [0.3, 0.4, 0.1], friction: 0, position_m: [0.15, 0, "
      "-0.045]}\n");
  EXPECT_LT(end.position.x, -0.03 + 1e-5);
  EXPECT_LT(std::fabs(end.velocity.x), 0.1);
}

TEST(Seams, ACompoundOfFlushBoxesSlidesAsOneBox) {
  // The seam of the compound passes exactly over those of the boards, or beside them.
  for (const auto& [start, nx, ny, gap] :
       {std::tuple{-0.17, 5, 1, 0.0}, {-0.1734, 5, 4, 1e-6}, {-0.17, 5, 2, 1e-9}}) {
    const End end = run_on(
        fmt::format(
            "name: compound\ntime: {{step_s: 0.002, duration_s: 0.24}}\n"
            "solver: {{tolerance: 1e-10, max_iterations: 100000}}\ncompounds:\n  x:\n    parts:\n"
            "      a: {{shape: box, size_m: [0.03, 0.06, 0.04], position_m: [-0.015, 0, 0]}}\n"
            "      b: {{shape: box, size_m: [0.03, 0.06, 0.04], position_m: [0.015, 0, 0]}}\n"
            "    friction: 0\n    position_m: [{}, 0.01, 0.02]\n    velocity_m_s: [1, 0, 0]\n",
            start) +
        board(nx, ny, gap, 0));
    EXPECT_NEAR(end.position.x, start + 0.24, 1e-6) << nx << " " << ny;
    EXPECT_NEAR(end.velocity.x, 1, 1e-6) << nx << " " << ny;
  }
}

}  // namespace
}  // namespace nodia
