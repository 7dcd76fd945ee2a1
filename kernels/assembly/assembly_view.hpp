/// What the assembly of A and b reads and writes, as plain data (fem/tet_model.hpp owns it on the
/// host, kernels/assembly/device/device_assembly.hpp on the device).
///
/// Two passes. The first leaves at every corner of every tetrahedron its elastic force f_a and
/// sqrt(V) g_a, g_a = R grad N_a; the second gathers, for every row, what lies at the corners of
/// its lists. The lists are fixed, tetrahedra ascending, so every sum has one order.
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

/// One element's part V g_a g_b^T of an off-diagonal block: the corners of its row and its column.
struct Coupling {
  std::int32_t row = 0, column = 0;
};

/// The fixed data of a model. Corner a of tetrahedron e has the index 4 e + a.
struct AssemblyView {
  int n_node = 0, n_tet = 0, n_block = 0, n_body = 0;
  const CorotationalTet* tet = nullptr;          ///< [n_tet]
  const ElasticBody* body = nullptr;             ///< [n_body]
  const std::int32_t* node_body = nullptr;       ///< [n_node]
  const double* mass = nullptr;                  ///< [n_node], lumped [kg]
  const std::int32_t* row_begin = nullptr;       ///< [n_node + 1], pattern of A
  const std::int32_t* diagonal = nullptr;        ///< [n_node], its diagonal blocks
  const std::int32_t* mirror = nullptr;          ///< [n_block], block (j, i) of block (i, j)
  const std::int32_t* corner_begin = nullptr;    ///< [n_node + 1] into corner
  const std::int32_t* corner = nullptr;          ///< [4 n_tet], the corners of a node
  const std::int32_t* coupling_begin = nullptr;  ///< [n_block + 1] into coupling
  const Coupling* coupling = nullptr;            ///< [6 n_tet], of blocks right of the diagonal
};

/// The time scheme of a step, in A = M/(theta t) + theta t K + alpha M + beta K.
struct AssemblyStep {
  double step_s = 0.01;  ///< t [s]
  double theta = 1;      ///< in [1/2, 1]
};

/// What the first pass leaves at a corner: two nodes of kernels/launch/memory.hpp.
inline constexpr int kCornerNodes = 2;
inline constexpr int kCornerScalars = kCornerNodes * kNodeStride;

/// Where the force of corner c [N] and its sqrt(V) g [m^(1/2)] lie among the corners' nodes.
NODIA_HD int corner_force(int c) {
  return kCornerNodes * c;
}
NODIA_HD int corner_gradient(int c) {
  return kCornerNodes * c + 1;
}

}  // namespace nodia
