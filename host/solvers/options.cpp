#include <fmt/format.h>

#include <cmath>

#include "host/solvers/contact_solver.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

void require_count(const char* key, int value, int least, int most, const char* hint) {
  require(value >= least && value <= most, fmt::format("solver.{}", key), value,
          fmt::format("in [{}, {}]", least, most), hint);
}

}  // namespace

void SolverOptions::validate() const {
  require(tolerance > 0 && tolerance < 1, "solver.tolerance", tolerance, "in (0, 1)", "try 1e-4");
  require_count("max_iterations", max_iterations, 1, 10000000, "try 2000");
  require_count("check_every", check_every, 1, 1000, "try 8");
  require(invertible_omega_m_Ns >= 0 && std::isfinite(invertible_omega_m_Ns),
          "solver.invertible_omega_m_Ns", invertible_omega_m_Ns, "finite and >= 0",
          "0 turns invertible contact off, the paper takes 1e-3");
  require_count("w_recycle_steps", w_recycle_steps, 1, 1000, "1 computes W in every step");
  require(under_relaxation > 0 && under_relaxation <= 1, "solver.under_relaxation",
          under_relaxation, "in (0, 1]", "try 0.95");
  require_count("slow_start", slow_start, 2, 1000, "try 5");
  require(virtual_gain > 0 && std::isfinite(virtual_gain), "solver.virtual_gain", virtual_gain,
          "finite and > 0", "try 10");
  require(virtual_gain_N_s_m >= 0 && std::isfinite(virtual_gain_N_s_m), "solver.virtual_gain_N_s_m",
          virtual_gain_N_s_m, "finite and >= 0", "0 takes solver.virtual_gain");
  require_count("threads", threads, 0, 1024, "0 chooses by itself");
  nodia::validate(parameters);
#if !defined(NODIA_WITH_CHOLMOD)
  if (factoriser == Factoriser::cholmod)
    throw_bad_value("solver.factoriser", name_of(factoriser), "simplicial in this build",
                    "install SuiteSparse (libsuitesparse-dev) and configure again");
#endif
}

}  // namespace nodia
