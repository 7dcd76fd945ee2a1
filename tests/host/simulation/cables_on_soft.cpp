/// Cables on soft bodies whose cells are far larger than the cable.
#include <gtest/gtest.h>

#include <cmath>

#include "host/simulation/simulation.hpp"
#include "tests/support/gravity.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {
namespace {

constexpr double kCableRadius = 2e-3;

CableDescription thin_cable(std::vector<Vec3d> points, int links) {
  CableDescription cable;
  cable.name = "cable";
  cable.points_m = std::move(points);
  cable.links = links;
  cable.radius_m = kCableRadius;
  cable.material.youngs_modulus_Pa = 1e6;
  cable.material.damping_s = 0.01;
  cable.material.drag_translation_N_s_m = 2e-3;
  return cable;
}

/// A cable over a soft box of coarse cells on the floor.
Scene soft_scene(Vec3d size, std::array<int, 3> cells, Vec3d corner, CableDescription cable) {
  Scene scene = box_scene(size, cells, corner);
  scene.time.step_s = 0.005;
  scene.gravity_m_s2 = {0, 0, -kG};
  auto& material = scene.soft_bodies[0].material;
  material.youngs_modulus_Pa = 2e5;
  material.rayleigh_mass_1_s = 5;
  material.rayleigh_stiffness_s = 0.01;
  scene.obstacles.push_back(floor_obstacle(0.5));
  scene.cables.push_back(std::move(cable));
  return scene;
}

/// Contact force of the cable on other objects than the floor [N].
Vec3d force_of_cable(const StepView& view) {
  Vec3d sum{};
  for (std::size_t m = 0; m < view.contacts().size(); ++m) {
    const ContactSides& s = view.contact_sides()[m];
    const Vec3d f = transpose_times(view.contacts()[m].R, view.lambda()[m]);
    if (s.i.kind == ObjectKind::cable) sum += f;
    if (s.j.kind == ObjectKind::cable) sum -= f;
  }
  return sum;
}

TEST(CablesOnSoft, LieBetweenTheVerticesWithTheirWeight) {
  // Cells of 0.1 m; no vertex lies under the cable, and its links are longer than the cells.
  const std::vector<Vec3d> points{{-0.171, 0.043, 0.1025}, {0.163, 0.031, 0.1025}};
  for (const int links : {3, 25}) {
    SCOPED_TRACE(links);
    Scene scene =
        soft_scene({0.4, 0.2, 0.1}, {4, 2, 1}, {-0.2, -0.1, 0}, thin_cable(points, links));
    const double weight = kG * scene.cables[0].material.density_kg_m3 * M_PI * kCableRadius *
                          kCableRadius * length_of(scene.cables[0]);
    Simulation simulation({scene}, SolverOptions{});
    double worst = 0, deepest = 0;
    for (int k = 0; k < 200; ++k)
      simulation.step([&](const StepView& view) {
        EXPECT_EQ(view.record.solve.status, SolveStatus::converged) << view.record.solve.reason;
        deepest = std::max(deepest, view.record.max_penetration_m);
        if (k >= 150) worst = std::max(worst, std::fabs(force_of_cable(view).z - weight));
      });
    EXPECT_LT(worst, 0.01 * weight);
    EXPECT_LT(deepest, 1e-5);
    for (const FramePose& link : simulation.state().frames) EXPECT_GT(link.position.z, 0.1);
  }
}

TEST(CablesOnSoft, DoNotCutThroughABlockThatTheirEndsArePulledAround) {
  Scene scene = soft_scene({0.2, 0.2, 0.1}, {2, 2, 1}, {-0.1, -0.1, 0},
                           thin_cable({{-0.25, 0.043, 0.103}, {0.25, 0.031, 0.103}}, 10));
  scene.time.geometric_stiffness = true;
  for (const auto at : {MountPoint::rear, MountPoint::front}) {
    MountDescription mount;
    mount.name = at == MountPoint::rear ? "rear" : "front";
    mount.body = "cable";
    mount.at = at;
    mount.moment = false;
    Vec3d p =
        at == MountPoint::rear ? scene.cables[0].points_m.front() : scene.cables[0].points_m.back();
    mount.path.keys.push_back({0, p, {}});
    p.z = 0.03;
    mount.path.keys.push_back({1, p, {}});
    scene.mounts.push_back(mount);
  }
  Simulation simulation({scene}, SolverOptions{});
  double deepest = 0, force = 0;
  for (int k = 0; k < 240; ++k)
    simulation.step([&](const StepView& view) {
      EXPECT_EQ(view.record.solve.status, SolveStatus::converged) << view.record.solve.reason;
      deepest = std::max(deepest, view.record.max_penetration_m);
      force = force_of_cable(view).z;
    });
  EXPECT_GT(force, 0.1);
  EXPECT_LT(deepest, 1e-4);
  // The links over the middle stay above the block, which the rims hold up.
  for (const int link : {4, 5})
    EXPECT_GT(simulation.state().frames[static_cast<std::size_t>(link)].position.z, 0.099);
}

}  // namespace
}  // namespace nodia::test
