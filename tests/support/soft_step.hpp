/// Scenes of nothing but soft bodies in the middle of a step: A and b as the host assembles them,
/// and the arrays from which kernels/step makes the same.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "fem/mesh/meshers.hpp"
#include "host/simulation/body_system.hpp"
#include "host/simulation/external_forces.hpp"
#include "host/simulation/targets.hpp"
#include "kernels/step/assemble_planes.hpp"
#include "kernels/step/soft_contacts.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/fem_random.hpp"
#include "tests/support/launchers.hpp"

namespace nodia::test {

/// Tetrahedra in a row, every four consecutive nodes one, `n` nodes in all: points of the helix in
/// which regular tetrahedra stack.
inline TetMesh tet_helix(int n, double edge_m) {
  TetMesh mesh;
  const double angle = std::acos(-2.0 / 3), radius = 3 * std::sqrt(3.0) / 10,
               rise = 1 / std::sqrt(10.0);
  for (int k = 0; k < n; ++k)
    mesh.nodes.push_back(
        edge_m * Vec3d{radius * std::cos(k * angle), radius * std::sin(k * angle), rise * k});
  for (std::int32_t k = 0; k + 3 < n; ++k) {
    std::array<std::int32_t, 4> tet{k, k + 1, k + 2, k + 3};
    const std::vector<Vec3d>& p = mesh.nodes;
    if (tet_volume(p[tet[0]], p[tet[1]], p[tet[2]], p[tet[3]]) < 0) std::swap(tet[2], tet[3]);
    mesh.tets.push_back(tet);
  }
  return mesh;
}
/// A box of cells.
inline TetMesh box_of(std::array<int, 3> cells) {
  const double h = 0.01;
  return mesh_box({h * cells[0], h * cells[1], h * cells[2]}, cells);
}

enum class SoftStepLoads : std::uint8_t { none, attachments, attachments_and_external_forces };

/// A scene in a random state, and its A and b.
struct SoftStepScene {
  Scene scene;
  BodySystem system;
  State state;
  std::vector<double> diagonal;  ///< of attachments, per node [kg/s]
  std::vector<Vec3d> force;      ///< likewise [N]
  ExternalForces external_forces;
  BlockMatrix A;
  std::vector<Vec3d> b;

  SoftStepScene(unsigned seed, const std::vector<TetMesh>& bodies, SoftStepLoads loads)
      : scene(make_scene(seed, bodies, loads)), system(scene) {
    TopologyPool pool;
    system.fix_topology({}, &pool);
    state = system.initial_state();
    external_forces = ExternalForces(scene, system);
    FemRandom random(seed + 50);
    diagonal.resize(state.x.size());
    force.resize(state.x.size());
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      state.x[i] += random.vector(2e-3);
      state.v[i] = random.vector(3);
      if (loads == SoftStepLoads::none || i % 3 != 0) continue;
      diagonal[i] = random.uniform(0, 5);
      force[i] = random.vector(10);
    }
    system.update_kinematics(state);
    external_forces.begin_step(state, scene.time.step_s, system);
    A = BlockMatrix(system.pattern());
    b.resize(state.v.size());
    const Targets targets = Targets::of(scene, system);
    system.assemble({state, targets, diagonal, force, 2, external_forces.force()}, A.value.data(),
                    b.data());
  }
  SoftStepScene(const SoftStepScene&) = delete;  // the system knows the scene
  SoftStepScene& operator=(const SoftStepScene&) = delete;

