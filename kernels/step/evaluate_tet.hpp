/// First pass of the assembly: elastic forces and rotated gradients of every tetrahedron. Also
/// other quantities of single tetrahedra.
#pragma once

#include "kernels/launch/kernel.hpp"
#include "kernels/step/assembly_view.hpp"

namespace nodia {

/// Loads the rest data of the lanes' tetrahedra.
template <class P, class Memory>
NODIA_HD TetRest<P> load_rest(const TetSlice& slice, int lane, Memory memory) {
  const auto load = [&](const double* value) { return memory.template load<P>(value + lane); };
  TetRest<P> rest;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) rest.gradient(r, c) = load(slice.gradient[3 * r + c]);
  rest.volume = load(slice.volume);
  rest.lambda = load(slice.lambda);
  rest.mu = load(slice.mu);
  return rest;
}

/// Base of kernels that process each tetrahedron in one lane; items are chunks of kBlockLanes
/// tetrahedra. Derived has
///   visit(e, rest, x, memory)   x: positions of the corners [m]
template <class Derived>
struct TetKernel {
  AssemblyView model;
  const double* x = nullptr;  ///< positions as padded nodes [m]

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }

  template <int, class Isa, class Memory>
  NODIA_HD void run(int item, int first, Shared&, Memory memory) const {
    using P = Lanes<double, Isa>;
    const int e = item * kBlockLanes + first;
    if (e >= slice_count(model.n_tet) * kSliceTets) return;
    static_cast<const Derived*>(this)->visit(
        e, load_rest<P>(model.slice[e / kSliceTets], e % kSliceTets, memory),
        positions<P>(x, e, memory), memory);
  }

 protected:
  /// Positions of the corners. @param nodes  padded nodes
  template <class P, class Memory>
  NODIA_HD TetVectors<P> positions(const double* nodes, int e, Memory memory) const {
    const TetSlice& slice = model.slice[e / kSliceTets];
    TetVectors<P> position;
    for (int a = 0; a < 4; ++a)
      position.corner[a] = memory.template gather_node<P>(nodes, slice.node[a] + e % kSliceTets);
    return position;
  }
};

/// Writes the elastic forces of the corners and, if requested, sqrt(V) g.
template <class Derived>
struct CornerKernel : TetKernel<Derived> {
  bool with_gradients = true;
  double* corner = nullptr;  ///< output: kSliceScalars per slice

 protected:
  template <class P, class Memory>
  NODIA_HD void put_corners(int e, const TetRest<P>& rest, const Mat3<P>& F, const Mat3<P>& R,
                            Memory memory) const {
    const TetVectors<P> f = tet_forces(rest, F, R);
    constexpr int kLanes = static_cast<int>(sizeof(P) / sizeof(double));
    Node node[kTetNodes][kLanes];
    const auto put = [&](int k, Vec3<P> value) {
      DirectMemory{}.store_node<P>(node[k]->value, 0, value);
    };
    for (int a = 0; a < 4; ++a) put(corner_index(0, a), f.corner[a]);
    if (with_gradients) {
      const TetVectors<P> g = rotated_gradients(rest, R);
      for (int a = 0; a < 4; ++a) put(corner_gradient(corner_index(0, a)), g.corner[a]);
    }
    // Writes in the order of memory: all nodes of one tetrahedron, then the next.
    Node* out = reinterpret_cast<Node*>(corner) + static_cast<std::int64_t>(kTetNodes) * e;
    for (int l = 0; l < kLanes; ++l)
      for (int k = 0; k < kTetNodes; ++k)
        if (with_gradients || k % 2 == 0) memory.write(out + kTetNodes * l + k, node[k][l]);
  }

 private:
  struct alignas(kNodeStride * sizeof(double)) Node {
    double value[kNodeStride];
  };
};

/// With the rotations of the deformation gradients.
struct EvaluateTets : CornerKernel<EvaluateTets> {
  template <class P, class Memory>
  NODIA_HD void visit(int e, const TetRest<P>& rest, const TetVectors<P>& position,
                      Memory memory) const {
    const Mat3<P> F = deformation_gradient(rest, position);
    put_corners(e, rest, F, polar_rotation(F), memory);
  }
};

/// With the rotations R of other positions, and the strain sym(R^T F) - I of x.
struct EvaluateTurnedTets : CornerKernel<EvaluateTurnedTets> {
  const double* turned = nullptr;  ///< the other positions, padded nodes [m]

  template <class P, class Memory>
  NODIA_HD void visit(int e, const TetRest<P>& rest, const TetVectors<P>& position,
                      Memory memory) const {
    const Mat3<P> R =
        polar_rotation(deformation_gradient(rest, this->template positions<P>(turned, e, memory)));
    const Mat3<P> S = transpose(R) * deformation_gradient(rest, position);
    put_corners(e, rest, P(0.5) * (R * (S + transpose(S))), R, memory);
  }
};

enum class TetMeasure : std::uint8_t {
  energy,     ///< elastic energy [J]
  von_mises,  ///< von Mises stress [Pa]
};

/// Computes one value per tetrahedron.
struct MeasureTets : TetKernel<MeasureTets> {
  TetMeasure measure = TetMeasure::energy;
  double* value = nullptr;  ///< output: [slice_count(n_tet) kSliceTets]

  template <class P, class Memory>
  NODIA_HD void visit(int e, const TetRest<P>& rest, const TetVectors<P>& position,
                      Memory memory) const {
    const Mat3<P> F = deformation_gradient(rest, position);
    const Mat3<P> R = polar_rotation(F);
    memory.template store<P>(value + e, measure == TetMeasure::energy ? tet_energy(rest, F, R)
                                                                      : tet_von_mises(rest, F, R));
  }
};

}  // namespace nodia
