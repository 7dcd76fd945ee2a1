/// Soft bodies of one environment as one system of nodes: rest data, assembly of A and of the
/// elastic force.
///
/// Strong form  rho a = div P(F) + rho g,  P = R (2 mu (S - I) + lambda tr(S - I) I),  F = R S
///              (co-rotational elasticity)
/// Energy       psi = sum_tets V ( mu |F - R|^2 + lambda/2 tr(R^T F - I)^2 )  [J]
/// Stiffness    K_ij = V ( lambda g_i g_j^T + mu g_j g_i^T + mu (g_i . g_j) I ),  g_i = R grad N_i:
///              SPD approximation of the Hessian with constant rotation; exact if F = R.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "fem/matrix/block_matrix.hpp"
#include "fem/mesh/tet_mesh.hpp"
#include "fem/soft/material.hpp"
#include "kernels/core/time_step.hpp"
#include "kernels/step/evaluate_tet.hpp"

namespace nodia {

/// Thread safety: assemble() and the other const functions after it share a workspace. Only one of
/// them may run at a time per model. Copies of a model are independent.
class TetModel {
 public:
  /// Appends a body.
  /// @param rest  mesh in the rest shape; must fulfil require_usable()
  /// @return index of the body's first node
  int add_body(const TetMesh& rest, const Material& material);
  /// Pairs of nodes that share a tetrahedron, for BlockPattern::from_couplings().
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings() const;
  /// Builds the gather lists. No body may be added afterwards.
  /// @param pattern  pattern of a system whose first rows are the nodes
  void finish(std::shared_ptr<const BlockPattern> pattern);
  /// Builds the gather lists for a system that consists of the nodes.
  void finish() { finish(BlockPattern::from_couplings(n_node(), couplings())); }

  int n_node() const { return static_cast<int>(mass_.size()); }
  int n_tet() const { return static_cast<int>(tets_.size()); }
  const std::vector<double>& mass() const { return mass_; }  ///< lumped masses by node [kg]
  const std::vector<CorotationalTet>& tets() const { return tets_; }
  const std::shared_ptr<const BlockPattern>& pattern() const { return pattern_; }
  /// View of the constant data of the assembly. Valid as long as a copy of fixed_data() exists.
  AssemblyView view() const;
  /// Owner of the constant data, which finish() creates. Copies of a model share it.
  std::shared_ptr<const void> fixed_data() const { return lists_; }

  struct AssemblyInput {
    const Vec3d* x = nullptr;  ///< positions, [n_node] [m]
    TimeStep time;
    /// Values by node that are added to the diagonal of A (attachments) [kg/s]; may be null.
    const double* extra_diagonal = nullptr;
    int n_thread = 1;
    /// Positions from which the rotations of the tetrahedra are taken, [n_node] [m]; null: x.
    const Vec3d* turned = nullptr;
  };
  /// Computes A = M/(theta t) + theta t K + D with D = alpha M + beta K (Lee et al., (9)), and the
  /// elastic force -dpsi/dx. Writes every block of the nodes' rows and its transpose; blocks that
  /// couple a node with another row become zero. Gathers row by row over the constant pattern in a
  /// fixed order, so the result is bitwise equal for every number of threads.
  /// @param value          out: values of A, layout of block_csr.hpp, [9 n_block] [kg/s]
  /// @param elastic_force  out: [n_node] [N]
  void assemble(const AssemblyInput& in, double* value, Vec3d* elastic_force) const;

  /// Elastic force without A. @param force  out: [n_node] [N]
  void elastic_force(const Vec3d* x, Vec3d* force, int n_thread = 1) const;
  /// Elastic energy [J].
  double elastic_energy(const Vec3d* x, int n_thread = 1) const;
  /// Von Mises stress of every tetrahedron [Pa].
  std::vector<double> von_mises(const Vec3d* x) const;

 private:
  // Workspaces, see kernels/step/assembly_view.hpp.
  struct alignas(64) CornerSlice {
    double node[kSliceScalars];
  };
  struct alignas(kNodeStride * sizeof(double)) Node {
    double value[kNodeStride];
  };
  struct Lists;

  const double* pad(const Vec3d* x, int n_thread, std::vector<Node>* nodes) const;
  void unpad(Vec3d* force, int n_thread) const;                          // out of nodes_
  void measure(TetMeasure measure, const Vec3d* x, int n_thread) const;  // into measured_

  std::vector<CorotationalTet> tets_;
  std::vector<double> mass_;
  std::vector<ElasticBody> bodies_;
  std::vector<std::int32_t> node_body_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::shared_ptr<const Lists> lists_;        // created by finish(); copies of the model share it
  mutable std::vector<CornerSlice> corners_;  // workspace
  mutable std::vector<Node> nodes_, turned_;  // workspace
  mutable std::vector<double> measured_;      // workspace: one number per tetrahedron, and padding
};

}  // namespace nodia