  /// As EnvironmentStep::describe; empty: there are none.
  std::vector<SoftLoad> node_loads() const {
    std::vector<SoftLoad> all(state.x.size());
    bool any = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Vec3d external_force =
          external_forces.force() == nullptr ? Vec3d{} : (*external_forces.force())[i];
      any = any || diagonal[i] != 0 || norm(force[i]) > 0 || norm(external_force) > 0;
      all[i] = {diagonal[i], force[i], external_force};
    }
    if (!any) all.clear();
    return all;
  }

 private:
  static Scene make_scene(unsigned seed, const std::vector<TetMesh>& bodies, SoftStepLoads loads) {
    FemRandom random(seed);
    Scene scene;
    scene.name = "soft step";
    scene.time.step_s = random.uniform(0.001, 0.02);
    scene.time.theta = random.uniform(0.5, 1);
    scene.gravity_m_s2 = random.vector(10);
    for (const TetMesh& mesh : bodies) {
      SoftBodyDescription body;
      body.name = "body " + std::to_string(scene.soft_bodies.size());
      body.mesh = mesh;
      body.material.youngs_modulus_Pa = std::pow(10, random.uniform(3, 7));
      body.material.poissons_ratio = random.uniform(0, 0.49);
      body.material.density_kg_m3 = random.uniform(100, 3000);
      body.material.rayleigh_mass_1_s = random.uniform(0, 2);
      body.material.rayleigh_stiffness_s = random.uniform(0, 0.01);
      body.pose.position = random.vector(1);
      scene.soft_bodies.push_back(body);
    }
    if (loads ==
        SoftStepLoads::attachments_and_external_forces) {  // the first body is pushed twice
      for (std::size_t k = 0; k <= bodies.size(); k += 1 + k / 2) {
        ExternalForceDescription external_force;
        external_force.name = "push " + std::to_string(k);
        external_force.body = scene.soft_bodies[k == 0 ? 0 : k - 1].name;
        external_force.force_N = random.vector(40);
        external_force.duration_s = 0.6 * scene.time.step_s;
        scene.pushes.push_back(external_force);
      }
    }
    return scene;
  }
};

/// Arrays of a SoftRows.
struct SoftStepArrays {
  std::vector<Vec3d> x, v;
  std::vector<PaddedNode> padded_x, corner;
  std::vector<SoftLoad> load;
  std::vector<NodeRange> body;

  /// @return without rows of the loop
  SoftRows make(const SoftStepScene& scene) {
    SoftRows soft;
    soft.model = scene.system.soft_bodies().model().view();
    soft.step = scene.scene.time;
    soft.gravity = scene.scene.gravity_m_s2;
    x = scene.state.x;
    v = scene.state.v;
    padded_x.resize(x.size());
    corner.resize(static_cast<std::size_t>(kSliceNodes) * slice_count(soft.model.n_tet));
    load = scene.node_loads();
    for (const BodyRange& own : scene.system.layout().bodies())
      body.push_back({own.first_row, own.end_row()});
    soft.x = &x[0].x;
    soft.v = &v[0].x;
    soft.padded_x = scalars(padded_x);
    soft.corner = scalars(corner);
    if (!load.empty()) soft.load = load.data();
    model_ = soft.model;
    return soft;
  }

  /// Where the launcher watches memory.
  template <class Launcher>
  void name(Launcher* launcher) const {
    if constexpr (std::is_same_v<Launcher, RaceDetector>) {
      const auto one = [&](const char* what, const auto& array) {
        if (!array.empty())
          launcher->name_region(array.data(), array.size() * sizeof(array[0]), what);
      };
      one("x", x);
      one("v", v);
      one("padded_x", padded_x);
      one("corner", corner);
      one("load", load);
      launcher->name_region(model_.slice, slice_count(model_.n_tet) * sizeof(TetSlice), "slice");
    }
  }

 private:
  AssemblyView model_;
};

/// What EvaluateTets leaves, of environments side by side.
template <class Launcher>
void evaluate_corners(Launcher& launcher, const std::vector<SoftRows>& soft) {
  int n_node = 0, n_tet = 0;
  for (const SoftRows& s : soft) {
    n_node = std::max(n_node, s.model.n_node);
    n_tet = std::max(n_tet, s.model.n_tet);
  }
  const int n_env = static_cast<int>(soft.size());
  launch_elements(launcher, "pad_nodes", PadNodes{}, soft.data(), n_env, n_node);
  launch_elements(launcher, "evaluate_soft_tets", EvaluateSoftTets{}, soft.data(), n_env,
                  slice_count(n_tet) * kSliceTets);
}

}  // namespace nodia::test
