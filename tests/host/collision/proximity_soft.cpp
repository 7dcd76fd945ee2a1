#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "host/collision/triangle_tree.hpp"
#include "kernels/collision/edge_pair.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/soft_bodies.hpp"

namespace nodia {
namespace {

using test::folded;
using test::moved_by;
using test::ProximityScene;
using test::random_pair;
using test::RandomScene;

/// The angle-weighted normal of every vertex.
std::vector<Vec3d> vertex_normals(const TriangleMesh& mesh) {
  std::vector<Vec3d> sum(mesh.vertices.size());
  for (const auto& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3d p = mesh.vertices[static_cast<std::size_t>(t[k])];
      const Vec3d u = mesh.vertices[static_cast<std::size_t>(t[(k + 1) % 3])] - p;
      const Vec3d w = mesh.vertices[static_cast<std::size_t>(t[(k + 2) % 3])] - p;
      const Vec3d n = cross(u, w);
      sum[static_cast<std::size_t>(t[k])] +=
          (std::acos(dot(u, w) / (norm(u) * norm(w))) / norm(n)) * n;
    }
  }
  for (Vec3d& n : sum) n = (1 / norm(n)) * n;
  return sum;
}

struct OraclePair {
  double gap;
  Vec3d normal, foot;
};

/// The definition of a vertex's pair with another closed surface, by visiting every triangle; the
/// sign is that of the winding number.
/// @param unsafe  out: the answer hangs on rounding
std::map<std::int32_t, OraclePair> brute_force_vertices(const ProximityScene& scene, int i, int j,
                                                        double depth,
                                                        std::set<std::int32_t>* unsafe) {
  const TriangleMesh a = scene.triangles(i), b = scene.triangles(j);
  const std::vector<Vec3d> facing = vertex_normals(a);
  std::map<std::int32_t, OraclePair> pairs;
  for (std::int32_t vertex = 0; vertex < static_cast<std::int32_t>(a.vertices.size()); ++vertex) {
    const Vec3d p = a.vertices[static_cast<std::size_t>(vertex)];
    const Vec3d n_i = facing[static_cast<std::size_t>(vertex)];
    const double signed_one = brute_force_distance(b, p);
    const auto closest = [&](bool only_facing) {
      std::pair<TrianglePoint, std::size_t> best;
      for (std::size_t t = 0; t < b.triangles.size(); ++t) {
        const Vec3d c0 = b.vertices[static_cast<std::size_t>(b.triangles[t][0])];
        const Vec3d c1 = b.vertices[static_cast<std::size_t>(b.triangles[t][1])];
        const Vec3d c2 = b.vertices[static_cast<std::size_t>(b.triangles[t][2])];
        const double cosine = dot(n_i, triangle_normal(c0, c1, c2));
        if (only_facing && std::fabs(cosine - 0.5) < 1e-9) unsafe->insert(vertex);
        if (only_facing && cosine > 0.5) continue;
        const TrianglePoint c = closest_on_triangle(p, c0, c1, c2);
        if (c.squared_distance < best.first.squared_distance) best = {c, t};
      }
      return best;
    };
    auto [c, t] = closest(false);
    double d = signed_one;
    Vec3d normal = (1 / d) * (p - c.point);
    if (std::fabs(d) < 1e-7) unsafe->insert(vertex);
    if (std::fabs(dot(normal, n_i) - 0.5) < 1e-7) unsafe->insert(vertex);
    if (dot(normal, n_i) > 0.5) {
      if (d > 0) continue;
      std::tie(c, t) = closest(true);
      d = -std::sqrt(c.squared_distance);
      normal = (1 / d) * (p - c.point);
      if (c.squared_distance == HUGE_VAL || dot(normal, n_i) > 0.5) continue;
    }
    if (d < -depth) continue;
    const SurfaceMesh& mesh_i = scene.meshes[static_cast<std::size_t>(i)];
    const SurfaceMesh& mesh_j = scene.meshes[static_cast<std::size_t>(j)];
    const Vec3d v_i =
        scene.v[static_cast<std::size_t>(scene.first_nodes[static_cast<std::size_t>(i)] +
                                         mesh_i.nodes[static_cast<std::size_t>(vertex)])];
    Vec3d v_j{};
    for (int k = 0; k < 3; ++k) {
      const std::int32_t corner = b.triangles[t][static_cast<std::size_t>(k)];
      v_j += c.weight[k] *
             scene.v[static_cast<std::size_t>(scene.first_nodes[static_cast<std::size_t>(j)] +
                                              mesh_j.nodes[static_cast<std::size_t>(corner)])];
    }
    if (d < scene.margin + test::may_close(v_i, v_j, normal, scene.step))
      pairs[vertex] = {d, normal, c.point};
  }
  return pairs;
}

void expect_body_points_consistent(const ProximityScene& scene, const SurfacePair& p) {
  for (const BodyPoint* point : {&p.i, &p.j}) {
    if (point->kind == PointKind::frame) {
      EXPECT_GE(point->frame, 0);
      continue;
    }
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(point->weight[k] > 0, k < static_cast<std::size_t>(point->n_node));
      sum += point->weight[k];
    }
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_LT(norm(test::recomputed_position(*point, scene.x) - point->position), 1e-14);
  }
  EXPECT_NEAR(norm(p.normal), 1, 1e-12);
}

