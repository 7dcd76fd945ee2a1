/// Answers of a batch whose loop has ended, without the padding of the loop's arrays.
#pragma once

#include "kernels/launch/element_kernel.hpp"
#include "kernels/vfpi/environment.hpp"

namespace nodia {

/// One lane a row of A.
template <class Precision>
struct TakeAnswers : EnvironmentKernel<TakeAnswers<Precision>> {
  using Real = typename Precision::Real;
  const VfpiEnvironment<Precision>* env = nullptr;
  const std::int32_t* first_row = nullptr;  ///< of every environment in `v`
  Real* v = nullptr;                        ///< out: three numbers a row, in the loop's order

  template <class Memory>
  NODIA_HD void visit(int e, int row, Memory memory) const {
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
