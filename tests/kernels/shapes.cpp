#include "kernels/contact/shapes.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/core/pose.hpp"

namespace nodia {
namespace {

struct NamedShape {
  std::string name;
  Shape shape;
};

/// Samples of `f` at the points of a grid.
template <class Function>
std::vector<double> sample(const DistanceGridView& grid, const Function& f) {
  std::vector<double> value;
  for (int k = 0; k < grid.n[2]; ++k) {
    for (int j = 0; j < grid.n[1]; ++j) {
      for (int i = 0; i < grid.n[0]; ++i) {
        value.push_back(
            f(grid.origin + grid.spacing * Vec3d{static_cast<double>(i), static_cast<double>(j),
                                                 static_cast<double>(k)}));
      }
    }
  }
  return value;
}

/// The cube [-1, 1]^3 in `n` cells per axis.
DistanceGridView cube_grid(int n) {
  return {{-1, -1, -1}, 2.0 / n, {n + 1, n + 1, n + 1}, nullptr};
}

std::vector<NamedShape> analytic_shapes() {
  return {{"half_space", {ShapeKind::half_space, {}, 0, 0, {}}},
          {"box", {ShapeKind::box, {0.6, 1.0, 1.6}, 0, 0, {}}},
          {"sphere", {ShapeKind::sphere, {}, 0.7, 0, {}}},
          {"cylinder", {ShapeKind::cylinder, {}, 0.5, 1.2, {}}},
          {"flat_cylinder", {ShapeKind::cylinder, {}, 0.8, 0.3, {}}},
          {"capsule", {ShapeKind::capsule, {}, 0.4, 0.9, {}}}};
}

class RandomPoints {
 public:
  explicit RandomPoints(double half_width) : coordinate_(-half_width, half_width) {}
  Vec3d next() {
    const double x = coordinate_(random_), y = coordinate_(random_), z = coordinate_(random_);
    return {x, y, z};
  }

