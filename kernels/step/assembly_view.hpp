/// What the assembly of A and b reads and writes, as plain data (fem/soft/tet_model.hpp owns it on
/// the host, host/step/device_soft_rows.hpp on the device).
///
/// Two passes. The first leaves at every corner of every tetrahedron its elastic force f_a and
/// sqrt(V) g_a, g_a = R grad N_a; the second gathers, for every row, what lies at the corners of
/// its lists. The lists are fixed, tetrahedra ascending, so every sum has one order.
///
/// Tetrahedra lie in slices, so that neighbouring lanes read neighbouring values on every backend:
/// value k of tetrahedron e is value[k][e % kSliceTets] of slice e / kSliceTets.
#pragma once

#include "kernels/elements/corotational_tet.hpp"
#include "kernels/launch/memory.hpp"

namespace nodia {

/// Constants of a body.
struct ElasticBody {
  double lambda_Pa = 0, mu_Pa = 0;  ///< Lame parameters
  double rayleigh_mass_1_s = 0;     ///< alpha
  double rayleigh_stiffness_s = 0;  ///< beta
};

/// One element's part V g_a g_b^T of an off-diagonal block: corner_index of its row and its column.
struct Coupling {
  std::int32_t row = 0, column = 0;
};

/// Tetrahedra of a slice: a register of floats on the CPU, half a warp of the device.
inline constexpr int kSliceTets = 16;

/// Rest data of kSliceTets tetrahedra side by side. The last slice is filled up with the last one.
struct alignas(64) TetSlice {
  double gradient[9][kSliceTets];             ///< TetRest::gradient by rows [1/m]
  double volume[kSliceTets];                  ///< [m^3]
  double lambda[kSliceTets], mu[kSliceTets];  ///< Lame parameters [Pa]
  std::int32_t node[4][kSliceTets];           ///< kNodeStride times the corner's node
};

NODIA_HD int slice_count(int n_tet) {
  return n_tet / kSliceTets + (n_tet % kSliceTets != 0 ? 1 : 0);
}

/// What the first pass leaves of a tetrahedron: nodes of kernels/launch/memory.hpp, per corner its
/// force [N] and its sqrt(V) g [m^(1/2)] in one line of the caches, for the second pass reads them
/// far apart from those of other tetrahedra.
inline constexpr int kTetNodes = 8;
inline constexpr int kSliceNodes = kTetNodes * kSliceTets;
inline constexpr int kSliceScalars = kSliceNodes * kNodeStride;

/// Index of corner a of tetrahedron e, and the node of its force.
NODIA_HD int corner_index(int e, int a) {
  return kTetNodes * e + 2 * a;
}
/// The node of a corner's sqrt(V) g.
NODIA_HD int corner_gradient(int corner) {
  return corner + 1;
}

/// The fixed data of a model.
struct AssemblyView {
  int n_node = 0, n_tet = 0, n_block = 0, n_body = 0;
  const TetSlice* slice = nullptr;               ///< [slice_count(n_tet)]
  const ElasticBody* body = nullptr;             ///< [n_body]
  const std::int32_t* node_body = nullptr;       ///< [n_node]
  const double* mass = nullptr;                  ///< [n_node], lumped [kg]
  const std::int32_t* row_begin = nullptr;       ///< [n_node + 1], pattern of A
  const std::int32_t* column = nullptr;          ///< [n_block], of its blocks
  const std::int32_t* diagonal = nullptr;        ///< [n_node], its diagonal blocks
  const std::int32_t* mirror = nullptr;          ///< [n_block], block (j, i) of block (i, j)
  const std::int32_t* corner_begin = nullptr;    ///< [n_node + 1] into corner
  const std::int32_t* corner = nullptr;          ///< [4 n_tet], corner_index of a node's corners
  const std::int32_t* coupling_begin = nullptr;  ///< [n_block + 1] into coupling
  const Coupling* coupling = nullptr;            ///< [6 n_tet], of blocks right of the diagonal

  bool operator==(const AssemblyView&) const = default;
};

/// Calls f(array, size) for every array of a view that is none of its lists (gather_lists.hpp);
/// `array` is its pointer.
template <class F>
void for_each_given_array(AssemblyView* v, const F& f) {
  const auto n_node = static_cast<std::size_t>(v->n_node);
  f(v->slice, static_cast<std::size_t>(slice_count(v->n_tet)));
  f(v->body, static_cast<std::size_t>(v->n_body));
  f(v->node_body, n_node);
  f(v->mass, n_node);
  f(v->row_begin, n_node + 1);
  f(v->column, static_cast<std::size_t>(v->n_block));
  f(v->diagonal, n_node);
}

}  // namespace nodia