TEST(ProximitySoft, VertexPairsAreThoseOfBruteForce) {
  std::size_t n_pair = 0, n_inside = 0, n_unsafe = 0;
  double worst_gap = 0, worst_normal = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    ProximityScene scene = random_pair(seed, seed % 3 == 0 ? 1.0 : 0.0);
    const std::vector<SurfacePair> pairs = scene.find();
    for (const int i : {0, 1}) {
      const double depth = 2 * scene.meshes[static_cast<std::size_t>(1 - i)].mean_edge_length();
      std::set<std::int32_t> unsafe;
      const auto expected = brute_force_vertices(scene, i, 1 - i, depth, &unsafe);
      std::map<std::int32_t, const SurfacePair*> found;
      for (const SurfacePair& p : pairs) {
        expect_body_points_consistent(scene, p);
        if (p.surface_i != i || p.rule != PairRule::vertex) continue;
        EXPECT_TRUE(found.insert({p.feature_i, &p}).second) << "vertex found twice";
      }
      n_unsafe += unsafe.size();
      for (const auto& [vertex, pair] : expected) {
        if (unsafe.count(vertex) > 0) continue;
        ++n_pair;
        n_inside += pair.gap < 0 ? 1 : 0;
        ASSERT_EQ(found.count(vertex), 1u) << vertex << " gap " << pair.gap;
        const SurfacePair& p = *found[vertex];
        worst_gap = std::max(worst_gap, std::fabs(p.gap_m - pair.gap));
        worst_normal = std::max(worst_normal, norm(p.normal - pair.normal));
        EXPECT_NEAR(p.gap_m, pair.gap, 1e-14);
        EXPECT_LT(norm(p.j.position - pair.foot), 1e-9);
      }
      for (const auto& [vertex, p] : found) {
        if (unsafe.count(vertex) == 0) {
          EXPECT_EQ(expected.count(vertex), 1u) << vertex << " gap " << p->gap_m;
        }
      }
    }
  }
  EXPECT_GT(n_pair, 5000u);
  EXPECT_GT(n_inside, 2000u);
  EXPECT_LT(n_unsafe, n_pair / 100);
  EXPECT_LT(worst_normal, 1e-7);
  printf("pairs %zu inside %zu unsafe %zu, worst gap %.2e m, worst normal %.2e\n", n_pair, n_inside,
         n_unsafe, worst_gap, worst_normal);
}

bool equal(const SurfacePair& a, const SurfacePair& b) {
  const auto same = [](Vec3d u, Vec3d w) { return u.x == w.x && u.y == w.y && u.z == w.z; };
  return a.key == b.key && a.gap_m == b.gap_m && same(a.normal, b.normal) &&
         same(a.i.position, b.i.position) && same(a.j.position, b.j.position) &&
         a.surface_i == b.surface_i && a.surface_j == b.surface_j && a.rule == b.rule &&
         a.feature_i == b.feature_i && a.feature_j == b.feature_j;
}

TEST(ProximitySoft, PairsAreOrderedAndTheSameForEveryNumberOfThreads) {
  ProximityScene scene;
  RandomScene random(3);
  for (int body = 0; body < 5; ++body) {
    scene.add_soft(mesh_ball(0.1, 600), moved_by({0.15 * body, 0.02 * body, 0.01 * body}));
  }
  for (int k = 0; k < 3; ++k) {
    scene.add_shape({ShapeKind::box, {0.1, 0.1, 0.1}, 0, 0, {}},
                    {{0.2 * k, 0.02, 0.12}, rotation_matrix(random.rotation())});
  }
  const std::vector<SurfacePair> one = scene.find();
  EXPECT_GT(one.size(), 100u);
  for (std::size_t k = 1; k < one.size(); ++k) {
    const auto order = [](const SurfacePair& p) {
      return std::make_tuple(p.surface_i, p.surface_j, p.rule, p.feature_i, p.feature_j);
    };
    EXPECT_LT(order(one[k - 1]), order(one[k]));
  }
  for (const int n_thread : {2, 3, 7}) {
    scene.n_thread = n_thread;
    const std::vector<SurfacePair> many = scene.find();
    ASSERT_EQ(many.size(), one.size());
    for (std::size_t k = 0; k < one.size(); ++k) EXPECT_TRUE(equal(many[k], one[k]));
  }
  std::set<std::uint64_t> keys;
  for (const SurfacePair& p : one) keys.insert(p.key);
  EXPECT_EQ(keys.size(), one.size());
}

