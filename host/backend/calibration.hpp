/// Times of whole steps on the CPU and on a device of one machine, and what `--backend auto` makes
/// of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/scene/scene.hpp"
#include "host/solvers/solver_options.hpp"
#include "kernels/core/words.hpp"

namespace nodia {

/// How COND's loop iterates.
enum class LoopKind : std::uint8_t {
  one_pass,  ///< each iteration one pass over the rows: one soft body among obstacles
  phases,    ///< rows share contacts, or there are bodies of one block: rigid bodies, robots
  chains     ///< and cables, whose links depend on each other in turn
};
constexpr auto words_of(LoopKind) {
  return std::array{Word{LoopKind::one_pass, "one_pass"}, Word{LoopKind::phases, "phases"},
                    Word{LoopKind::chains, "chains"}};
}

/// What the time of a step depends on.
struct Workload {
  LoopKind loop = LoopKind::one_pass;
  int n_row = 0;  ///< of one environment: three numbers of the velocity each
  int n_env = 1;
  Precision precision = Precision::double_;
};

/// As far as the scene tells before anything moves: self-contact and bodies that can meet do.
Workload workload_of(const Scene& scene, int n_env, const SolverOptions& options);
Workload workload_of(const ContactProblem& problem, const SolverOptions& options);

/// Of one backend, all environments together [ms].
struct StepTimes {
  double whole = 0;  ///< of a step that iterates until it converges, or kMostIterations times
  double brief = 0;  ///< of one that ends after kBriefIterations, as a scene at rest does
};
inline constexpr int kMostIterations = 300, kBriefIterations = 16;

struct CalibrationPoint {
  Workload workload;
  StepTimes cpu, cuda;
};

/// Where points were measured: they hold for nothing else.
struct CalibrationKey {
  std::string device;    ///< name of the device
  std::string software;  ///< driver and toolkit
  std::string cpu;       ///< model, cores that may be used, kernels that were chosen
  std::string build;     ///< build_id()

  bool operator==(const CalibrationKey&) const = default;
};

/// Of this machine and build. @param device  from 0; must be there
CalibrationKey calibration_key(int device);

struct Calibration {
  CalibrationKey key;
  std::vector<CalibrationPoint> points;

  /// Throws InputError `key = value (must be rule; hint)` for the first broken rule: positive
  /// finite times, sizes of at least 1, no size twice.
  void validate() const;
};

/// From the points of the same loop and precision: times go with sizes by a power between two
/// points, and in proportion beyond the largest; below the smallest the CPU's go in proportion and
/// the device's stay.
/// @return nothing where there is no such point
std::optional<CalibrationPoint> predict(const Calibration& calibration, const Workload& workload);

struct BackendChoice {
  Backend backend = Backend::cpu;
  std::string because;  ///< in words
};

/// A brief step on the device takes at most so many times the CPU's.
inline constexpr double kMostBriefRatio = 1.1;

/// The device where whole steps are predicted to take no longer there, and brief ones at most
/// kMostBriefRatio times as long.
BackendChoice choose_backend(const Calibration& calibration, const Workload& workload);

}  // namespace nodia
