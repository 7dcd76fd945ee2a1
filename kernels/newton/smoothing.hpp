/// Projected smoothing of several environments (defined in host/solvers/newton/smoothing.hpp): rows
/// run in parallel, single contacts in parallel, contacts of class `coupled` in their order in one
/// lane.
#pragma once

#include "kernels/contact/contact_update.hpp"
#include "kernels/launch/element_kernel.hpp"
#include "kernels/linalg/block_csr.hpp"
#include "kernels/newton/contact_part.hpp"

namespace nodia {

/// Arrays of one environment; plain pointers. The kernels here write no const array.
struct SmoothingView {
  BlockCsrView<double> K;              ///< [kg/s]
  const Vec3d* b = nullptr;            ///< [N]
  const double* w = nullptr;           ///< [n_row] 3/tr D of a row in contact, else 0
  const Mat3d* inverse = nullptr;      ///< [n_row] D^-1 of a row without contact, else 0
  const double* compliance = nullptr;  ///< [n_contact] without omega [m/(N s)]
  double omega = 1;                    ///< factor of W
  double invertible_omega = 0;         ///< omega of invertible contact [m/(N s)]
  Projection projection = Projection::strict;
  const Contact<double>* contact = nullptr;
  const std::int32_t* part_begin = nullptr;  ///< [n_contact + 1]
  const ContactPart* part = nullptr;
  const std::int32_t* single = nullptr;   ///< [n_single] contacts
  const std::int32_t* coupled = nullptr;  ///< [n_coupled]
  int n_single = 0;
  int n_coupled = 0;

  Vec3d* y = nullptr;              ///< [m/s]
  Vec3d* g = nullptr;              ///< K y - b [N]
  Vec3d* lambda = nullptr;         ///< [N]
  Vec3d* before = nullptr;         ///< [n_coupled] forces before the sweeps [N]
  double* sweep_change = nullptr;  ///< sqrt(sum gamma |lambda change|^2) over class `coupled`