/// The lower block in 4 x 4 cells, the upper one in 3 x 3, on top of it at a gap.
ProximityScene blocks(double gap) {
  ProximityScene scene;
  scene.add_soft(mesh_box({0.1, 0.1, 0.05}, {4, 4, 2}), moved_by({0, 0, -0.05}));
  scene.add_soft(mesh_box({0.1, 0.1, 0.05}, {3, 3, 2}), moved_by({0, 0, gap}));
  return scene;
}

TEST(ProximitySoft, NonMatchingBlocksMeetAtTheVerticesOfBothSides) {
  for (const double gap : {1e-3, 0.0, -1e-3}) {
    SCOPED_TRACE(gap);
    ProximityScene scene = blocks(gap);
    std::size_t n[2] = {};
    for (const SurfacePair& p : scene.find()) {
      EXPECT_EQ(p.rule, PairRule::vertex);
      EXPECT_NEAR(p.gap_m, gap, 1e-16);
      const double up = p.surface_i == 1 ? 1 : -1;  // from j to i
      EXPECT_LT(norm(p.normal - Vec3d{0, 0, up}), 1e-12);
      EXPECT_NEAR(p.i.position.z, p.surface_i == 1 ? gap : 0, 1e-16);
      ++n[p.surface_i];
    }
    EXPECT_EQ(n[0], 25u);
    EXPECT_EQ(n[1], 16u);
  }
}

TEST(ProximitySoft, ReachGrowsWithTheApproachOnly) {
  ProximityScene scene = blocks(0.01);
  EXPECT_TRUE(scene.find().empty());
  const std::size_t first = static_cast<std::size_t>(scene.first_nodes[1]);
  const auto set_velocity = [&](Vec3d lower, Vec3d upper) {
    for (std::size_t i = 0; i < scene.v.size(); ++i) scene.v[i] = i < first ? lower : upper;
  };
  set_velocity({0, 0, -0.5001}, {0, 0, -0.5001});  // together: something may stop the lower one
  EXPECT_EQ(scene.find().size(), 41u);
  set_velocity({0, 0, -9}, {0, 0, -0.4999});
  EXPECT_TRUE(scene.find().empty());
  set_velocity({}, {0, 0, -0.2501});
  EXPECT_EQ(scene.find().size(), 41u);
  set_velocity({}, {0, 0, -0.2499});
  EXPECT_TRUE(scene.find().empty());
  set_velocity({0, 0, 0.2501}, {});
  EXPECT_EQ(scene.find().size(), 41u);
  set_velocity({}, {3, 0, 0.3});
  EXPECT_TRUE(scene.find().empty());
}

TEST(ProximitySoft, KeysStayTheSameUnderSmallMotionAndSliding) {
  ProximityScene scene;
  scene.add_soft(mesh_box({0.1, 0.1, 0.05}, {4, 4, 2}), moved_by({0, 0, -0.05}));
  scene.add_soft(mesh_box({0.05, 0.05, 0.05}, {3, 3, 2}), moved_by({0.021, 0.022, 1e-3}));
  const std::vector<SurfacePair> before = scene.find();
  std::map<std::uint64_t, SurfacePair> vertices;
  for (const SurfacePair& p : before) {
    if (p.surface_i == 1) vertices[p.key] = p;
  }
  EXPECT_EQ(vertices.size(), 16u);
  for (std::size_t i = static_cast<std::size_t>(scene.first_nodes[1]); i < scene.x.size(); ++i) {
    scene.x[i] += Vec3d{0.015, -0.011, -2e-4};  // over triangles, not over the rim
  }
  std::size_t n_known = 0;
  for (const SurfacePair& p : scene.find()) {
    if (p.surface_i != 1) continue;
    ASSERT_EQ(vertices.count(p.key), 1u);
    EXPECT_EQ(vertices[p.key].i.node[0], p.i.node[0]);
    ++n_known;
  }
  EXPECT_EQ(n_known, 16u);
}

