/// Plain data that the assembly of A and b reads and writes. fem/soft/tet_model.hpp owns them on
/// the host, host/step/device_soft_rows.hpp on the device.
///
/// The first pass stores the elastic force f_a and sqrt(V) g_a, g_a = R grad N_a, at every corner
/// of every tetrahedron. The second pass gathers the corners in the lists of every row. The lists
/// have a fixed order, ascending by tetrahedron; therefore every sum has one order.
///
/// Value k of tetrahedron e is value[k][e % kSliceTets] of slice e / kSliceTets, so that
/// neighbouring lanes read neighbouring values on every backend.
#pragma once

#include "kernels/elements/corotational_tet.hpp"
#include "kernels/launch/memory.hpp"

namespace nodia {

/// Material constants of a body.
struct ElasticBody {
  double lambda_Pa = 0, mu_Pa = 0;  ///< Lame parameters
  double rayleigh_mass_1_s = 0;     ///< alpha
  double rayleigh_stiffness_s = 0;  ///< beta
};

/// Contribution V g_a g_b^T of an element to an off-diagonal block; corner_index of row and column.
struct Coupling {
  std::int32_t row = 0, column = 0;
};

/// Tetrahedra per slice: one register of floats on the CPU, half a warp on the GPU.
inline constexpr int kSliceTets = 16;

/// Rest data of kSliceTets tetrahedra. Copies of the last tetrahedron pad the last slice.
struct alignas(64) TetSlice {
  double gradient[9][kSliceTets];             ///< TetRest::gradient, row by row [1/m]
  double volume[kSliceTets];                  ///< [m^3]
  double lambda[kSliceTets], mu[kSliceTets];  ///< Lame parameters [Pa]
  std::int32_t node[4][kSliceTets];           ///< kNodeStride times the node of the corner
};

NODIA_HD int slice_count(int n_tet) {
  return n_tet / kSliceTets + (n_tet % kSliceTets != 0 ? 1 : 0);
}

/// Output of the first pass per tetrahedron, in nodes of kernels/launch/memory.hpp. Force [N] and
/// sqrt(V) g [m^(1/2)] of a corner share a cache line for the scattered reads of the second pass.
inline constexpr int kTetNodes = 8;
inline constexpr int kSliceNodes = kTetNodes * kSliceTets;
inline constexpr int kSliceScalars = kSliceNodes * kNodeStride;

/// Index of corner a of tetrahedron e, and of the node with its force.
NODIA_HD int corner_index(int e, int a) {
  return kTetNodes * e + 2 * a;
}
/// Index of the node with sqrt(V) g of a corner.
NODIA_HD int corner_gradient(int corner) {
  return corner + 1;
}

/// Constant data of a model.
struct AssemblyView {
  int n_node = 0, n_tet = 0, n_block = 0, n_body = 0;
  const TetSlice* slice = nullptr;               ///< [slice_count(n_tet)]
  const ElasticBody* body = nullptr;             ///< [n_body]
  const std::int32_t* node_body = nullptr;       ///< [n_node]
  const double* mass = nullptr;                  ///< [n_node], lumped masses [kg]
  const std::int32_t* row_begin = nullptr;       ///< [n_node + 1] into column, pattern of A
  const std::int32_t* column = nullptr;          ///< [n_block], columns of the blocks
  const std::int32_t* diagonal = nullptr;        ///< [n_node], indices of the diagonal blocks
  const std::int32_t* mirror = nullptr;          ///< [n_block], block (j, i) of block (i, j)
  const std::int32_t* corner_begin = nullptr;    ///< [n_node + 1] into corner
  const std::int32_t* corner = nullptr;          ///< [4 n_tet], corner_index of each node's corners
  const std::int32_t* coupling_begin = nullptr;  ///< [n_block + 1] into coupling
  const Coupling* coupling = nullptr;            ///< [6 n_tet], for blocks right of the diagonal

  bool operator==(const AssemblyView&) const = default;
};

/// Calls f(array, size) for every array of a view except its lists (gather_lists.hpp); `array`
/// points to the view's pointer.
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
