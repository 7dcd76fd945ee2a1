/// Gradient A y - b of an iteration in phases, with the product of a library between two kernels.
#pragma once

#include <functional>
#include <type_traits>

#include "kernels/vfpi/iterate_in_phases.hpp"

namespace nodia {

/// Library product over the rows of all environments, padding and contact nodes included. x and the
/// product have three numbers per row.
template <class Precision>
struct LibraryProduct {
  using Matrix = typename Precision::Matrix;

  // Pointers into the backend's memory.
  Matrix* x = nullptr;
  const Matrix* product = nullptr;
  const std::int64_t* env_begin = nullptr;  ///< [n_env] first row of each environment
  std::function<void()> multiply;           ///< product := A x, ordered after all earlier launches
};

/// Copies y (mixed precision: its increment) to x.
template <class Precision>
struct GatherForLibrary : PhaseKernel<Precision, OnePhaseKernel<Precision>> {
  using Matrix = typename Precision::Matrix;
  Matrix* x = nullptr;
  const std::int64_t* env_begin = nullptr;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, NoShared&, Memory memory) const {
    const auto& env = this->environment(item, memory);
    const VfpiControl& control = memory.read_members(env.control);
    const int row = this->first_row(item, memory) + lane;
    Vec3<Matrix> y;
    if constexpr (VfpiEnvironment<Precision>::kIncrement)
      y = memory.template load_node<Matrix>(env.increment[control.increment], row);
    else
      y = load_state<Matrix>(env, env.node[control.y], row, memory);
    Matrix* const to = x + 3 * (env_begin[this->item_of(item, memory).env] + row);
    for (int c = 0; c < 3; ++c) memory.write(to + c, y[c]);
  }
};

/// gradient := product - b; mixed precision: product + reference gradient. Replaces Gradient.
template <class Precision>
struct GradientByLibrary : PhaseKernel<Precision, OnePhaseKernel<Precision>> {
  using Matrix = typename Precision::Matrix;
  using Real = typename Precision::Real;
  const Matrix* product = nullptr;
  const std::int64_t* env_begin = nullptr;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, NoShared&, Memory memory) const {
    const auto& env = this->environment(item, memory);
    const int row = this->first_row(item, memory) + lane;
    const Matrix* const from = product + 3 * (env_begin[this->item_of(item, memory).env] + row);
    Vec3<Real> g;
    for (int c = 0; c < 3; ++c) g[c] = memory.read(from + c);
    if constexpr (VfpiEnvironment<Precision>::kIncrement)
      g += load_planes<Real>(env.reference_gradient, row, memory);
    else
      g -= load_planes<Real>(env.b, row, memory);
    store_planes<Real>(env.gradient, row, g, memory);
  }
};

/// Launches a loop in phases, without preconditioner blocks and Barzilai-Borwein, with a library
/// product instead of Gradient.
/// @tparam Launcher  launches by the host; a recording cannot hold the library's work
template <class Precision, class Launcher>
class LibraryLauncher : public Launcher {
 public:
  LibraryLauncher(Launcher launcher, const LibraryProduct<Precision>& library)
      : Launcher(std::move(launcher)), library_(library) {}

  template <class Kernel, class Count>
  void launch(const char* name, const Kernel& kernel, Count n_item) {
    if constexpr (std::is_same_v<Kernel, Gradient<Precision>>) {
      GatherForLibrary<Precision> gather;
      gather.batch = kernel.batch;
      gather.x = library_.x;
      gather.env_begin = library_.env_begin;
      Launcher::launch("gather_for_library", gather, n_item);
      library_.multiply();
      GradientByLibrary<Precision> gradient;
      gradient.batch = kernel.batch;
      gradient.product = library_.product;
      gradient.env_begin = library_.env_begin;
      Launcher::launch("gradient_by_library", gradient, n_item);
    } else {
      Launcher::launch(name, kernel, n_item);
    }
  }

 private:
  const LibraryProduct<Precision>& library_;
};

}  // namespace nodia
