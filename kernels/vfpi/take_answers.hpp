/// Answers of a batch whose loop has ended, without the padding of the loop's arrays.
#pragma once

#include "kernels/launch/kernel.hpp"
#include "kernels/vfpi/environment.hpp"

namespace nodia {

/// Item e n_chunk + c is chunk c of environment e, a lane a row of A.
template <class Precision>
struct TakeAnswers {
  using Real = typename Precision::Real;
  const VfpiEnvironment<Precision>* env = nullptr;
  const std::int32_t* first_row = nullptr;  ///< of every environment in `v`
  int n_chunk = 1;                          ///< of the most rows that an environment has
  Real* v = nullptr;                        ///< out: three numbers a row, in the loop's order

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const int e = item / n_chunk, row = item % n_chunk * kBlockLanes + lane;
    const VfpiEnvironment<Precision>& own = env[e];
    if (row >= own.n_row) return;
    const Vec3<Real> answer =
        load_state<Real>(own, own.node[memory.read(&own.control->answer)], row, memory);
    Real* out = v + 3 * (static_cast<std::int64_t>(first_row[e]) + row);
    memory.write(out, answer.x);
    memory.write(out + 1, answer.y);
    memory.write(out + 2, answer.z);
  }
};

}  // namespace nodia
