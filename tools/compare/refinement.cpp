#include "tools/compare/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fem/mesh/meshers.hpp"
#include "kernels/core/error.hpp"

namespace nodia::studies {
namespace {

Vec3d extent(const TetMesh& mesh) {
  Vec3d low = mesh.nodes.front(), high = low;
  for (const Vec3d& p : mesh.nodes)
    for (int a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], p[a]);
      high[a] = std::max(high[a], p[a]);
    }
  return high - low;
}

}  // namespace

void require_refinable(const Scene& scene, const std::vector<int>& nodes) {
  for (int n : nodes)
    require(n >= 50, "--nodes", n, ">= 50", "the mat mesher makes sheets of 50 nodes and more");
  if (scene.soft_bodies.empty())
    throw InputError(fmt::format("{}: no soft body (the first one is refined)", scene.name));
}

Scene refined(const Scene& scene, int n_node) {
  Scene finer = scene;
  TetMesh& mesh = finer.soft_bodies.front().mesh;
  mesh = mesh_mat(extent(mesh), n_node);
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
