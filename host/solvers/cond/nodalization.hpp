/// Nodalization with contact nodes (Lee et al., III-A): every contact point becomes a massless node
/// for this solve, coupled to its body by a viscous force.
#pragma once

#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/solvers/cond/options.hpp"

namespace nodia {

/// The contact nodes of a problem, one per point.
struct Nodalization {
  std::vector<double> gain;      ///< coupling stiffness kv per point [N s/m]
  std::vector<double> softness;  ///< per contact: sum of 1/kv over its contact nodes [m/(N s)]
  std::vector<double>
      constraint_weight;  ///< per part of a point: c_e of kernels/vfpi/w/point_constraints.hpp
};

/// kv is virtual_gain over the mean diagonal of the contact's Delassus block, so that light and
/// heavy bodies converge alike, or virtual_gain_N_s_m for all; points use their largest value.
/// @param compliance  diagonal of every contact's Delassus block [m/(N s)]
void nodalize(const ContactProblem& problem, const std::vector<Vec3d>& compliance,
              const CondOptions& options, Nodalization* out);
/// Same for one environment, in its range of `out` (size_for()). Threads may share `out`.
void nodalize(const ContactProblem& problem, int env, const std::vector<Vec3d>& compliance,
              const CondOptions& options, Nodalization* out);
void size_for(const ContactProblem& problem, Nodalization* out);

}  // namespace nodia
