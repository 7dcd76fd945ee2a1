/// What the kernels of the V-FPI loop read and write: one environment, and a batch of them.
///
/// Rows are the environment's rows of A in the order of the loop, padded to whole chunks of
/// kBlockLanes with rows that have no blocks, W = 1 and zeros elsewhere; then its virtual nodes,
/// padded likewise. Vectors of rows that a product gathers
/// are padded to kNodeStride scalars a row (kernels/launch/memory.hpp); the others lie in planes
/// (kernels/linalg/plane_vector.hpp).
#pragma once

#include <type_traits>

#include "kernels/launch/kernel.hpp"
#include "kernels/linalg/plane_vector.hpp"
#include "kernels/vfpi/control.hpp"

namespace nodia {

/// Planes of one slice of world contacts, kSliceRows values each: R by rows, phi, mu1, mu2.
inline constexpr int kContactPlanes = 14;

/// A row that is in no single world contact: in several of them, or coupled to other rows.
struct RareRow {
  std::int32_t row = 0;
  std::int32_t begin = 0, end = 0;  ///< slots; of a coupled row entries of coupled_entry
  std::int32_t coupled = 0;         ///< 1: coupled
};

/// Contacts have slots. A slice of rows with a single world contact each owns kSliceRows slots, one
/// per row, empty where the row has none; then follow the contacts of rows with several world
/// contacts, then coupled contacts.
template <class Precision>
struct VfpiEnvironment {
  using Real = typename Precision::Real;
  using Matrix = typename Precision::Matrix;
  static constexpr bool kDifference = std::is_same_v<Matrix, float>;
  static constexpr bool kIncrement = !std::is_same_v<Matrix, Real>;

  int n_row = 0;          ///< rows of A
  int n_chunk = 0;        ///< chunks of rows, padding included
  int n_slot = 0;         ///< padded to kSliceRows
  int n_coupled_row = 0;  ///< rows in coupled contacts
  int first_coupled_slot = 0, n_coupled_slot = 0;
  int n_virtual = 0;          ///< virtual nodes
  int first_virtual_row = 0;  ///< row of the first
  int n_tied_row = 0;         ///< rows of A that virtual nodes are tied to
  int n_group = 0;            ///< groups of rows with a dense block of W
  int n_chain = 0;            ///< chains of links with a block tridiagonal block of W^-1
  bool cancel_bias = false;   ///< math.md section 4b; without it virtual nodes are as published
  bool in_phases = false;     ///< iterates phase by phase: coupled contacts, virtual nodes, groups
                              ///< or Barzilai-Borwein
  bool several = false;       ///< some row is in several contacts or virtual, so contact errors are
                              ///< measured
  double load = 0;            ///< sum |b_i| + sum |phi_m| / d_m [N], see kUnboundedForce
  double smallest_mass_rate = 0;  ///< min m_i/(theta t), below sigma_min(A) [kg/s]; 0: unknown

  // Matrix.
  SlicedPatternView pattern;
  const double* block_value = nullptr;  ///< A in block_csr.hpp's layout
  Matrix* matrix = nullptr;             ///< A of the iteration; float: in difference form
  double* exact = nullptr;              ///< A in double for the residual, mixed precision only

  // Vectors of rows, in planes.
  const Real* b = nullptr;             ///< [N]
  Real* best = nullptr;                ///< v** of the least error so far
  Real* gradient = nullptr;            ///< A v - b, where it is needed between kernels
  Real* gradient_before = nullptr;     ///< of the last iteration, Barzilai-Borwein only
  Real* reference = nullptr;           ///< mixed precision only
  Real* reference_gradient = nullptr;  ///< A reference - b, mixed precision only
  Real* power_product = nullptr;       ///< A times `power`

  // Vectors of rows that products gather.
  Real* node[4] = {};         ///< v in the roles of VfpiControl; mixed precision: in planes
  Matrix* increment[2] = {};  ///< y - reference, mixed precision only
  Real* tested = nullptr;     ///< the answer whose residual is measured, mixed precision only
  Real* power = nullptr;      ///< vector of the power iteration

  // Per row.
  Real* w = nullptr;                     ///< W [s/kg]
  double* w_unguarded = nullptr;         ///< before the guard
  const double* inverse_mass = nullptr;  ///< weights of the residual's norm

  // Contacts.
  const std::int32_t* contact_slice = nullptr;  ///< per slice of rows: its first slot, or -1
  Real* contact_plane = nullptr;       ///< kContactPlanes kSliceRows values per kSliceRows slots
  Contact<Real>* contact = nullptr;    ///< per slot, nodes as rows; node_i = kWorld: empty
  const double* compliance = nullptr;  ///< per slot, largest of its three axes, plus omega
                                       ///< [m/(N s)]
  Real* lambda = nullptr;              ///< per slot, kNodeStride scalars each [N]
  Real* best_lambda = nullptr;         ///< of `best`
  const std::int32_t* rare_begin = nullptr;  ///< [n_slice + 1] into rare
  const RareRow* rare = nullptr;
  const std::int32_t* coupled_row = nullptr;    ///< [n_coupled_row]
  const std::int32_t* coupled_begin = nullptr;  ///< [n_coupled_row + 1] into coupled_entry
  const std::int32_t* coupled_entry = nullptr;  ///< 2 slot + (1 where the row is node_j)
  const std::int32_t* coupled_count = nullptr;  ///< per row: contacts on a coupled row, 0 elsewhere

