/// Environment of the V-FPI loop: the arrays that its kernels read and write.
#pragma once

#include "kernels/vfpi/batch.hpp"
#include "kernels/vfpi/w/parts.hpp"

namespace nodia {

/// All array groups of the loop.
template <class Precision, class Space>
struct LoopArrays : RowLists<Space>,
                    RowValues<Precision, Space>,
                    ContactLists<Space>,
                    ContactValues<Precision, Space>,
                    PartsOfW::Arrays<Precision, Space> {
  template <class F, class... Arrays>
  static void each(const F& f, Arrays&... arrays) {
    RowLists<Space>::each(f, arrays...);
    RowValues<Precision, Space>::each(f, arrays...);
    ContactLists<Space>::each(f, arrays...);
    ContactValues<Precision, Space>::each(f, arrays...);
    PartsOfW::Arrays<Precision, Space>::each(f, arrays...);
  }
};

struct LoopCounts : RowCounts, ContactCounts, PartsOfW::Counts {};
struct LoopOffsets : RowOffsets, ContactOffsets, PartsOfW::Offsets {};

/// Facts about an environment that the host sets for every problem and copies as a whole.
struct EnvironmentFacts {
  /// Cancels the bias of contact nodes (math.md section 4b); false: as published.
  bool cancel_bias = false;
  /// Iterates in phases: two-body contacts, preconditioner blocks or Barzilai-Borwein.
  bool in_phases = false;
  /// Some row has several contacts or is a contact node; contact errors are measured.
  bool rows_share_contacts = false;
  ContactCase contacts = ContactCase::general;  ///< the simplest valid case
  double load = 0;                ///< sum |b_i| + sum |phi_m| / d_m [N], see kUnboundedForce
  double smallest_mass_rate = 0;  ///< min m_i/(theta t), below sigma_min(A) [kg/s]; 0: unknown
};

template <class Precision>
struct VfpiEnvironment : LoopCounts, EnvironmentFacts, LoopArrays<Precision, Views> {
  using Real = typename Precision::Real;
  using Matrix = typename Precision::Matrix;
  static constexpr bool kDifference = std::is_same_v<Matrix, float>;
  static constexpr bool kIncrement = kHasIncrement<Precision>;

  /// Blocks of A in the layout of block_csr.hpp; null if another kernel fills the columns.
  const double* block_value = nullptr;

  NODIA_HD SlicedPatternView pattern() const {
    return {this->slice_begin, this->column, this->block};
  }
};

}  // namespace nodia