TEST(ProximitySoft, CrossedEdgesMeetInTheMiddle) {
  // Two bars, each standing on an edge, the upper across the lower: no vertex is near.
  const double h = 0.05 * std::sqrt(0.5);
  const auto bar = [&](double turn, double lift) {
    return [=](Vec3d p) {
      p -= Vec3d{0.2, 0.025, 0.025};
      const double c = std::sqrt(0.5);
      const Vec3d stood{p.x, c * (p.y - p.z), c * (p.y + p.z)};
      return test::rotated_about_z(stood, turn) + Vec3d{0, 0, lift};
    };
  };
  for (const double turn : {std::numbers::pi / 2, 1.0, 0.4}) {
    for (const double gap : {1e-3, 0.0, -1e-3}) {
      SCOPED_TRACE(gap);
      ProximityScene scene;
      scene.add_soft(mesh_box({0.4, 0.05, 0.05}, {1, 1, 1}), bar(0, 0));
      scene.add_soft(mesh_box({0.4, 0.05, 0.05}, {1, 1, 1}), bar(turn, 2 * h + gap));
      const std::vector<SurfacePair> pairs = scene.find();
      ASSERT_EQ(pairs.size(), 1u);
      EXPECT_EQ(pairs[0].rule, PairRule::edge);
      EXPECT_NEAR(pairs[0].gap_m, gap, 1e-16);
      EXPECT_LT(norm(pairs[0].normal - Vec3d{0, 0, -1}), 1e-14);
      EXPECT_LT(norm(pairs[0].j.position - Vec3d{0, 0, h + gap}), 1e-14);
      EXPECT_EQ(pairs[0].i.n_node, 2);
      EXPECT_NEAR(pairs[0].i.weight[0], 0.5, 1e-14);
      expect_body_points_consistent(scene, pairs[0]);
    }
  }
}

/// An edge of a soft surface where it is now, with its faces.
SolidEdge edge_now(const ProximityScene& scene, int soft, std::int32_t e) {
  const SurfaceMesh& mesh = scene.meshes[static_cast<std::size_t>(soft)];
  const auto [low, high] = mesh.edges[static_cast<std::size_t>(e)];
  Vec3d opposite[2], normal[2];
  std::size_t k = 0;
  for (const std::int32_t t : mesh.triangles_of_edge(e)) {
    const auto& corners = mesh.triangles[static_cast<std::size_t>(t)];
    Vec3d p[3];
    for (std::size_t c = 0; c < 3; ++c) {
      p[c] = scene.position(soft, corners[c]);
      if (corners[c] != low && corners[c] != high) opposite[k] = p[c];
    }
    normal[k++] = triangle_normal(p[0], p[1], p[2]);
  }
  return make_solid_edge(scene.position(soft, low), scene.position(soft, high), opposite[0],
                         normal[0], opposite[1], normal[1]);
}

bool is_sharp_at_rest(const SurfaceMesh& mesh, std::int32_t e) {
  Vec3d normal[2];
  std::size_t k = 0;
  for (const std::int32_t t : mesh.triangles_of_edge(e)) {
    const auto& [a, b, c] = mesh.triangles[static_cast<std::size_t>(t)];
    const auto rest = [&](std::int32_t i) { return mesh.rest[static_cast<std::size_t>(i)]; };
    normal[k++] = triangle_normal(rest(a), rest(b), rest(c));
  }
  return dot(normal[0], normal[1]) < std::cos(std::numbers::pi / 6);
}

