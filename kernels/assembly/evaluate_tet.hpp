/// First pass of the assembly: elastic forces and rotated gradients of every tetrahedron.
#pragma once

#include "kernels/assembly/assembly_view.hpp"
#include "kernels/launch/kernel.hpp"

namespace nodia {

/// Elastic forces and, where wanted, sqrt(V) g of one tetrahedron, or of several that go through
/// the formulas together.
/// @param x      positions of the corners [m]
/// @param store  store(k, vector): node k = corner_force(a) or corner_gradient(a), a = 0 .. 3
template <class Real, class Store>
NODIA_HD void evaluate_tet(const TetRest<Real>& rest, const TetVectors<Real>& x,
                           bool with_gradients, const Store& store) {
  const Mat3<Real> F = deformation_gradient(rest, x);
  const Mat3<Real> R = polar_rotation(F);
  const TetVectors<Real> f = tet_forces(rest, F, R);
  for (int a = 0; a < 4; ++a) store(corner_force(a), f.corner[a]);
  if (!with_gradients) return;
  const TetVectors<Real> g = rotated_gradients(rest, R);
  for (int a = 0; a < 4; ++a) store(corner_gradient(a), g.corner[a]);
}

/// One lane per tetrahedron; items are chunks of kBlockLanes of them.
struct EvaluateTets {
  AssemblyView model;
  const double* x = nullptr;  ///< positions as nodes [m]
  double* corner = nullptr;   ///< out: kCornerScalars per corner

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }

  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const int e = item * kBlockLanes + lane;
    if (e >= model.n_tet) return;
    const CorotationalTet& tet = model.tet[e];
    TetVectors<double> position;
    for (int a = 0; a < 4; ++a)
      position.corner[a] = memory.template load_node<double>(x, tet.node[a]);
    evaluate_tet(tet.rest, position, true, [&](int k, Vec3d vector) {
      memory.template store_node<double>(corner, 4 * kCornerNodes * e + k, vector);
    });
  }
};

}  // namespace nodia
