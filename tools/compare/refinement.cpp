#include "tools/compare/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fem/mesh/meshers.hpp"
#include "fem/mesh/subdivide.hpp"
#include "kernels/collision/bounds.hpp"
#include "kernels/core/error.hpp"

namespace nodia::studies {
namespace {

Bounds box_around(const TetMesh& mesh) {
  Bounds box;
  for (const Vec3d& p : mesh.nodes) box.add(p);
  return box;
}

/// True if a node set has the name of a face (`x_min` ...) and its nodes are on this face of the
/// box, like the sets of mesh_mat().
bool is_face(const std::string& name, const std::vector<std::int32_t>& set, const TetMesh& mesh,
             const Bounds& box) {
  constexpr double kRounding = 1e-9;
  if (name.size() != 5 || name[0] < 'x' || name[0] > 'z') return false;
  const int axis = name[0] - 'x';
  const std::string side = name.substr(1);
  if (side != "_min" && side != "_max") return false;
  const double face = side == "_min" ? box.lo[axis] : box.hi[axis];
  return std::all_of(set.begin(), set.end(), [&](std::int32_t node) {
    return std::fabs(mesh.nodes[static_cast<std::size_t>(node)][axis] - face) <=
           kRounding * norm(box.hi - box.lo);
  });
}

bool is_whole_body(const std::vector<std::int32_t>& set, const TetMesh& mesh) {
  return set.size() == mesh.nodes.size();
}

/// True if mesh_mat() can generate the body: a thin block whose node sets are faces, or all nodes.
bool is_sheet(const TetMesh& mesh) {
  constexpr double kThin = 0.2, kRounding = 1e-9;
  const Bounds box = box_around(mesh);
  const Vec3d size = box.hi - box.lo;
  if (size.z > kThin * std::min(size.x, size.y)) return false;
  double volume = 0;
  for (const auto& t : mesh.tets)
    volume += tet_volume(
        mesh.nodes[static_cast<std::size_t>(t[0])], mesh.nodes[static_cast<std::size_t>(t[1])],
        mesh.nodes[static_cast<std::size_t>(t[2])], mesh.nodes[static_cast<std::size_t>(t[3])]);
  const double of_box = size.x * size.y * size.z;
  return std::fabs(volume - of_box) <= kRounding * of_box &&
         std::all_of(mesh.node_sets.begin(), mesh.node_sets.end(), [&](const auto& set) {
           return is_whole_body(set.second, mesh) || is_face(set.first, set.second, mesh, box);
         });
}

TetMesh meshed_anew(const TetMesh& sheet, int n_node) {
  const Bounds box = box_around(sheet);
  TetMesh mesh = mesh_mat(box.hi - box.lo, n_node);
  for (Vec3d& p : mesh.nodes) p += box.lo;
  for (const auto& [name, set] : sheet.node_sets) {
    if (!is_whole_body(set, sheet)) continue;
    std::vector<std::int32_t>& all = mesh.node_sets[name];
    all.resize(mesh.nodes.size());
    std::iota(all.begin(), all.end(), 0);
  }
  return mesh;
}

/// Node counts of a mesh and its subdivisions, up to the first one of at least `most`.
std::vector<int> subdivision_sizes(TetMesh mesh, int most) {
  std::vector<int> sizes{static_cast<int>(mesh.nodes.size())};
  while (sizes.back() < most && 9.0 * sizes.back() < kMostMeshedNodes) {
    mesh = subdivided(mesh);
    sizes.push_back(static_cast<int>(mesh.nodes.size()));
  }
  return sizes;
}

}  // namespace

std::vector<int> refinement_sizes(const Scene& scene, std::vector<int> nodes) {
  for (int n : nodes)
    require(n >= 50, "--nodes", n, ">= 50", "the mat mesher makes sheets of 50 nodes and more");
  if (scene.soft_bodies.empty())
    throw InputError(fmt::format("{}: no soft body (the first one is refined)", scene.name));
  std::sort(nodes.begin(), nodes.end());
  const TetMesh& mesh = scene.soft_bodies.front().mesh;
  if (!is_sheet(mesh)) {
    const std::vector<int> sizes = subdivision_sizes(mesh, nodes.back());
    for (int& n : nodes)
      n = *std::min_element(sizes.begin(), sizes.end(), [n](int a, int b) {
        return std::fabs(std::log(double(a) / n)) < std::fabs(std::log(double(b) / n));
      });
  }
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

Scene refined(const Scene& scene, int n_node) {
  Scene finer = scene;
  TetMesh& mesh = finer.soft_bodies.front().mesh;
  if (is_sheet(mesh))
    mesh = meshed_anew(mesh, n_node);
  else
    while (static_cast<int>(mesh.nodes.size()) < n_node) mesh = subdivided(mesh);
  return finer;
}

void begin_at(double time_s, Simulation* simulation) {
  for (int env = 0; env < simulation->n_env(); ++env) {
    State state = simulation->state(env);
    const double step_s = simulation->scene(env).time.step_s;
    state.step = static_cast<int>(std::lround(time_s / step_s));
    state.time_s = state.step * step_s;
    simulation->set_state(env, state);
  }
}

void begin_dragged_at(double time_s, Simulation* simulation) {
  begin_at(time_s, simulation);
  for (int env = 0; env < simulation->n_env(); ++env) {
    const Scene& scene = simulation->scene(env);
    if (scene.attachments.empty()) continue;
    const Path& path = scene.attachments.front().path;
    State state = simulation->state(env);
    const Vec3d now = path.at(state.time_s).position;
    const Vec3d moved = now - path.at(0).position;
    const Vec3d velocity =
        (1 / scene.time.step_s) * (path.at(state.time_s + scene.time.step_s).position - now);
    for (Vec3d& x : state.x) x += moved;
    for (Vec3d& v : state.v) v = velocity;
    simulation->set_state(env, state);
  }
}

}  // namespace nodia::studies