TEST(ProximitySoft, EdgePairsAreThoseOfBruteForce) {
  std::size_t n_pair = 0, n_covered = 0, n_carried = 0, n_inside = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    RandomScene random(seed);
    ProximityScene scene;
    scene.margin = random.uniform(0, 0.03);
    for (int body = 0; body < 2; ++body) {
      const Pose pose{random.vector(0.07), rotation_matrix(random.rotation())};
      const Vec3d size{random.uniform(0.05, 0.4), random.uniform(0.05, 0.2), 0.05};
      scene.add_soft(mesh_box(size, {static_cast<int>(random.uniform(1, 5)), 2, 1}),
                     [&](Vec3d p) { return pose.to_world(p - 0.5 * size); });
    }
    for (Vec3d& v : scene.v) v = random.vector(seed % 2 == 0 ? 0 : 0.3);
    std::map<std::pair<std::int32_t, std::int32_t>, const SurfacePair*> found;
    std::map<std::pair<int, std::int32_t>, double> vertex_gap;
    std::map<std::pair<int, std::int32_t>, Vec3d> vertex_normal;  // from the second to the first
    const std::vector<SurfacePair> pairs = scene.find();
    for (const SurfacePair& p : pairs) {
      if (p.rule == PairRule::edge) {
        EXPECT_EQ(p.surface_i, 0);
        EXPECT_TRUE((found.insert({{p.feature_i, p.feature_j}, &p}).second));
        expect_body_points_consistent(scene, p);
        EXPECT_NEAR(dot(p.i.position - p.j.position, p.normal), p.gap_m, 1e-15);
        EXPECT_NEAR(norm(p.i.position - p.j.position), std::fabs(p.gap_m), 1e-14);
      } else {
        vertex_gap[{p.surface_i, p.feature_i}] = p.gap_m;
        vertex_normal[{p.surface_i, p.feature_i}] = p.surface_i == 0 ? p.normal : -p.normal;
      }
    }
    const SurfaceMesh &a = scene.meshes[0], &b = scene.meshes[1];
    const TriangleMesh now[] = {scene.triangles(0), scene.triangles(1)};
    const double depth = 0.5 * std::min(a.mean_edge_length(), b.mean_edge_length());
    std::size_t n_expected = 0;
    for (std::int32_t e = 0; e < a.n_edge(); ++e) {
      for (std::int32_t f = 0; f < b.n_edge(); ++f) {
        if (!is_sharp_at_rest(a, e) && !is_sharp_at_rest(b, f)) continue;
        const SolidEdge i = edge_now(scene, 0, e), j = edge_now(scene, 1, f);
        SegmentPoints points;
        EdgeContact c;
        if (!find_crossing(i.a, i.b, j.a, j.b, &points)) continue;
        if (!find_edge_contact(i, j, points, &c) || c.distance < -depth) continue;
        if (c.distance < 0 && (brute_force_distance(now[1], c.on_i) > 1e-12 ||
                               brute_force_distance(now[0], c.on_j) > 1e-12)) {
          continue;
        }
        const auto velocity = [&](int soft, std::int32_t edge, double s) {
          const auto k = static_cast<std::size_t>(soft);
          const auto [low, high] = scene.meshes[k].edges[static_cast<std::size_t>(edge)];
          const auto of = [&](std::int32_t vertex) {
            return scene.v[static_cast<std::size_t>(
                scene.first_nodes[k] + scene.meshes[k].nodes[static_cast<std::size_t>(vertex)])];
          };
          return (1 - s) * of(low) + s * of(high);
        };
        const double closing =
            test::may_close(velocity(0, e, c.s), velocity(1, f, c.t), c.normal, scene.step);
        if (!(c.distance < scene.margin + closing)) continue;
        const double tolerance = 0.01 * std::min(norm(i.b - i.a), norm(j.b - j.a));
        const auto is_covered = [&](int soft, const SurfaceMesh::Edge& ends) {
          return std::all_of(ends.begin(), ends.end(), [&](std::int32_t vertex) {
            const auto at = vertex_gap.find({soft, vertex});
            return at != vertex_gap.end() && at->second <= c.distance + tolerance;
          });
        };
        if (is_covered(0, a.edges[static_cast<std::size_t>(e)]) ||
            is_covered(1, b.edges[static_cast<std::size_t>(f)])) {
          ++n_covered;
          continue;
        }
        const auto is_carried = [&](int soft, const SurfaceMesh::Edge& ends) {
          return std::all_of(ends.begin(), ends.end(), [&](std::int32_t vertex) {
            const auto at = vertex_normal.find({soft, vertex});
            return at != vertex_normal.end() && norm(at->second - c.normal) < 0.1;
          });
        };
        if (is_carried(0, a.edges[static_cast<std::size_t>(e)]) &&
            is_carried(1, b.edges[static_cast<std::size_t>(f)])) {
          ++n_carried;
          continue;
        }
        ++n_expected;
        n_inside += c.distance < 0 ? 1 : 0;
        ASSERT_EQ(found.count({e, f}), 1u) << "gap " << c.distance;
        EXPECT_NEAR((found[{e, f}]->gap_m), c.distance, 1e-15);
      }
    }
    EXPECT_EQ(found.size(), n_expected);
    n_pair += n_expected;
  }
  printf("edge pairs %zu, inside %zu, covered %zu, carried %zu\n", n_pair, n_inside, n_covered,
         n_carried);
  EXPECT_GT(n_pair, 300u);
  EXPECT_GT(n_inside, 100u);
  EXPECT_GT(n_covered, 20u);
}

TEST(ProximitySoft, AFlatMeshOverASharpEdgeMeetsItBetweenItsVertices) {
  // A plate of coarse triangles on the edge of a bar: its vertices are beside the edge.
  ProximityScene scene;
  const double h = 0.05 * std::sqrt(0.5);
  scene.add_soft(mesh_box({1.0, 0.05, 0.05}, {1, 1, 1}), [&](Vec3d p) {
    p -= Vec3d{0.5, 0.025, 0.025};
    const double c = std::sqrt(0.5);
    return Vec3d{p.x + 0.01, c * (p.y - p.z) + 0.013, c * (p.y + p.z)};
  });
  scene.add_soft(mesh_box({0.4, 0.4, 0.02}, {4, 4, 1}), moved_by({-0.2, -0.2, h + 5e-4}));
  std::size_t n_edge = 0;
  for (const SurfacePair& p : scene.find()) {
    if (p.rule != PairRule::edge) continue;
    ++n_edge;
    EXPECT_NEAR(p.gap_m, 5e-4, 1e-15);
    EXPECT_LT(norm(p.normal - Vec3d{0, 0, -1}), 1e-12);
    EXPECT_NEAR(p.i.position.y, 0.013, 1e-12);
  }
  EXPECT_GE(n_edge, 5u);  // every line of cells that crosses
}

