/// The memory of the V-FPI loop, in one place of memory: the host's, or the device's.
#pragma once

#include "host/solvers/cond/contact_layout.hpp"
#include "host/solvers/cond/tie_layout.hpp"
#include "kernels/vfpi/row_chains.hpp"

namespace nodia {

/// Arrays over all environments; kernels/vfpi/environment.hpp says what each holds.
/// @tparam Array  contiguous memory with data() and resize(n), which keeps nothing
template <class Precision, template <class> class Array>
struct LoopArrays {
  using Real = typename Precision::Real;
  using Matrix = typename Precision::Matrix;
  static constexpr bool kIncrement = VfpiEnvironment<Precision>::kIncrement;

  // Written by the host: with the pattern, with every problem.
  Array<std::int32_t> slice_begin, column, block;
  Array<Real> b;
  Array<double> inverse_mass;
  Array<std::int32_t> contact_slice, rare_begin;
  Array<RareRow> rare;
  Array<std::int32_t> coupled_row, coupled_begin, coupled_entry, coupled_count;
  Array<Real> contact_plane;
  Array<Contact<Real>> contact;
  Array<double> compliance;
  Array<Real> lambda;
  Array<VfpiControl> control;
  Array<std::int32_t> tie_begin, tie_row, tied_row, tied_begin, tied_part;
  Array<Real> tie_jacobian, tie_gain;
  Array<double> tie_weight, softness;
  Array<Real> phi, bias_lambda;
  Array<std::int32_t> group_begin, group_row, group_value_begin;
  Array<double> group_block, group_inverse;
  Array<std::int32_t> chain_begin, chain_row;
  Array<std::uint8_t> chain_free;
  Array<double> chain_matrix;
  // Kept between solves.
  Array<Real> power, w;
  Array<double> w_unguarded;
  // Written by the loop.
  Array<Matrix> matrix;
  Array<double> exact;
  Array<Real> node[4], best, gradient, gradient_before, reference, reference_gradient, tested,
      power_product, best_lambda, tied_force, point;
  Array<Matrix> increment[2];
  Array<double> partial, chain_work;

  /// Sizes everything that the pattern determines; new memory is zero.
  void resize_rows(const RowLayout& rows, bool barzilai_borwein) {
    const auto n = static_cast<std::size_t>(rows.n_row), n_vector = kNodeStride * n;
    for (Array<Real>* a :
         {&b, &node[0], &node[1], &node[2], &node[3], &best, &power, &power_product})
      a->resize(n_vector);
    if (kIncrement) {
      for (Array<Real>* a : {&reference, &reference_gradient, &tested}) a->resize(n_vector);
      for (Array<Matrix>& a : increment) a.resize(n_vector);
      exact.resize(static_cast<std::size_t>(rows.n_block) * kSliceBlock);
    }
    if (kIncrement || barzilai_borwein) gradient.resize(n_vector);
    if (barzilai_borwein) gradient_before.resize(n_vector);
    matrix.resize(static_cast<std::size_t>(rows.n_block) * kSliceBlock);
    w.resize(n);
    w_unguarded.resize(n);
    inverse_mass.resize(n);
    std::size_t n_partial = 0;
    for (std::size_t e = 0; e < rows.env.size(); ++e) n_partial += kMaxSums * stride(rows.env[e]);
    partial.resize(n_partial);
    control.resize(rows.env.size());
  }
  /// Sizes everything that the contacts determine; new memory is zero.
  void resize_slots(const RowLayout& rows, const ContactLayout& contacts, const TieLayout& ties) {
    const auto n = static_cast<std::size_t>(contacts.n_slot);
    contact_plane.resize(kContactPlanes * n);
    contact.resize(n);
    compliance.resize(n);
    lambda.resize(kNodeStride * n);
    best_lambda.resize(kNodeStride * n);
    if (!ties.tie_row.empty()) {
      for (Array<Real>* a : {&phi, &bias_lambda}) a->resize(kNodeStride * n);
      softness.resize(n);
      for (Array<Real>* a : {&tied_force, &point})
        a->resize(kNodeStride * static_cast<std::size_t>(rows.n_row));
    }
    chain_work.resize(3 * ties.chain_row.size());
    if (!contacts.coupled_row.empty() || !ties.tie_row.empty() || !ties.group_row.empty() ||
        !ties.chain_row.empty())
      gradient.resize(kNodeStride * static_cast<std::size_t>(rows.n_row));
  }

  static std::size_t stride(const RowRange& range) {
    VfpiEnvironment<Precision> env;
    env.n_chunk = range.n_chunk;
    return static_cast<std::size_t>(env.partial_stride());
  }

