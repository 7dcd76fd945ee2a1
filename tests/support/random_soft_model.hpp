/// Soft bodies in any state, for assemblies of every kind.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "fem/mesh/meshers.hpp"
#include "fem/soft/tet_model.hpp"
#include "tests/support/fem_linear.hpp"

namespace nodia::test {

/// Several bodies of random size and material, deformed at random, and what acts on them.
struct RandomSoftModel {
  TetModel model;
  std::vector<Vec3d> x, v, external_force;
  std::vector<double> extra_diagonal;
  TimeStep step;
  Vec3d gravity{};

  /// @param noise    of the positions, relative to the elements' size; 0.4 inverts some
  /// @param n_other  rows of the pattern after the nodes, coupled with some of them
  RandomSoftModel(unsigned seed, double noise, int n_other = 0) {
    FemRandom random(seed);
    const auto count = [&](int most) { return 1 + static_cast<int>(random.uniform(0, most)); };
    const int n_body = count(3);
    for (int k = 0; k < n_body; ++k) {
      const std::array<int, 3> cells{count(5), count(5), count(4)};
      const double h = 0.01;
      TetMesh mesh = mesh_box({h * cells[0], h * cells[1], h * cells[2]}, cells);
      test::distort(mesh, 0.1 * h, seed + 100);
      mesh.tets.resize(mesh.tets.size() - count(3));  // no multiple of a slice
      Material material;
      material.youngs_modulus_Pa = std::pow(10, random.uniform(3, 7));
      material.poissons_ratio = random.uniform(0, 0.49);
      material.density_kg_m3 = random.uniform(100, 3000);
      material.rayleigh_mass_1_s = random.uniform(0, 2);
      material.rayleigh_stiffness_s = random.uniform(0, 0.01);
      model.add_body(mesh, material);
      const Mat3d F = random.rotation() * (Mat3d::identity() + random.matrix(0.2));
      for (const Vec3d& p : mesh.nodes) x.push_back(F * p + random.vector(noise * h));
    }
    auto couplings = model.couplings();
    const int n_node = model.n_node();
    for (int k = 0; k < n_other; ++k) {
      const auto other = static_cast<std::int32_t>(n_node + k);
      if (k > 0) couplings.emplace_back(other, other - 1);
      for (int c = 0; c < 3; ++c) couplings.emplace_back(count(n_node) - 1, other);
    }
    model.finish(BlockPattern::from_couplings(n_node + n_other, couplings));
    for (std::size_t i = 0; i < x.size(); ++i) {
      v.push_back(random.vector(3));
      external_force.push_back(random.vector(10));
      extra_diagonal.push_back(random.uniform(0, 5));
    }
    step = {random.uniform(0.001, 0.02), random.uniform(0.5, 1)};
    gravity = random.vector(10);
  }

  int count_inverted() const {
    int n = 0;
    for (const CorotationalTet& t : model.tets())
      n += tet_volume(x[t.node[0]], x[t.node[1]], x[t.node[2]], x[t.node[3]]) < 0 ? 1 : 0;
    return n;
  }
};

}  // namespace nodia::test