  /// Row i of W x, with W without omega.
  NODIA_HD Vec3d times(int i, Vec3d x) const { return w[i] > 0 ? w[i] * x : inverse[i] * x; }
};

namespace detail {

inline constexpr int kMaxSweeps = 20;
inline constexpr double kSweepTolerance = 1e-4;

/// u of contact m [m/s].
template <class Memory>
NODIA_HD Vec3d contact_velocity(const SmoothingView& s, std::int32_t m, Memory memory) {
  Vec3d u{};
  for (std::int32_t e = s.part_begin[m]; e < s.part_begin[m + 1]; ++e)
    u += s.part[e].J * memory.read(s.y + s.part[e].row);
  return u + s.contact[m].phi;
}

/// y += omega W J_m^T lambda.
template <class Memory>
NODIA_HD void push_contact(const SmoothingView& s, std::int32_t m, Vec3d lambda, Memory memory) {
  for (std::int32_t e = s.part_begin[m]; e < s.part_begin[m + 1]; ++e) {
    const ContactPart& part = s.part[e];
    Vec3d y = memory.read(s.y + part.row);
    y += s.omega * s.w[part.row] * transpose_times(part.J, lambda);
    memory.write(s.y + part.row, y);
  }
}

/// Force of contact m that satisfies the law with the velocity, starting from `lambda`.
template <class Memory>
NODIA_HD Vec3d updated_force(const SmoothingView& s, std::int32_t m, Vec3d lambda, Memory memory) {
  return contact_update(law_of(s.projection, s.contact[m]), lambda, contact_velocity(s, m, memory),
                        s.omega * s.compliance[m], s.invertible_omega);
}

}  // namespace detail

/// y := y - W g.
struct DescendRows : ElementKernel<DescendRows, SmoothingView> {
  NODIA_HD static int size(const SmoothingView& s) { return s.K.n_row; }
  template <class Memory>
  NODIA_HD static void visit(const SmoothingView& s, int i, Memory memory) {
    Vec3d y = memory.read(s.y + i);
    y -= s.omega * s.times(i, memory.read(s.g + i));
    memory.write(s.y + i, y);
  }
};

/// One-shot solve of the single contacts, each of which is alone on its row.
struct SolveSingleContacts : ElementKernel<SolveSingleContacts, SmoothingView> {
  NODIA_HD static int size(const SmoothingView& s) { return s.n_single; }
  template <class Memory>
  NODIA_HD static void visit(const SmoothingView& s, int k, Memory memory) {
    const std::int32_t m = s.single[k];
    const Vec3d lambda = detail::updated_force(s, m, Vec3d{}, memory);
    memory.write(s.lambda + m, lambda);
    detail::push_contact(s, m, lambda, memory);
  }
};

/// Sweeps over the contacts of class `coupled`, from their last forces. Items are environments.
struct SweepCoupledContacts {
  const SmoothingView* environment = nullptr;

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {1, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int, class, class Memory>
  NODIA_HD void run(int item, int, Shared&, Memory memory) const {
    const SmoothingView& s = environment[item];
    for (int k = 0; k < s.n_coupled; ++k) {
      const Vec3d before = memory.read(s.lambda + s.coupled[k]);
      memory.write(s.before + k, before);
      detail::push_contact(s, s.coupled[k], before, memory);
    }
    for (int sweep = 0; sweep < detail::kMaxSweeps; ++sweep) {
      double change = 0, size = 0;
      for (int k = 0; k < s.n_coupled; ++k) {
        const std::int32_t m = s.coupled[k];
        const double gamma = s.omega * s.compliance[m];
        const Vec3d last = memory.read(s.lambda + m);
        const Vec3d force = detail::updated_force(s, m, last, memory);
        const Vec3d step = force - last;
        detail::push_contact(s, m, step, memory);
        memory.write(s.lambda + m, force);
        change += gamma * squared_norm(step);
        size += gamma * squared_norm(force);
      }
      if (change <= detail::kSweepTolerance * detail::kSweepTolerance * size) break;
    }
    double sum = 0;
    for (int k = 0; k < s.n_coupled; ++k)
      sum += s.compliance[s.coupled[k]] *
             squared_norm(memory.read(s.lambda + s.coupled[k]) - memory.read(s.before + k));
    memory.write(s.sweep_change, std::sqrt(s.omega * sum));
  }
};

/// g := K y - b; the elements are pairs of rows.
struct GradientRows : ElementKernel<GradientRows, SmoothingView> {
  NODIA_HD static int size(const SmoothingView& s) { return (s.K.n_row + 1) / 2; }
  template <class Memory>
  NODIA_HD static void visit(const SmoothingView& s, int pair, Memory memory) {
    const auto y = [&](std::int32_t j) -> decltype(auto) { return memory.read_in_place(s.y + j); };
    const int i = 2 * pair;
    if (i + 1 == s.K.n_row) {
      memory.write(s.g + i, block_row_product_of(s.K, i, y) - s.b[i]);
      return;
    }
    Vec3d first, second;
    block_row_products_of(s.K, i, y, &first, &second);
    memory.write(s.g + i, first - s.b[i]);
    memory.write(s.g + i + 1, second - s.b[i + 1]);
  }
};

/// Launches one smoothing of every environment.
/// @tparam coupled         true if any environment has contacts that are not single
/// @param n_row, n_single  largest numbers of an environment
template <bool coupled = true, class Launcher>
void launch_smoothing(Launcher&& launcher, const SmoothingView* environment, int n_env, int n_row,
                      int n_single) {
  const auto launch = [&](const char* name, auto kernel, int n) {
    launch_elements(launcher, name, kernel, environment, n_env, n);
  };
  launch("descend_rows", DescendRows{}, n_row);
  launch("solve_single_contacts", SolveSingleContacts{}, n_single);
  if constexpr (coupled) {
    SweepCoupledContacts sweep;
    sweep.environment = environment;
    launcher.launch("sweep_coupled_contacts", sweep, n_env);
  }
  launch("gradient_rows", GradientRows{}, (n_row + 1) / 2);
}

}  // namespace nodia
