/// 200 drawn scenes of bodies that fall on a floor, rigid, soft and meshes, with steps from 1 ms to
/// 0.1 s: none ends below the floor without a failed step, and few warn.
#include <gtest/gtest.h>

#include <random>

#include "host/solvers/solver_options.hpp"
#include "tests/support/rigid_bodies.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/triangle_meshes.hpp"

namespace nodia::test {
namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  double uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random_);
  }
  double log_uniform(double lo, double hi) { return std::exp(uniform(std::log(lo), std::log(hi))); }
  int choice(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  Mat3d rotation() {
    std::normal_distribution<double> normal;
    return rotation_matrix(
        normalized(Quaternion{normal(random_), normal(random_), normal(random_), normal(random_)}));
  }

 private:
  std::mt19937_64 random_;
};

/// Lowest z of points that a pose carries [m].
double lowest(const std::vector<Vec3d>& points, const Pose& pose) {
  double z = HUGE_VAL;
  for (const Vec3d p : points) z = std::min(z, pose.to_world(p).z);
  return z;
}

std::vector<Vec3d> corners(Vec3d size) {
  std::vector<Vec3d> points;
  for (int k = 0; k < 8; ++k)
    points.push_back({(k & 1 ? 0.5 : -0.5) * size.x, (k & 2 ? 0.5 : -0.5) * size.y,
                      (k & 4 ? 0.5 : -0.5) * size.z});
  return points;
}

/// A body, and the points of its surface in its frame.
struct Falling {
  Scene scene;
  std::vector<Vec3d> points;
  double size = 0;  ///< smallest extent [m]
  std::string what;
};

Falling drawn(std::uint64_t seed) {
  Draw draw(seed);
  Falling f;
  f.scene.name = "falling";
  f.scene.time.step_s = draw.log_uniform(1e-3, 0.1);
  f.scene.obstacles.push_back(floor_obstacle(draw.uniform(0, 1)));
  const double height = draw.log_uniform(1e-3, 0.05), size = draw.log_uniform(0.005, 0.2);
  const Vec3d extent{size, size * draw.uniform(0.5, 1), size * draw.uniform(0.5, 1)};
  f.size = std::min(extent.y, extent.z);
  const Pose turn{{}, draw.rotation()};
  const int kind = draw.choice(3);
  if (kind == 0) {
    f.what = "rigid box";
    f.points = corners(extent);
    f.scene.rigid_bodies.push_back(
        rigid_box("body", extent, 500 * extent.x * extent.y * extent.z, {}));
  } else if (kind == 1) {
    const bool is_ball = draw.choice(2) == 0;
    f.what = is_ball ? "mesh of a ball" : "mesh of a box";
    const TriangleMesh mesh =
        is_ball ? sphere_mesh(0.5 * size, 12, 7) : box_mesh(-0.5 * extent, 0.5 * extent);
    if (is_ball) f.size = size;
    f.points = mesh.vertices;
    f.scene.rigid_bodies.push_back(rigid_mesh("body", mesh, 500, {}));
  } else {
    f.what = "soft box";
    SoftBodyDescription body;
    body.name = "body";
    const int n = 1 + draw.choice(3);
    body.mesh = mesh_box(extent, {n, n, n});
    body.material.youngs_modulus_Pa = draw.log_uniform(1e4, 1e7);
    body.material.rayleigh_stiffness_s = 1e-3;
    f.points = body.mesh.nodes;
    f.scene.soft_bodies.push_back(body);
  }
  const Pose pose{{0, 0, height - lowest(f.points, turn)}, turn.rotation};
  if (kind == 2)
    f.scene.soft_bodies[0].pose = pose;
  else
    f.scene.rigid_bodies[0].pose = pose;
  return f;
}

struct Outcome {
  bool failed = false, warned = false, below = false;
  bool created_energy = false;  ///< the only reason of its failed steps
  double deepest = 0;           ///< at the end [m]
};

/// Lets the body fall and come to rest. Where it is is read off its points alone.
Outcome fall(const Falling& f) {
  SolverOptions options;
  options.max_iterations = 20000;
  Simulation simulation({f.scene}, options);
  const int n_step = std::clamp(static_cast<int>(0.5 / f.scene.time.step_s), 10, 150);
  Outcome out;
  for (int k = 0; k < n_step; ++k) {
    const StepRecord& record = simulation.step().front();
    const bool fails = record.solve.status == SolveStatus::failed ||
                       record.solve.status == SolveStatus::diverged ||
                       record.solve.status == SolveStatus::not_a_number;
    const bool creates = record.solve.reason.starts_with("energy_created");
    out.failed = out.failed || (fails && !creates);
    out.created_energy = out.created_energy || (fails && creates);
    out.warned = out.warned || !record.overlaps.empty();
  }
  const State& end = simulation.state();
  double z = HUGE_VAL;
  if (end.frames.empty())
    for (const Vec3d p : end.x) z = std::min(z, p.z);
  else
    z = lowest(f.points, matrix_pose(end.frames[0]));
  out.deepest = std::max(0.0, -z);
  out.below = out.deepest > 0.1 * f.size;
  return out;
}

TEST(FallingScenes, NoneEndsBelowTheFloorWithoutAFailedStep) {
  constexpr int kScenes = 200;
  int n_failed = 0, n_warned = 0, n_below = 0, n_created = 0;
  for (int seed = 0; seed < kScenes; ++seed) {
    const Falling f = drawn(static_cast<std::uint64_t>(seed));
    const Outcome out = fall(f);
    n_failed += out.failed;
    n_warned += out.warned;
    n_created += out.created_energy && !out.failed;
    n_below += out.below;
    EXPECT_TRUE(!out.below || out.failed || out.created_energy)
        << "scene " << seed << ", " << f.what << " of " << f.size << " m, step "
        << f.scene.time.step_s << " s: " << out.deepest << " m below the floor";
  }
  std::printf("%d failed, %d created energy, %d warned, %d below\n", n_failed, n_created, n_warned,
              n_below);
  EXPECT_LE(n_warned, kScenes / 100);
  EXPECT_LE(n_failed, kScenes / 100);
  EXPECT_EQ(n_created, 0);
}

}  // namespace
}  // namespace nodia::test
