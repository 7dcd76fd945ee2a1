/// Second pass of the assembly: gathers rows of A, elastic forces and b from the corners.
#pragma once

#include "kernels/core/time_step.hpp"
#include "kernels/launch/kernel.hpp"
#include "kernels/linalg/block_csr.hpp"
#include "kernels/step/assembly_view.hpp"

namespace nodia {

// The layouts are two structs and an alias, because one struct with two bodies would break the
// one-definition rule between .cpp and .cu files.
#if defined(__CUDACC__)
/// Vector of a node as three numbers.
struct PlainColumn {
  Vec3d v{};

  template <class Memory>
  NODIA_HD static PlainColumn load(const double* nodes, int i, Memory memory) {
    return {memory.template load_node<double>(nodes, i)};
  }
  NODIA_HD void add(PlainColumn a) { v += a.v; }
  NODIA_HD void add_scaled(double s, PlainColumn a) { v += s * a.v; }
  NODIA_HD Vec3d vector() const { return v; }
};
using NodeColumn = PlainColumn;
#else
/// Vector of a node in one register with its padding. Gives the same bits as PlainColumn.
struct PaddedColumn {
  using Four = Pack<double, FourLanes>;
  Four v{};

  template <class Memory>
  NODIA_HD static PaddedColumn load(const double* nodes, int i, Memory memory) {
    return {memory.read(
        reinterpret_cast<const Four*>(nodes + static_cast<std::int64_t>(kNodeStride) * i))};
  }
  NODIA_HD void add(PaddedColumn a) { v += a.v; }
  NODIA_HD void add_scaled(double s, PaddedColumn a) { v += s * a.v; }
  NODIA_HD Vec3d vector() const { return {v.lane(0), v.lane(1), v.lane(2)}; }
};
using NodeColumn = PaddedColumn;
#endif

/// Sum of V g_a g_b^T [m], stored by columns.
/// @tparam Column  layout of a vector, here and below; changes the speed, not the result
template <class Column>
struct OuterSum {
  Column x, y, z;