/// Edge pairs of a soft bar over the edge of a rigid box at x = 0.05, z = 0: one end of the bar's
/// lower face is 10 mm above the box, the other is lower by 1/30 of the length and `beyond` the
/// edge [m].
std::size_t n_edge_pairs_of_bar_on_box(double beyond, double margin, double length = 0.06) {
  ProximityScene scene;
  scene.margin = margin;
  scene.add_soft(mesh_box({length, 0.02, 0.02}, {1, 1, 1}), [&](Vec3d p) {
    return Vec3d{0.05 + beyond - (length - p.x), p.y, 0.01 - 0.002 * p.x / 0.06 + p.z};
  });
  scene.add_shape({ShapeKind::box, {0.1, 0.2, 0.1}, 0, 0, {}}, {{0, 0, -0.05}, Mat3d::identity()});
  const std::vector<SurfacePair> pairs = scene.find();
  return static_cast<std::size_t>(std::count_if(
      pairs.begin(), pairs.end(), [](const SurfacePair& p) { return p.rule == PairRule::edge; }));
}

TEST(ProximitySoft, AnEdgeThatBothItsVerticesCarryAlikeIsInNoPair) {
  // Two edges of the bar and the diagonal between them cross that of the box. Normals of the
  // vertices beyond it lean by beyond / 8 mm, that of the edges by 2/60.
  EXPECT_EQ(n_edge_pairs_of_bar_on_box(0.5e-3, 20e-3), 0u);
  EXPECT_EQ(n_edge_pairs_of_bar_on_box(0.9e-3, 20e-3), 0u);
  // Normals are 0.13 apart. The diagonal is beside one of the edges, which has its contact.
  EXPECT_EQ(n_edge_pairs_of_bar_on_box(1.3e-3, 20e-3), 2u);
  EXPECT_EQ(n_edge_pairs_of_bar_on_box(4e-3, 20e-3), 3u);
  // A vertex alone is in a pair: it stands for the edge if it is near the place where they cross.
  EXPECT_EQ(n_edge_pairs_of_bar_on_box(0.5e-3, 9e-3), 0u);
  EXPECT_EQ(n_edge_pairs_of_bar_on_box(0.9e-3, 9.8e-3, 8e-3), 3u);
}

TEST(ProximitySoft, TheFarSideOfAThinBodyIsInNoPair) {
  // A mat of 2 mm under a ball with a margin of 5 mm: its lower face is within the margin.
  ProximityScene scene;
  const int mat = scene.add_soft(mesh_mat({0.4, 0.4, 2e-3}, 500), moved_by({-0.2, -0.2, 0}));
  scene.add_soft(mesh_ball(0.1, 500), moved_by({0, 0, 0.1 + 2e-3 + 1e-3}));
  std::size_t n = 0;
  for (const SurfacePair& p : scene.find()) {
    if (p.surface_i != mat) continue;
    ++n;
    EXPECT_NEAR(p.i.position.z, 2e-3, 1e-12);
    EXPECT_LT(p.normal.z, -0.5);
  }
  EXPECT_GT(n, 0u);
}

TEST(ProximitySoft, SunkMoreThanHalfwayIntoAMatStillComesOutWhereItCameIn) {
  ProximityScene scene;
  const int mat = scene.add_soft(mesh_mat({0.4, 0.4, 0.02}, 600), moved_by({-0.2, -0.2, -0.02}));
  const int block =
      scene.add_soft(mesh_box({0.05, 0.05, 0.05}, {2, 2, 2}), moved_by({0, 0, -0.013}));
  std::size_t n = 0;
  for (const SurfacePair& p : scene.find()) {
    if (p.surface_i != block || p.surface_j != mat || p.i.position.z > -0.012) continue;
    EXPECT_NEAR(p.gap_m, -0.013, 1e-12);
    EXPECT_NEAR(p.normal.z, 1, 1e-12);
    ++n;
  }
  EXPECT_EQ(n, 9u);
}

