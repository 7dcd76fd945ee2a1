/// Assembles A and b directly in the columns of the loop. Soft rows are computed from positions and
/// velocities in one pass over the slices; other rows come from the host. The bits equal those of
/// AssembleRows and FillMatrix.
#pragma once

#include "kernels/launch/element_kernel.hpp"
#include "kernels/step/attach_nodes.hpp"
#include "kernels/step/evaluate_tet.hpp"
#include "kernels/step/row_blocks.hpp"
#include "kernels/step/soft_rows.hpp"
#include "kernels/vfpi/environment.hpp"
#include "kernels/vfpi/row_planes.hpp"

namespace nodia {

/// Pads the positions of the nodes.
struct PadNodes : ElementKernel<PadNodes, SoftRows> {
  NODIA_HD static int size(const SoftRows& soft) { return soft.model.n_node; }
  template <class Memory>
  NODIA_HD static void visit(const SoftRows& soft, int i, Memory memory) {
    memory.template store_node<double>(soft.padded_x, i,
                                       memory.template load_unpadded_node<double>(soft.x, i));
  }
};

/// Runs EvaluateTets for every environment.
struct EvaluateSoftTets : PackedElementKernel<EvaluateSoftTets, SoftRows> {
  NODIA_HD static int size(const SoftRows& soft) {
    return slice_count(soft.model.n_tet) * kSliceTets;
  }
  template <class Isa, class Memory>
  NODIA_HD static void visit(const SoftRows& soft, int e, Memory memory) {
    EvaluateTets tets;
    tets.model = soft.model;
    tets.x = soft.padded_x;
    tets.corner = soft.corner;
    NoShared shared;
    tets.template run<0, Isa>(0, e, shared, memory);
  }
};

/// Writes SoftLoad::external_force of nodes.
struct PlaceExternalForces : FlatListKernel<PlaceExternalForces> {
  const SoftRows* soft = nullptr;
  const PlacedExternalForce* placed = nullptr;  ///< [n], distinct nodes

  template <class Memory>
  NODIA_HD void visit(int k, Memory memory) const {
    const PlacedExternalForce& one = placed[k];
    memory.write(&soft[one.env].load[one.node].external_force, one.external_force);
  }
};

/// Assembles the rows of soft nodes and the padding, one lane per row. Each block, also a mirrored
/// one, is gathered by the lane that stores it.
template <class Precision>
struct AssemblePlanes : EnvironmentKernel<AssemblePlanes<Precision>> {
  const VfpiEnvironment<Precision>* env = nullptr;
  const SoftRows* soft = nullptr;

  template <class Memory>
  NODIA_HD void visit(int e, int row, Memory memory) const {
    const SoftRows& own = soft[e];
    if (row >= own.n_row || own.node[row] >= own.model.n_node) return;
    visit(env[e], own, row, memory);
  }

 private:
  template <class Memory>
  NODIA_HD static void visit(const VfpiEnvironment<Precision>& env, const SoftRows& soft, int row,
                             Memory memory) {
    using Real = typename Precision::Real;
    const AssemblyView& model = soft.model;
    RowPlanes<Precision> planes(env, row);
    const auto put = [&](std::int32_t k, const Mat3d& m) {
      planes.put(
          k, [&](int e) { return m(e % 3, e / 3); }, memory);
    };
    std::int32_t k = planes.begin();
    const int i = soft.node[row];
    if (i >= 0) {
      const SoftLoad load = load_of(soft, i, memory);
      const RowFactors factors = row_factors(soft, load, i);
      Vec3d force;
      put(k++, assemble_diagonal_block(model, factors, soft.corner, i, &force, memory));
      for (; k < planes.end() && planes.block(k) >= 0; ++k) {
        const std::int32_t block = planes.block(k);
        const bool mirrored = block < model.diagonal[i];
        put(k, assemble_coupling_block(model, factors, soft.corner,
                                       mirrored ? model.mirror[block] : block, mirrored, memory));
      }
      const Vec3d b = row_right_hand_side(soft, load, i, force, memory);
      store_planes<Real>(env.b, row, cast<Real>(b), memory);
    }
    for (; k < planes.end(); ++k) put(k, Mat3d{});
    planes.finish(memory);
  }
};

/// Copies complete rows that the host made. Runs after AssemblePlanes.
template <class Precision>
struct PlaceRows : FlatListKernel<PlaceRows<Precision>> {
  const VfpiEnvironment<Precision>* env = nullptr;
  const SentRow* sent = nullptr;  ///< [n], distinct rows
  const double* value = nullptr;  ///< blocks of the rows, row by row, layout of block_csr.hpp

  template <class Memory>
  NODIA_HD void visit(int r, Memory memory) const {
    using Real = typename Precision::Real;
    const SentRow& one = sent[r];
    const VfpiEnvironment<Precision>& own = env[one.env];
    const std::int64_t first = std::int64_t{one.first_value} - one.first_block;
    RowPlanes<Precision> planes(own, one.row);
    for (std::int32_t k = planes.begin(); k < planes.end(); ++k) {
      const std::int32_t block = planes.block(k);
      const double* a = value + 9 * (first + block);
      planes.put(
          k, [&](int e) { return block < 0 ? 0.0 : a[e]; }, memory);
    }
    planes.finish(memory);
    store_planes<Real>(own.b, one.row, cast<Real>(one.b), memory);
  }
};

struct PlanesAssemblySizes {
  int n_env = 0;
  int n_node = 0, n_tet = 0, n_row = 0;  ///< maxima over the environments
  int n_attached_node = 0;               ///< maximum over the environments
  int n_external_force = 0, n_sent = 0;

  bool operator==(const PlanesAssemblySizes&) const = default;
};

/// Arguments of an assembly of several environments; pointers into the launcher's memory. Loads
/// without an entry are zero.
template <class Precision>
struct PlanesAssembly : PlanesAssemblySizes {
  const VfpiEnvironment<Precision>* env = nullptr;  ///< [n_env]
  const SoftRows* soft = nullptr;                   ///< [n_env]
  AttachmentTargets targets;
  const PlacedExternalForce* external_force = nullptr;  ///< [n_external_force]
  const SentRow* sent = nullptr;                        ///< [n_sent]
  const double* value = nullptr;                        ///< blocks of the sent rows

  bool operator==(const PlanesAssembly&) const = default;
};

/// @param launcher  launch(name, kernel, n_item) runs a kernel; launches run in order
template <class Launcher, class Precision>
void launch_planes(Launcher&& launcher, const PlanesAssembly<Precision>& a) {
  launch_elements(launcher, "pad_nodes", PadNodes{}, a.soft, a.n_env, a.n_node);
  AttachNodes attachments;
  attachments.soft = a.soft;
  attachments.targets = a.targets;
  launch_environments(launcher, "attach_nodes", attachments, a.n_env, a.n_attached_node);
  PlaceExternalForces pushes;
  pushes.soft = a.soft;
  pushes.placed = a.external_force;
  launch_list(launcher, "place_external_forces", pushes, a.n_external_force);
  launch_elements(launcher, "evaluate_soft_tets", EvaluateSoftTets{}, a.soft, a.n_env,
                  slice_count(a.n_tet) * kSliceTets);
  AssemblePlanes<Precision> rows;
  rows.env = a.env;
  rows.soft = a.soft;
  launch_environments(launcher, "assemble_planes", rows, a.n_env, a.n_row);
  PlaceRows<Precision> sent;
  sent.env = a.env;
  sent.sent = a.sent;
  sent.value = a.value;
  launch_list(launcher, "place_rows", sent, a.n_sent);
}

}  // namespace nodia
