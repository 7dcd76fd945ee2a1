/// What the kernels of the V-FPI loop read and write of one environment.
#pragma once

#include "kernels/vfpi/batch.hpp"
#include "kernels/vfpi/w/parts.hpp"

namespace nodia {

/// All arrays of the loop, group by group.
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

/// What is known of an environment beside its arrays: set by the host for every problem, copied
/// whole.
struct EnvironmentFacts {
  bool cancel_bias = false;  ///< math.md section 4b; without it virtual nodes are as published
  bool in_phases = false;    ///< iterates phase by phase: coupled contacts, parts of W, or
                             ///< Barzilai-Borwein
  bool rows_share_contacts = false;  ///< some row is in several contacts or virtual, so contact
                                     ///< errors are measured
  ContactCase contacts = ContactCase::general;  ///< the simplest that holds
  double load = 0;                ///< sum |b_i| + sum |phi_m| / d_m [N], see kUnboundedForce
  double smallest_mass_rate = 0;  ///< min m_i/(theta t), below sigma_min(A) [kg/s]; 0: unknown
};

template <class Precision>
struct VfpiEnvironment : LoopCounts, EnvironmentFacts, LoopArrays<Precision, Views> {
  using Real = typename Precision::Real;
  using Matrix = typename Precision::Matrix;
  static constexpr bool kDifference = std::is_same_v<Matrix, float>;
  static constexpr bool kIncrement = kHasIncrement<Precision>;

  /// The environment's part of A, block_csr.hpp's layout; null where the planes are made otherwise.
  const double* block_value = nullptr;

  NODIA_HD SlicedPatternView pattern() const {
    return {this->slice_begin, this->column, this->block};
  }
};

}  // namespace nodia
