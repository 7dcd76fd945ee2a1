#include "host/solvers/elimination/chain_solve.hpp"

#include <utility>

#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/elimination/chain_elimination.hpp"

namespace nodia {

bool ChainSolve::set_pattern(const std::shared_ptr<const BlockPattern>& pattern,
                             const std::vector<Body>& bodies) {
  const bool same =
      pattern_ != nullptr && bodies == bodies_ && (pattern == pattern_ || *pattern == *pattern_);
  if (same) return is_way_;
  pattern_ = pattern;
  bodies_ = bodies;
  ChainPlan plan;
  is_way_ = make_chain_plan(*pattern, bodies, &plan);
  arrays_ = is_way_ ? ChainArrays(std::move(plan)) : ChainArrays();
  return is_way_;
}

bool ChainSolve::factorise(const BlockMatrix& K) {
  const ChainSystem own = arrays_.system(K);
  EliminateChains eliminate;
  eliminate.system = &own;
  CpuLauncher(isa_, 1).launch("eliminate_chains", eliminate, 1);
  return arrays_.is_definite();
}

void ChainSolve::solve(const std::vector<Vec3d>& f, std::vector<Vec3d>* x) {
  x->resize(f.size());
  const ChainVectors vectors{f.data(), x->data()};
  SolveChains solve;
  solve.system = &arrays_.system();
  solve.vectors = &vectors;
  CpuLauncher(isa_, 1).launch("solve_chains", solve, 1);
}

}  // namespace nodia