  // Virtual nodes (Lee et al., (14)): node k is tied to sum_e J_e v[tie_row[e]], e in
  // [tie_begin[k], tie_begin[k + 1]), with gain tie_gain[k].
  const std::int32_t* tie_begin = nullptr;   ///< [n_virtual + 1]
  const std::int32_t* tie_row = nullptr;     ///< per part
  const Real* tie_jacobian = nullptr;        ///< per part 9 values, by rows
  const double* tie_weight = nullptr;        ///< per part, see TieStepSize [-]
  const Real* tie_gain = nullptr;            ///< kv [N s/m]
  const std::int32_t* tied_row = nullptr;    ///< [n_tied_row]
  const std::int32_t* tied_begin = nullptr;  ///< [n_tied_row + 1] into tied_part
  const std::int32_t* tied_part = nullptr;   ///< 2 values each: the part, its virtual node
  Real* tied_force = nullptr;                ///< planes of rows: Jv^T of the contact forces [N]
  Real* point = nullptr;                     ///< planes of virtual nodes: Jv v_o of the answer
  const double* softness = nullptr;          ///< per slot: sum of 1/kv of its virtual sides
  const Real* phi = nullptr;                 ///< per slot, kNodeStride scalars: without any bias
  Real* bias_lambda = nullptr;               ///< likewise: the lambda whose bias is cancelled [N]

  // Groups: rows group_row[group_begin[g]..], blocks of 9 n^2 values from group_value_begin[g] on.
  const std::int32_t* group_begin = nullptr;  ///< [n_group + 1]
  const std::int32_t* group_row = nullptr;
  const std::int32_t* group_value_begin = nullptr;  ///< [n_group]
  const double* group_block = nullptr;              ///< bound B of A on the group, by rows [kg/s]
  const double* group_inverse = nullptr;            ///< B^-1, the group's unguarded W [s/kg]

  // Chains (row_chains.hpp): links [chain_begin[c], chain_begin[c + 1]), two rows each. Of every
  // link four 6x6 matrices by rows: A_kk, A_k(k-1), S_k^-1, F_k.
  const std::int32_t* chain_begin = nullptr;  ///< [n_chain + 1]
  const std::int32_t* chain_row = nullptr;    ///< two a link
  const std::uint8_t* chain_free = nullptr;   ///< likewise: 0 where a contact acts on the row
  const double* chain_matrix = nullptr;       ///< kLinkMatrices 36 values a link
  double* chain_work = nullptr;               ///< six values a link

  double* partial = nullptr;  ///< sums of chunks: kMaxSums runs of partial_stride()
  VfpiControl* control = nullptr;

  /// n_chunk padded, so that whole blocks can read the chunks' sums; the padding is zero.
  NODIA_HD int partial_stride() const {
    return (n_chunk + kBlockLanes - 1) / kBlockLanes * kBlockLanes;
  }
};

/// Whether A or W are more than the sliced matrix and w: virtual nodes, groups, chains.
template <class Precision>
NODIA_HD bool extends_matrix(const VfpiEnvironment<Precision>& env) {
  return env.n_virtual > 0 || env.n_group > 0 || env.n_chain > 0;
}

/// Rows of VfpiEnvironment::node.
template <class P, class Precision, class Memory>
NODIA_HD Vec3<P> load_state(const VfpiEnvironment<Precision>&, const Scalar<P>* v, int row,
                            Memory memory) {
  if constexpr (VfpiEnvironment<Precision>::kIncrement)
    return load_planes<P>(v, row, memory);
  else
    return memory.template load_node<P>(v, row);
}
template <class P, class Precision, class Memory>
NODIA_HD void store_state(const VfpiEnvironment<Precision>&, Scalar<P>* v, int row, Vec3<P> value,
                          Memory memory) {
  if constexpr (VfpiEnvironment<Precision>::kIncrement)
    store_planes<P>(v, row, value, memory);
  else
    memory.template store_node<P>(v, row, value);
}

/// Sums that one kernel leaves per chunk, at most.
inline constexpr int kMaxSums = 8;

/// A chunk of an environment.
struct WorkItem {
  std::int32_t env = 0, chunk = 0;
};

/// Environments and the queue of those that iterate. Kernels over chunks take items of `work`,
/// kernels over environments take items of `active`.
template <class Precision>
struct VfpiBatch {
  VfpiOptions options;
  int n_env = 0;
  int capacity = 0;  ///< environments that iterate at a time; the others wait for one to finish
  const VfpiEnvironment<Precision>* env = nullptr;
  WorkItem* work = nullptr;        ///< [sum of n_chunk]
  std::int32_t* active = nullptr;  ///< [n_env] environments that iterate
  VfpiQueue* queue = nullptr;
};

}  // namespace nodia