 private:
  std::mt19937_64 random_{7};
  std::uniform_real_distribution<double> coordinate_;
};

void expect_vectors_near(Vec3d a, Vec3d b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

/// Checks the normal against central differences of the distance, away from kinks, at `n` random
/// points; returns the share of points tested.
double expect_normal_is_gradient(const Shape& shape, double half_width, bool unit_slope) {
  constexpr double h = 1e-6;
  constexpr int n = 4000;
  RandomPoints points(half_width);
  int n_tested = 0;
  for (int trial = 0; trial < n; ++trial) {
    const Vec3d p = points.next();
    const SurfaceDistance at = signed_distance(shape, p);
    EXPECT_NEAR(norm(at.normal), 1, 1e-14);
    Vec3d gradient{};
    bool smooth = true;
    for (int axis = 0; axis < 3; ++axis) {
      Vec3d e{};
      e[axis] = h;
      const double up = signed_distance(shape, p + e).distance;
      const double down = signed_distance(shape, p - e).distance;
      gradient[axis] = (up - down) / (2 * h);
      smooth = smooth && std::fabs(up - 2 * at.distance + down) < 1e-3 * h;
    }
    if (!smooth) continue;
    ++n_tested;
    if (unit_slope) {
      expect_vectors_near(at.normal, gradient, 1e-8);
    } else {
      expect_vectors_near(at.normal, (1 / norm(gradient)) * gradient, 1e-7);
    }
  }
  return static_cast<double>(n_tested) / n;
}

TEST(Shapes, NormalIsTheGradientOfTheDistance) {
  for (const NamedShape& s : analytic_shapes()) {
    SCOPED_TRACE(s.name);
    EXPECT_GT(expect_normal_is_gradient(s.shape, 1.5, true), 0.98);
  }
}

TEST(Shapes, DistanceIsOneLipschitz) {
  for (const NamedShape& s : analytic_shapes()) {
    SCOPED_TRACE(s.name);
    RandomPoints points(1.5);
    for (int trial = 0; trial < 2000; ++trial) {
      const Vec3d p = points.next(), q = points.next();
      const double change =
          signed_distance(s.shape, p).distance - signed_distance(s.shape, q).distance;
      EXPECT_LE(std::fabs(change), norm(p - q) + 1e-14);
    }
  }
}

TEST(Shapes, FootOfTheNormalLiesOnTheSurface) {
  for (const NamedShape& s : analytic_shapes()) {
    SCOPED_TRACE(s.name);
    RandomPoints points(1.5);
    for (int trial = 0; trial < 2000; ++trial) {
      const Vec3d p = points.next();
      const SurfaceDistance at = signed_distance(s.shape, p);
      EXPECT_NEAR(signed_distance(s.shape, p - at.distance * at.normal).distance, 0, 1e-14);
    }
  }
}

/// Whether a point is inside, from the definition of each shape.
bool is_inside(const Shape& shape, Vec3d p) {
  const double r = std::hypot(p.x, p.y);
  switch (shape.kind) {
    case ShapeKind::half_space:
      return p.z < 0;
    case ShapeKind::box:
      return 2 * std::fabs(p.x) < shape.size.x && 2 * std::fabs(p.y) < shape.size.y &&
             2 * std::fabs(p.z) < shape.size.z;
    case ShapeKind::sphere:
      return norm(p) < shape.radius;
    case ShapeKind::cylinder:
      return r < shape.radius && 2 * std::fabs(p.z) < shape.length;
    case ShapeKind::capsule: {
      const Vec3d cap{0, 0, 0.5 * shape.length};
      return (r < shape.radius && 2 * std::fabs(p.z) < shape.length) ||
             norm(p - cap) < shape.radius || norm(p + cap) < shape.radius;
    }
    default:
      return false;
  }
}

TEST(Shapes, DistanceIsNegativeExactlyInside) {
  for (const NamedShape& s : analytic_shapes()) {
    SCOPED_TRACE(s.name);
    RandomPoints points(1.1);
    int n_inside = 0;
    for (int trial = 0; trial < 4000; ++trial) {
      const Vec3d p = points.next();
      const bool inside = is_inside(s.shape, p);
      n_inside += inside ? 1 : 0;
      EXPECT_EQ(signed_distance(s.shape, p).distance < 0, inside);
    }
    EXPECT_GT(n_inside, 100);
  }
}

void expect_at(const Shape& shape, Vec3d p, double distance, Vec3d normal) {
  SCOPED_TRACE(::testing::Message() << "at " << p.x << " " << p.y << " " << p.z);
  const SurfaceDistance at = signed_distance(shape, p);
  EXPECT_NEAR(at.distance, distance, 1e-15);
  expect_vectors_near(at.normal, normal, 1e-15);
}

TEST(Shapes, HalfSpaceKnownPoints) {
  const Shape floor{ShapeKind::half_space, {}, 0, 0, {}};
  expect_at(floor, {3, -2, 0.25}, 0.25, {0, 0, 1});
  expect_at(floor, {0, 0, -1}, -1, {0, 0, 1});
}

TEST(Shapes, SphereKnownPoints) {
  const Shape ball{ShapeKind::sphere, {}, 0.5, 0, {}};
  expect_at(ball, {2, 0, 0}, 1.5, {1, 0, 0});
  expect_at(ball, {0, -0.25, 0}, -0.25, {0, -1, 0});
  expect_at(ball, {0, 0, 0}, -0.5, {0, 0, 1});
  expect_at(ball, {1e-200, 0, 0}, -0.5, {0, 0, 1});
}

TEST(Shapes, BoxKnownPoints) {
  const Shape box{ShapeKind::box, {2, 4, 6}, 0, 0, {}};
  expect_at(box, {1.5, 0, 0}, 0.5, {1, 0, 0});               // face
  expect_at(box, {0, -1.75, 0}, -0.25, {0, -1, 0});          // inside
  expect_at(box, {1.3, 2.4, 0}, 0.5, {0.6, 0.8, 0});         // edge
  expect_at(box, {2, 4, -5}, 3, {1 / 3., 2 / 3., -2 / 3.});  // corner
  expect_at(box, {0, 0, 0}, -1, {1, 0, 0});                  // centre
  expect_at(box, {-1, 0, 0}, 0, {-1, 0, 0});                 // on a face
  expect_at(box, {1, 2, 3}, 0, {0, 0, 1});                   // on a corner
  expect_at(box, {1, -2, 0}, 0, {1, 0, 0});                  // on an edge
  const Shape cube{ShapeKind::box, {2, 2, 2}, 0, 0, {}};
  expect_at(cube, {0, 0, 0}, -1, {0, 0, 1});
  expect_at(cube, {0.5, 0.5, 0}, -0.5, {1, 0, 0});
}

TEST(Shapes, CylinderKnownPoints) {
  const Shape cylinder{ShapeKind::cylinder, {}, 1, 4, {}};
  expect_at(cylinder, {0, 3, 1}, 2, {0, 1, 0});             // side
  expect_at(cylinder, {0.5, 0, 2.5}, 0.5, {0, 0, 1});       // cap
  expect_at(cylinder, {0.5, 0, -1.75}, -0.25, {0, 0, -1});  // below the cap
  expect_at(cylinder, {1.3, 0, 2.4}, 0.5, {0.6, 0, 0.8});   // rim
  expect_at(cylinder, {0, 0, 0}, -1, {1, 0, 0});            // axis
  expect_at(cylinder, {0, 0, 2}, 0, {0, 0, 1});             // axis, on the cap
  expect_at(cylinder, {0, -1, -2}, 0, {0, 0, -1});          // on the rim
  expect_at(cylinder, {0, 0, -7}, 5, {0, 0, -1});           // axis, beyond
}

TEST(Shapes, CapsuleKnownPoints) {
  const Shape capsule{ShapeKind::capsule, {}, 1, 4, {}};
  expect_at(capsule, {0, 3, 1}, 2, {0, 1, 0});
  expect_at(capsule, {0, 0, 4}, 1, {0, 0, 1});
  expect_at(capsule, {3, 0, -6}, 4, {0.6, 0, -0.8});
  expect_at(capsule, {0, 0, 1}, -1, {1, 0, 0});
  expect_at(capsule, {0, 0, -2}, -1, {1, 0, 0});
  expect_at(capsule, {0, 0, 2.5}, -0.5, {0, 0, 1});
}

TEST(Shapes, NormalsAreUnitAtEverySpecialPoint) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  for (const NamedShape& s : analytic_shapes()) {
    SCOPED_TRACE(s.name);
    const Vec3d half = s.shape.kind == ShapeKind::box
                           ? 0.5 * s.shape.size
                           : Vec3d{s.shape.radius, s.shape.radius, 0.5 * s.shape.length};
    for (const double dx : {-1., 0., 1.}) {
      for (const double dy : {-1., 0., 1.}) {
        for (const double dz : {-1., 0., 1.}) {
          for (const double shift : {0., tiny, 1e-170, 1e-160, 1e-150, 1e-17, -1e-17}) {
            const Vec3d p{dx * half.x + shift, dy * half.y - shift, dz * half.z + shift};
            const SurfaceDistance at = signed_distance(s.shape, p);
            EXPECT_TRUE(std::isfinite(at.distance));
            EXPECT_NEAR(norm(at.normal), 1, 1e-14);
          }
        }
      }
    }
  }
}

TEST(Shapes, DistanceIsTheSameInEveryPose) {
  const Pose pose{{0.3, -0.2, 0.9}, rotation_matrix(normalized({0.3, -0.5, 0.7, 0.2}))};
  for (const NamedShape& s : analytic_shapes()) {
    SCOPED_TRACE(s.name);
    RandomPoints points(1.5);
    for (int trial = 0; trial < 500; ++trial) {
      const Vec3d p = points.next();
      const SurfaceDistance here = signed_distance(s.shape, p);
      const SurfaceDistance there = signed_distance(s.shape, pose.to_local(pose.to_world(p)));
      EXPECT_NEAR(here.distance, there.distance, 1e-14);
    }
  }
}

TEST(DistanceGridShape, ReproducesLinearFunctions) {
  DistanceGridView grid = cube_grid(5);
  const auto f = [](Vec3d p) { return 0.1 + 0.6 * p.x - 0.8 * p.z; };
  const std::vector<double> value = sample(grid, f);
  grid.value = value.data();
  RandomPoints points(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3d p = points.next();
    const SurfaceDistance at = grid_distance(p, grid);
    EXPECT_NEAR(at.distance, f(p), 1e-15);
    expect_vectors_near(at.normal, {0.6, 0, -0.8}, 1e-14);
  }
}

TEST(DistanceGridShape, NormalIsTheGradientOfTheInterpolantInsideAndOutside) {
  DistanceGridView grid = cube_grid(9);
  const std::vector<double> value = sample(grid, [](Vec3d p) {
    return norm(p - Vec3d{0.1, 0.2, -0.05}) - 0.5;
  });
  grid.value = value.data();
  const Shape shape{ShapeKind::distance_grid, {}, 0, 0, grid};
  EXPECT_GT(expect_normal_is_gradient(shape, 0.95, false), 0.98);
  EXPECT_GT(expect_normal_is_gradient(shape, 3, false), 0.98);
}

TEST(DistanceGridShape, OutsideAddsTheDistanceToTheGrid) {
  DistanceGridView grid = cube_grid(5);  // the middle of a face is the middle of a cell's face
  const std::vector<double> value = sample(grid, [](Vec3d p) { return norm(p) - 0.5; });
  grid.value = value.data();
  const SurfaceDistance face = grid_distance({3, 0, 0}, grid);
  EXPECT_DOUBLE_EQ(face.distance, std::sqrt(1.08) - 0.5 + 2);
  expect_vectors_near(face.normal, {1, 0, 0}, 1e-15);
  const SurfaceDistance corner = grid_distance({-2, 3, 3}, grid);
  EXPECT_DOUBLE_EQ(corner.distance, std::sqrt(3.) - 0.5 + 3);
  expect_vectors_near(corner.normal, {-1 / 3., 2 / 3., 2 / 3.}, 1e-15);
}

TEST(DistanceGridShape, IsContinuousAcrossItsOuterFaces) {
  DistanceGridView grid = cube_grid(6);
  const std::vector<double> value = sample(grid, [](Vec3d p) { return norm(p) - 0.5; });
  grid.value = value.data();
  RandomPoints points(1);
  for (int trial = 0; trial < 200; ++trial) {
    Vec3d p = points.next();
    p[trial % 3] = trial % 2 == 0 ? 1 : -1;
    const Vec3d step = 1e-9 * p;
    EXPECT_NEAR(grid_distance(p + step, grid).distance, grid_distance(p - step, grid).distance,
                1e-8);
  }
}

TEST(DistanceGridShape, ErrorForASphereIsOfSecondOrderInTheSpacing) {
  const auto largest_error = [](int n) {
    DistanceGridView grid = cube_grid(n);
    const std::vector<double> value = sample(grid, [](Vec3d p) { return norm(p) - 0.6; });
    grid.value = value.data();
    RandomPoints points(1);
    double largest = 0;
    for (int trial = 0; trial < 4000; ++trial) {
      const Vec3d p = points.next();
      if (norm(p) < 0.4) continue;  // away from the kink at the centre
      largest = std::max(largest, std::fabs(grid_distance(p, grid).distance - (norm(p) - 0.6)));
    }
    return largest;
  };
  const double coarse = largest_error(16), fine = largest_error(32);
  EXPECT_LT(coarse, 0.01);
  EXPECT_GT(coarse / fine, 3.3);
  EXPECT_LT(coarse / fine, 4.8);
}

TEST(DistanceGridShape, FlatSamplesAndPointsThatAreNotNumbersAreHarmless) {
  DistanceGridView grid = cube_grid(2);
  const std::vector<double> value(27, 0.25);
  grid.value = value.data();
  expect_vectors_near(grid_distance({0, 0, 0}, grid).normal, {0, 0, 1}, 0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(grid_distance({nan, 0, 0}, grid).distance));
  EXPECT_GT(grid_distance({1e300, -1e300, 0}, grid).distance, 0);
}

}  // namespace
}  // namespace nodia
