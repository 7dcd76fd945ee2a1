/// Execution options: threads, number type, processor, launch mode. They do not change the problem.
#pragma once

#include <array>
#include <optional>

#include "kernels/core/words.hpp"
#include "kernels/device/loop_launcher.hpp"

namespace nodia {

/// Number type of COND's matrix and iteration.
enum class Precision {
  double_,
  mixed,  ///< float matrix; the iteration refines the solution to double accuracy
  float_
};
constexpr auto words_of(Precision) {
  return std::array{Word{Precision::double_, "double"}, Word{Precision::mixed, "mixed"},
                    Word{Precision::float_, "float"}};
}

/// Processor that runs the iteration.
enum class Backend { cpu, cuda };
constexpr auto words_of(Backend) {
  return std::array{Word{Backend::cpu, "cpu"}, Word{Backend::cuda, "cuda"}};
}

/// Only `threads` and `precision` have keys in a scenario; the caller sets the others for each run.
struct ExecutionOptions {
  int threads = 0;  ///< maximum number of CPU threads; 0: from the problem's size and the machine
  Precision precision = Precision::double_;  ///< of COND's iteration; other solvers ignore it
  Backend backend = Backend::cpu;            ///< processor of `cond` and `newton`
  int device = 0;                            ///< number of the CUDA device, from 0
  std::optional<LoopLauncher> loop;  ///< launch mode on the GPU; without a value resolve() chooses
};

}  // namespace nodia
