/// All that the coming steps of one environment depend on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/simulation/overlap_watch.hpp"
#include "host/simulation/state.hpp"
#include "host/simulation/targets.hpp"
#include "host/solvers/solver_state.hpp"

namespace nodia {

/// A value: kept, copied, written to a file (host/io/checkpoint_file.hpp), and loaded into any
/// simulation with the same scene. With the same solver options the steps from there have the bits
/// that they would have had.
struct Checkpoint {
  std::uint64_t scene = 0;  ///< fingerprint()
  State state;
  double time_origin_s = 0;  ///< time of step 0
  bool failed = false;
  std::string reason;  ///< why it failed, or why the coming step will; empty otherwise
  Targets targets;
  std::vector<Vec3d> places;  ///< Attachments::places() [m]
  OverlapMemory overlaps;
  // Where the solver starts.
  std::vector<Vec3d> v_hat;                ///< of the last step; empty: by the state
  std::vector<std::uint64_t> lambda_keys;  ///< of the last step's contacts, ascending
  std::vector<Vec3d> lambda;               ///< of each of them, contact frame [N]
  SolverState solver;
};

}  // namespace nodia
