/// Options of COND (Lee et al. 2022) alone.
#pragma once

#include "kernels/core/key.hpp"
#include "kernels/step/contact_node_coupling.hpp"
#include "kernels/vfpi/options.hpp"

namespace nodia {

struct SolverOptions;  // host/solvers/solver_options.hpp

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
};

/// Visits the keys that belong to COND alone: the members of CondOptions, then
/// ExecutionOptions::precision.
void visit_cond_keys(KeyVisitor& v, SolverOptions& o);

}  // namespace nodia
