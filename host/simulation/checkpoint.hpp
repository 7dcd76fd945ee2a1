/// Complete state of one environment, from which a run continues.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/simulation/energy_watch.hpp"
#include "host/simulation/overlap_watch.hpp"
#include "host/simulation/state.hpp"
#include "host/simulation/targets.hpp"
#include "host/solvers/solver_state.hpp"

namespace nodia {

/// Plain value that can be copied, written to a file (host/io/checkpoint_file.hpp), and loaded into
/// any simulation with the same scene. With equal solver options, a continued run has equal bits.
struct Checkpoint {
  std::uint64_t scene = 0;  ///< fingerprint()
  State state;
  double time_origin_s = 0;  ///< time of step 0
  bool failed = false;
  std::string reason;  ///< reason of the failure, or of a fault of the next step; else empty
  Targets targets;
  std::vector<Vec3d> places;  ///< Attachments::places() [m]
  OverlapMemory overlaps;
  EnergyMemory energies;
  // Initial guess of the solver.
  std::vector<Vec3d> v_hat;  ///< solution of the last step; empty: velocities of the state
  std::vector<std::uint64_t> lambda_keys;  ///< keys of the last step's contacts, ascending
  std::vector<Vec3d> lambda;               ///< force of each contact, contact frame [N]
  std::vector<double> robot_force;         ///< InitialGuess::robot_force [N m] or [N]
  SolverState solver;
};

}  // namespace nodia
