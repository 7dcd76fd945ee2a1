#include <algorithm>

#include "tools/benchmarks/scaling.hpp"

namespace nodia::studies {
namespace {

/// @param takes  selects among the measured rows that reached their target
template <class Takes>
PowerFit fit_total(const std::vector<Row>& rows, const Takes& takes) {
  std::vector<SizeTime> points;
  for (const Row& row : rows)
    if (row.at("left_out") == "" && row.at("reached") == true && takes(row))
      points.push_back({row.at("n_node"), row.at("total_ms")});
  return fit_power(points);
}

}  // namespace

const Fields& scaling_fields() {
  static const Fields fields{
      {"solver", "text", "name of the solver"},
      {"rule", "text", "own, or true error <= E"},
      {"n_node", "-", "nodes"},
      {"n_tet", "-", "tetrahedra"},
      {"n_dof", "-", "degrees of freedom"},
      {"n_contact", "-", "contacts of the last step"},
      {"threads", "-", "CPU threads"},
      {"steps", "-", "averaged steps"},
      {"tolerance", "-", "of the rule"},
      {"reached", "-", "false if no tolerance brought the mean true error to the target"},
      {"iterations", "-", "of the solver's own kind"},
      {"work_units", "-", "products with A"},
      {"true_error", "-", "mean"},
      {"reference_error", "-", "largest error of a reference solution"},
      {"solver_ms", "ms", "a solve, with its factorisation"},
      {"dynamics_ms", "ms", "the part of a step before the solve"},
      {"total_ms", "ms", "both"},
      {"memory_MB", "MB", "resident: the simulation, and the solver's largest addition"},
      {"memory_kB_per_node", "kB", "the same per node"},
      {"failed_steps", "-", "steps that did not converge"},
      // The rest are values of COND by its own rule.
      {"iterations_paper", "-", "by the paper's rule"},
      {"failed_paper", "-", "steps that did not converge by it"},
      {"us_per_iteration", "us", "of long runs, without set-up"},
      {"read_us", "us", "time to read the bytes of an iteration once"},
      {"bytes_per_iteration", "B", "counted: iteration_cost.hpp"},
      {"in_cache", "-", "1 if an iteration fits the core's own cache, else 0"},
      {"left_out", "text", "why nothing was measured; empty if it was"}};
  return fields;
}

std::vector<ScalingFit> fits_of(const std::vector<Row>& rows) {
  std::vector<ScalingFit> fits;
  for (const Row& r : rows) {
    const auto is_same = [&r](const Row& other) {
      return other.at("solver") == r.at("solver") && other.at("rule") == r.at("rule");
    };
    if (&*std::find_if(rows.begin(), rows.end(), is_same) == &r)
      fits.push_back({r.at("solver"), r.at("rule"), "all sizes", fit_total(rows, is_same)});
  }
  const auto in_cache = [](int inside) {
    return [inside](const Row& row) { return row.at("in_cache") == inside; };
  };
  if (std::any_of(rows.begin(), rows.end(),
                  [](const Row& row) { return is_known(row.at("in_cache")); })) {
    fits.push_back({"cond", "own", "inside the core's own cache", fit_total(rows, in_cache(1))});
    fits.push_back({"cond", "own", "outside it", fit_total(rows, in_cache(0))});
  }
  return fits;
}

}  // namespace nodia::studies