  template <class Memory>
  NODIA_HD void add(const double* corner, int a, int b, Memory memory) {
    const Column g_a = Column::load(corner, corner_gradient(a), memory);
    const Vec3d g_b = memory.template load_node<double>(corner, corner_gradient(b));
    x.add_scaled(g_b.x, g_a);
    y.add_scaled(g_b.y, g_a);
    z.add_scaled(g_b.z, g_a);
  }
  NODIA_HD Mat3d matrix() const { return Mat3d::from_columns(x.vector(), y.vector(), z.vector()); }
};

/// store_block of block_csr.hpp with a Memory argument.
template <class Memory>
NODIA_HD void write_block(double* value, const Mat3d& m, Memory memory) {
  const Vec3d &p = m.row[0], &q = m.row[1], &r = m.row[2];
  memory.write(value, p.x);
  memory.write(value + 1, q.x);
  memory.write(value + 2, r.x);
  memory.write(value + 3, p.y);
  memory.write(value + 4, q.y);
  memory.write(value + 5, r.y);
  memory.write(value + 6, p.z);
  memory.write(value + 7, q.z);
  memory.write(value + 8, r.z);
}

/// Elastic force on node i [N], summed over its corners.
template <class Column = NodeColumn, class Memory>
NODIA_HD Vec3d gather_force(const AssemblyView& model, const double* corner, int i, Memory memory) {
  Column force;
  for (std::int32_t c = model.corner_begin[i]; c < model.corner_begin[i + 1]; ++c)
    force.add(Column::load(corner, model.corner[c], memory));
  return force.vector();
}

/// Factors that all blocks of a row share.
struct RowFactors {
  double lambda = 0, mu = 0;  ///< Lame parameters times theta t + beta [Pa s]
  double diagonal = 0;        ///< diagonal term in addition to the stiffness [kg/s]
};
NODIA_HD RowFactors row_factors(const AssemblyView& model, const TimeStep& step, int i) {
  const ElasticBody& body = model.body[model.node_body[i]];
  const double factor = step.theta_t() + body.rayleigh_stiffness_s;
  return {factor * body.lambda_Pa, factor * body.mu_Pa,
          model.mass[i] * (step.mass_rate(1) + body.rayleigh_mass_1_s)};
}

/// Diagonal block of row i of A [kg/s]. @param force  output: elastic force on node i [N]
template <class Column = NodeColumn, class Memory>
NODIA_HD Mat3d assemble_diagonal_block(const AssemblyView& model, const RowFactors& factors,
                                       const double* corner, int i, Vec3d* force, Memory memory) {
  Column forces;
  OuterSum<Column> sum;
  for (std::int32_t k = model.corner_begin[i]; k < model.corner_begin[i + 1]; ++k) {
    const std::int32_t c = model.corner[k];
    forces.add(Column::load(corner, c, memory));
    sum.add(corner, c, c, memory);
  }
  *force = forces.vector();
  Mat3d own = stiffness_block(sum.matrix(), factors.lambda, factors.mu);
  own.row[0].x += factors.diagonal;
  own.row[1].y += factors.diagonal;
  own.row[2].z += factors.diagonal;
  return own;
}

/// Returns an off-diagonal block of a row [kg/s]; zero if no element couples its two nodes.
/// @param right     whichever of blocks (i, j) and (j, i) lies right of the diagonal
/// @param mirrored  true for the other block; exchanging rows and columns in the sum gives the bits
///                  of the transpose
template <class Column = NodeColumn, class Memory>
NODIA_HD Mat3d assemble_coupling_block(const AssemblyView& model, const RowFactors& factors,
                                       const double* corner, std::int32_t right, bool mirrored,
                                       Memory memory) {
  OuterSum<Column> sum;
  for (std::int32_t c = model.coupling_begin[right]; c < model.coupling_begin[right + 1]; ++c) {
    const Coupling& pair = model.coupling[c];
    sum.add(corner, mirrored ? pair.column : pair.row, mirrored ? pair.row : pair.column, memory);
  }
  return stiffness_block(sum.matrix(), factors.lambda, factors.mu);
}

/// Assembles row i of A = M/(theta t) + theta t K + alpha M + beta K + E (Lee et al., (9)): the
/// diagonal block, the blocks right of it, and their mirror images, which no other row writes.
/// @param corner          output of EvaluateTets
/// @param extra_diagonal  E per node, from attachments [kg/s]; may be null
/// @param value           output: values of A, layout of block_csr.hpp [kg/s]
/// @return                elastic force on node i [N]
template <class Column = NodeColumn, class Memory>
NODIA_HD Vec3d assemble_row(const AssemblyView& model, const TimeStep& step, const double* corner,
                            const double* extra_diagonal, int i, double* value, Memory memory) {
  RowFactors factors = row_factors(model, step, i);
  if (extra_diagonal) factors.diagonal += memory.read(extra_diagonal + i);
  Vec3d force;
  write_block(value + 9 * static_cast<std::int64_t>(model.diagonal[i]),
              assemble_diagonal_block<Column>(model, factors, corner, i, &force, memory), memory);
  for (std::int32_t k = model.diagonal[i] + 1; k < model.row_begin[i + 1]; ++k) {
    const Mat3d block = assemble_coupling_block<Column>(model, factors, corner, k, false, memory);
    write_block(value + 9 * static_cast<std::int64_t>(k), block, memory);
    write_block(value + 9 * static_cast<std::int64_t>(model.mirror[k]), transpose(block), memory);
  }
  return force;
}

/// b_i = f_elastic + f_external + m g + m/(theta t) v_i [N], the right-hand side without contacts.
/// @param elastic, external  forces [N]
/// @param gravity            g [m/s^2], @param v  velocity at the start of the step [m/s]
NODIA_HD Vec3d right_hand_side(const TimeStep& step, double mass_kg, Vec3d elastic, Vec3d external,
                               Vec3d gravity, Vec3d v) {
  return elastic + (external + mass_kg * gravity + step.mass_rate(mass_kg) * v);
}

/// Base of kernels that process each node's row in one lane; items are chunks of kBlockLanes nodes.
/// Derived has visit(i, memory).
template <class Derived>
struct NodeRowKernel {
  AssemblyView model;
  const double* corner = nullptr;  ///< output of EvaluateTets

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }

  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const int i = item * kBlockLanes + lane;
    if (i < model.n_node) static_cast<const Derived*>(this)->visit(i, memory);
  }
};

/// Gathers the elastic forces only.
struct GatherForces : NodeRowKernel<GatherForces> {
  double* elastic_force = nullptr;  ///< output: padded nodes [N]

  template <class Memory>
  NODIA_HD void visit(int i, Memory memory) const {
    memory.template store_node<double>(elastic_force, i, gather_force(model, corner, i, memory));
  }
};

/// Assembles rows of A and b.
struct AssembleRows : NodeRowKernel<AssembleRows> {
  TimeStep step;
  Vec3d gravity{};                         ///< [m/s^2]
  const double* v = nullptr;               ///< velocities, padded nodes [m/s]
  const double* external_force = nullptr;  ///< padded nodes [N]; may be null
  const double* extra_diagonal = nullptr;  ///< [n_node] [kg/s]; may be null
  double* value = nullptr;                 ///< output: A, layout of block_csr.hpp [kg/s]
  double* b = nullptr;                     ///< output: padded nodes [N]; null if v is null
  double* elastic_force = nullptr;         ///< output: padded nodes [N]; may be null

  template <class Memory>
  NODIA_HD void visit(int i, Memory memory) const {
    const Vec3d elastic = assemble_row(model, step, corner, extra_diagonal, i, value, memory);
    if (elastic_force) memory.template store_node<double>(elastic_force, i, elastic);
    if (!b) return;
    Vec3d external{};
    if (external_force) external = memory.template load_node<double>(external_force, i);
    const Vec3d velocity = memory.template load_node<double>(v, i);
    memory.template store_node<double>(
        b, i, right_hand_side(step, model.mass[i], elastic, external, gravity, velocity));
  }
};

}  // namespace nodia