TEST(ProximitySoft, CoincidentNestedAndTouchingBodiesAreDefined) {
  const TetMesh ball = mesh_ball(0.1, 300);
  {
    ProximityScene scene;
    scene.add_soft(ball, moved_by({}));
    scene.add_soft(ball, moved_by({}));
    for (const SurfacePair& p : scene.find()) {
      EXPECT_TRUE(std::isfinite(p.gap_m));
      EXPECT_LE(p.gap_m, 0);
      expect_body_points_consistent(scene, p);
    }
  }
  {
    ProximityScene scene;
    scene.add_soft(ball, moved_by({}));
    scene.add_soft(ball, [](Vec3d p) { return 0.2 * p; });
    for (const SurfacePair& p : scene.find()) expect_body_points_consistent(scene, p);
  }
  {
    ProximityScene scene = blocks(0);
    scene.margin = 0;  // gap < 0 is asked for: a gap of exactly 0 is none
    EXPECT_TRUE(scene.find().empty());
    scene.margin = 1e-12;
    EXPECT_EQ(scene.find().size(), 41u);
  }
}

TEST(ProximitySoft, WhatIsNotANumberIsInNoPairAndHidesNothingElse) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ProximityScene scene = blocks(1e-3);
  const std::size_t lost = static_cast<std::size_t>(scene.first_nodes[1]) + 7;
  for (const Vec3d bad : {Vec3d{nan, 0, 0}, Vec3d{0, HUGE_VAL, 0}, Vec3d{0, 0, nan}}) {
    scene.x[lost] = bad;
    const std::vector<SurfacePair> pairs = scene.find();
    EXPECT_GT(pairs.size(), 20u);
    for (const SurfacePair& p : pairs) {
      EXPECT_TRUE(is_finite(p.i.position) && is_finite(p.j.position) && std::isfinite(p.gap_m));
      EXPECT_NEAR(p.gap_m, 1e-3, 1e-15);
    }
  }
  for (Vec3d& x : scene.x) x = {nan, nan, nan};
  EXPECT_TRUE(scene.find().empty());
  ProximityScene moving = blocks(1e-3);
  for (Vec3d& v : moving.v) v = {nan, nan, nan};
  EXPECT_EQ(moving.find().size(), 41u);
}

TEST(ProximitySoft, DeadAndRandomStatesEndInPairsOrNone) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomScene random(seed);
    ProximityScene scene = blocks(1e-3);
    for (Vec3d& x : scene.x) x = random.vector(seed % 2 == 0 ? 0.05 : 1e-9);  // crumpled
    for (const SurfacePair& p : scene.find()) expect_body_points_consistent(scene, p);
    for (Vec3d& x : scene.x) x = {1, 2, 3};  // a point
    for (const SurfacePair& p : scene.find()) EXPECT_TRUE(is_finite(p.normal));
  }
}

TEST(ProximitySoft, ExcludedAndNotAllowedPairsAreLeftOut) {
  ProximityScene scene = blocks(1e-3);
  scene.search.exclude(1, 0);
  EXPECT_TRUE(scene.find().empty());
  ProximityScene other = blocks(1e-3);
  const int third = other.add_soft(mesh_box({0.1, 0.1, 0.05}, {2, 2, 1}), moved_by({0, 0, 0.052}));
  EXPECT_GT(other.find().size(), 41u);
  other.search.allow(third, 1);
  for (const SurfacePair& p : other.find()) EXPECT_NE(p.surface_i * p.surface_j, 0);
  EXPECT_FALSE(other.find().empty());
  EXPECT_GT(other.search.counters().distance_tests, 0);
  EXPECT_EQ(other.search.counters().body_pairs, 1);
}

TEST(ProximitySoft, BadArgumentsAreNamed) {
  ProximitySearch search;
  const SurfaceMesh surface = surface_of(mesh_box({1, 1, 1}, {1, 1, 1}));
  SoftSurfaceOptions options;
  options.thickness_m = -1;
  EXPECT_THROW(search.add_soft(surface, 0, options), InputError);
  EXPECT_THROW(search.add_soft(surface, -1), InputError);
  EXPECT_THROW(search.add_soft(SurfaceMesh{}, 0), InputError);
  EXPECT_THROW(search.add_rod({0, 3, 0, 1}), InputError);
  EXPECT_THROW(search.add_rod({0, 3, 1, std::nan("")}), InputError);
  EXPECT_THROW(search.add_rod({0, 0, 1, 1}), InputError);
  EXPECT_THROW(search.exclude(0, 1), InputError);
  search.add_soft(surface, 0);
  std::vector<SurfacePair> pairs;
  EXPECT_THROW(search.find({}, 0.01, 0.01, 1, &pairs), InputError);
  const std::vector<Vec3d> x(8);
  EXPECT_THROW(search.find({x, x, {}, {}}, std::nan(""), 0.01, 1, &pairs), InputError);
  EXPECT_NO_THROW(search.find({x, x, {}, {}}, 0.01, 0.01, 1, &pairs));
}

