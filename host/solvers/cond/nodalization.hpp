/// Nodalization with virtual nodes (Lee et al., III-A): every point that a contact acts on becomes
/// a massless node for this solve, tied to its body by a viscous force.
#pragma once

#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/solvers/cond/options.hpp"

namespace nodia {

/// The virtual nodes of a problem: one a point.
struct Nodalization {
  std::vector<double> gain;        ///< kv per point [N s/m]
  std::vector<double> softness;    ///< per contact: sum over its virtual sides of 1/kv [m/(N s)]
  std::vector<double> tie_weight;  ///< per part of a point: c_e of kernels/vfpi/w/ties.hpp
};

/// kv is virtual_gain over the mean diagonal of the contact's Delassus block, so that light and
/// heavy bodies converge alike, or virtual_gain_N_s_m for all. A point of several contacts gets the
/// largest.
/// @param compliance  diagonal of every contact's Delassus block [m/(N s)]
void nodalize(const ContactProblem& problem, const std::vector<Vec3d>& compliance,
              const CondOptions& options, Nodalization* out);
/// The same of one environment, in its places of `out`, which size_for() has sized. Different
/// environments may be filled at the same time.
void nodalize(const ContactProblem& problem, int env, const std::vector<Vec3d>& compliance,
              const CondOptions& options, Nodalization* out);
void size_for(const ContactProblem& problem, Nodalization* out);

}  // namespace nodia
