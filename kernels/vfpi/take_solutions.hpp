/// Kernel that gathers the solutions of a batch without padding, after the loop.
#pragma once

#include "kernels/launch/element_kernel.hpp"
#include "kernels/vfpi/environment.hpp"

namespace nodia {

/// One lane per row of A.
template <class Precision>
struct TakeSolutions : EnvironmentKernel<TakeSolutions<Precision>> {
  using Real = typename Precision::Real;
  const VfpiEnvironment<Precision>* env = nullptr;
  const std::int32_t* first_row = nullptr;  ///< first row of each environment in `v`
  Real* v = nullptr;  ///< output: three numbers per row, in the loop's order [m/s]

  template <class Memory>
  NODIA_HD void visit(int e, int row, Memory memory) const {
    const VfpiEnvironment<Precision>& own = env[e];
    if (row >= own.n_row) return;
    const Vec3<Real> solution =
        load_state<Real>(own, own.node[memory.read(&own.control->solution)], row, memory);
    Real* out = v + 3 * (static_cast<std::int64_t>(first_row[e]) + row);
    memory.write(out, solution.x);
    memory.write(out + 1, solution.y);
    memory.write(out + 2, solution.z);
  }
};

}  // namespace nodia