TEST(ProximitySoft, AFoldedMatMeetsItselfOnFacingLayersOnly) {
  const double thickness = 4e-3, inner = 1.5e-3;  // the layers' faces are 2 inner = 3 mm apart
  const Vec3d size{0.3, 0.1, thickness};
  const TetMesh mat = mesh_mat(size, 4000);
  ProximityScene scene;
  SoftSurfaceOptions options;
  options.self_contact = true;
  scene.margin = 4e-3;
  const auto place = [&](Vec3d p) { return folded(p, size.x, inner, thickness); };
  scene.add_soft(mat, place, options);
  std::size_t n = 0, n_flat = 0;
  const double flat = 0.5 * (size.x - std::numbers::pi * (inner + thickness));
  for (const SurfacePair& p : scene.find()) {
    ++n;
    const auto rest = [&](const BodyPoint& point) {
      return test::recomputed_position(point, mat.nodes);
    };
    // Only the inner face, the top of the sheet at rest, meets itself.
    EXPECT_NEAR(rest(p.i).z, thickness, 1e-12);
    EXPECT_NEAR(rest(p.j).z, thickness, 1e-12);
    EXPECT_GT(p.gap_m, 0);
    EXPECT_GT(norm(rest(p.i) - rest(p.j)), 2 * scene.margin);
    const bool is_flat = rest(p.i).x < flat - 0.01 || rest(p.i).x > size.x - flat + 0.01;
    if (p.rule == PairRule::vertex && is_flat) {
      EXPECT_NEAR(p.gap_m, 2 * inner, 1e-12);
      EXPECT_NEAR(std::fabs(p.normal.z), 1, 1e-9);
      ++n_flat;
    }
  }
  // Every vertex of the inner face on the flat layers.
  std::size_t expected = 0;
  for (const std::int32_t node : scene.meshes[0].nodes) {
    const Vec3d rest = mat.nodes[static_cast<std::size_t>(node)];
    const bool is_flat = rest.x < flat - 0.01 || rest.x > size.x - flat + 0.01;
    if (rest.z > 0.99 * thickness && is_flat && rest.x > 1e-9 && rest.x < size.x - 1e-9 &&
        rest.y > 1e-9 && rest.y < size.y - 1e-9) {
      ++expected;
    }
  }
  EXPECT_GE(n_flat, expected);
  EXPECT_GT(expected, 500u);

  // Unfolded it is in no contact with itself, whatever it moves like.
  ProximityScene straight;
  straight.margin = 4e-3;
  straight.add_soft(mat, moved_by({}), options);
  RandomScene random(1);
  EXPECT_TRUE(straight.find().empty());
  for (Vec3d& v : straight.v) v = {0, 0, random.uniform(-1, 1)};
  EXPECT_TRUE(straight.find().empty());
}

TEST(ProximitySoft, FoldedLayersThatOverlapHaveNegativeGaps) {
  const double thickness = 4e-3;
  const Vec3d size{0.3, 0.1, thickness};
  const TetMesh mat = mesh_mat(size, 3000);
  ProximityScene scene;
  SoftSurfaceOptions options;
  options.self_contact = true;
  scene.margin = 1e-3;
  // Fold with room, then lower the upper layer by more than the room: 0.5 mm into the lower one.
  scene.add_soft(
      mat,
      [&](Vec3d p) {
        Vec3d q = folded(p, size.x, 1.5e-3, thickness);
        if (p.x > 0.5 * size.x + 0.02) q.z -= 3.5e-3;
        return q;
      },
      options);
  std::size_t n = 0;
  for (const SurfacePair& p : scene.find()) {
    const Vec3d rest = test::recomputed_position(p.i, mat.nodes);
    if (p.rule != PairRule::vertex || std::fabs(rest.x - 0.5 * size.x) < 0.05) continue;
    ++n;
    EXPECT_NEAR(p.gap_m, -0.5e-3, 1e-12);
    EXPECT_NEAR(p.normal.z, rest.x > 0.5 * size.x ? 1 : -1, 1e-9);
  }
  EXPECT_GT(n, 300u);
}

TEST(ProximitySoft, ThicknessIsTakenOffTheGap) {
  ProximityScene scene;
  SoftSurfaceOptions thick;
  thick.thickness_m = 2e-3;
  scene.add_soft(mesh_box({0.1, 0.1, 0.05}, {4, 4, 2}), moved_by({0, 0, -0.05}), thick);
  scene.add_soft(mesh_box({0.1, 0.1, 0.05}, {3, 3, 2}), moved_by({0, 0, 6e-3}));
  const std::vector<SurfacePair> pairs = scene.find();
  EXPECT_EQ(pairs.size(), 41u);
  for (const SurfacePair& p : pairs) EXPECT_NEAR(p.gap_m, 4e-3, 1e-15);
}

}  // namespace
}  // namespace nodia