  /// Environment e of the arrays.
  VfpiEnvironment<Precision> environment(const RowLayout& rows, const ContactLayout& contacts,
                                         const TieLayout& ties, int e);
};

template <class Precision, template <class> class Array>
VfpiEnvironment<Precision> LoopArrays<Precision, Array>::environment(const RowLayout& rows,
                                                                     const ContactLayout& contacts,
                                                                     const TieLayout& ties, int e) {
  const RowRange& range = rows.env[e];
  const SlotRange& slots = contacts.env[e];
  const std::int64_t vector = kNodeStride * range.first_row;
  const std::int64_t value = range.first_block * kSliceBlock;
  const std::int64_t slot_vector = kNodeStride * slots.first_slot;
  const auto part = [](auto& array, std::int64_t first) {
    return array.data() == nullptr ? nullptr : array.data() + first;
  };

  VfpiEnvironment<Precision> env;
  env.n_row = range.n_row;
  env.n_chunk = range.n_chunk;
  env.n_slot = slots.n_slot;
  env.n_coupled_row = slots.n_coupled_row;
  env.first_coupled_slot = slots.first_coupled_slot;
  env.n_coupled_slot = slots.n_coupled_slot;
  env.several = slots.several;

  env.pattern = {part(slice_begin, range.first_slice), part(column, range.first_block * kSliceRows),
                 part(block, range.first_block * kSliceRows)};
  env.matrix = part(matrix, value);
  env.exact = part(exact, value);

  env.b = part(b, vector);
  for (int k = 0; k < 4; ++k) env.node[k] = part(node[k], vector);
  env.best = part(best, vector);
  env.gradient = part(gradient, vector);
  env.gradient_before = part(gradient_before, vector);
  for (int k = 0; k < 2; ++k) env.increment[k] = part(increment[k], vector);
  env.reference = part(reference, vector);
  env.reference_gradient = part(reference_gradient, vector);
  env.tested = part(tested, vector);
  env.power = part(power, vector);
  env.power_product = part(power_product, vector);

  env.w = part(w, range.first_row);
  env.w_unguarded = part(w_unguarded, range.first_row);
  env.inverse_mass = part(inverse_mass, range.first_row);

  env.contact_slice = part(contact_slice, range.first_row / kSliceRows);
  env.contact_plane = part(contact_plane, kContactPlanes * slots.first_slot);
  env.contact = part(contact, slots.first_slot);
  env.compliance = part(compliance, slots.first_slot);
  env.lambda = part(lambda, slot_vector);
  env.best_lambda = part(best_lambda, slot_vector);
  env.rare_begin = part(rare_begin, range.first_slice);
  env.rare = part(rare, slots.first_rare);
  env.coupled_row = part(coupled_row, slots.first_coupled_row);
  env.coupled_begin = part(coupled_begin, slots.first_coupled_row + e);
  env.coupled_entry = part(coupled_entry, slots.first_coupled_entry);
  env.coupled_count = part(coupled_count, range.first_row);

  const TieRange& tied = ties.env[e];
  env.n_virtual = tied.n_virtual;
  env.first_virtual_row = range.first_virtual_row;
  env.n_tied_row = tied.n_tied_row;
  env.n_group = tied.n_group;
  env.tie_begin = part(tie_begin, tied.first_virtual + e);
  env.tie_row = part(tie_row, tied.first_part);
  env.tie_jacobian = part(tie_jacobian, 9 * tied.first_part);
  env.tie_weight = part(tie_weight, tied.first_part);
  env.tie_gain = part(tie_gain, tied.first_virtual);
  env.tied_row = part(tied_row, tied.first_tied_row);
  env.tied_begin = part(tied_begin, tied.first_tied_row + e);
  env.tied_part = part(tied_part, 2 * tied.first_part);
  env.tied_force = part(tied_force, vector);
  env.point = part(point, vector);
  env.softness = part(softness, slots.first_slot);
  env.phi = part(phi, slot_vector);
  env.bias_lambda = part(bias_lambda, slot_vector);
  env.group_begin = part(group_begin, tied.first_group + e);
  env.group_row = part(group_row, tied.first_group_row);
  env.group_value_begin = part(group_value_begin, tied.first_group);
  env.group_block = part(group_block, tied.first_group_value);
  env.group_inverse = part(group_inverse, tied.first_group_value);

  env.n_chain = tied.n_chain;
  env.chain_begin = part(chain_begin, tied.first_chain + e);
  env.chain_row = part(chain_row, kLinkRows * tied.first_link);
  env.chain_free = part(chain_free, kLinkRows * tied.first_link);
  env.chain_matrix = part(chain_matrix, kLinkMatrices * kLinkMatrixSize * tied.first_link);
  env.chain_work = part(chain_work, 3 * kLinkRows * tied.first_link);

  std::size_t first_partial = 0;
  for (int k = 0; k < e; ++k) first_partial += kMaxSums * stride(rows.env[k]);
  env.partial = part(partial, static_cast<std::int64_t>(first_partial));
  env.control = control.data() + e;
  return env;
}

}  // namespace nodia
