/// Options of COND only (Lee et al. 2022).
#pragma once

#include "kernels/core/key.hpp"
#include "kernels/step/contact_node_coupling.hpp"
#include "kernels/vfpi/options.hpp"

namespace nodia {

struct SolverOptions;  // host/solvers/solver_options.hpp

struct CondOptions {
  WKind w = WKind::frobenius;
  int w_recycle_steps = 1;  ///< steps for which W and its spectral estimate are reused
  Acceleration acceleration = Acceleration::chebyshev;
  double under_relaxation = 0.95;  ///< u of (38)
  int slow_start = 5;              ///< ls of (38)
  double virtual_gain =
      10;  ///< kv of contact nodes times the mean diagonal of the Delassus block [-]
  double virtual_gain_N_s_m = 0;  ///< kv of all contact nodes [N s/m]; 0: from virtual_gain
  bool bias_cancellation = true;  ///< removes the error lambda/kv of contact nodes

  ContactNodeCoupling coupling() const {
    return {virtual_gain, virtual_gain_N_s_m, bias_cancellation};
  }
};

/// Visits the keys of COND only: the members of CondOptions, then ExecutionOptions::precision.
void visit_cond_keys(KeyVisitor& v, SolverOptions& o);

}  // namespace nodia
