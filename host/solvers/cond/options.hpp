/// Options of COND (Lee et al. 2022) alone.
#pragma once

#include <array>
#include <optional>

#include "kernels/core/key.hpp"
#include "kernels/device/loop_launcher.hpp"
#include "kernels/soft_step/contact_node_coupling.hpp"
#include "kernels/vfpi/options.hpp"

namespace nodia {

/// Number types of the iteration: kernels/vfpi/options.hpp.
enum class Precision { double_, mixed, float_ };
constexpr auto words_of(Precision) {
  return std::array{Word{Precision::double_, "double"}, Word{Precision::mixed, "mixed"},
                    Word{Precision::float_, "float"}};
}

/// Where the iteration runs.
enum class Backend { cpu, cuda };
constexpr auto words_of(Backend) {
  return std::array{Word{Backend::cpu, "cpu"}, Word{Backend::cuda, "cuda"}};
}

/// Who multiplies by A in the iterations on a device.
enum class Product {
  ours,     ///< the loop's kernels
  cusparse  ///< cuSPARSE between them, in 3x3 blocks: for comparison
};
constexpr auto words_of(Product) {
  return std::array{Word{Product::ours, "ours"}, Word{Product::cusparse, "cusparse"}};
}

struct CondOptions {
  WKind w = WKind::frobenius;
  int w_recycle_steps = 1;  ///< steps for which W and its spectral estimate are kept
  Acceleration acceleration = Acceleration::chebyshev;
  double under_relaxation = 0.95;  ///< u of (38)
  int slow_start = 5;              ///< ls of (38)
  double virtual_gain = 10;  ///< kv of virtual nodes times the mean diagonal of their contact's
                             ///< Delassus block [-]
  double virtual_gain_N_s_m = 0;  ///< the same kv for all [N s/m]; 0: from virtual_gain
  bool bias_cancellation = true;  ///< removes the error lambda/kv of virtual nodes

  ContactNodeCoupling coupling() const {
    return {virtual_gain, virtual_gain_N_s_m, bias_cancellation};
  }

  Precision precision = Precision::double_;
  // Of this run and not of a scenario: they have no keys.
  Backend backend = Backend::cpu;
  int device = 0;                    ///< on the backend cuda: which
  std::optional<LoopLauncher> loop;  ///< on the backend cuda; without it as resolve() has it
  Product product = Product::ours;   ///< on the backend cuda; cusparse: not with the graph
};
void visit_keys(KeyVisitor& v, CondOptions& o);

}  // namespace nodia
