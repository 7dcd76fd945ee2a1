#include "scenarios/task/settle.hpp"

#include <algorithm>
#include <cmath>

#include "scenarios/task/steps_in.hpp"

namespace nodia {

double largest_speed(const State& state, const BodyLayout& layout) {
  double largest = 0;
  for (const BodyRange& body : layout.bodies()) {
    // A frame has two rows: linear velocity, then angular velocity.
    const std::int32_t stride = body.kind == BodyKind::soft || body.kind == BodyKind::robot ? 1 : 2;
    for (std::int32_t row = body.first_row; row < body.end_row(); row += stride) {
      const Vec3d v = state.v[static_cast<std::size_t>(row)];
      const double speed = body.kind == BodyKind::robot
                               ? std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)})
                               : norm(v);
      largest = std::max(largest, speed);
    }
  }
  return largest;
}

int badness(SolveStatus status) {
  if (status == SolveStatus::converged) return 0;
  return is_failure(status) ? 2 : 1;
}

std::vector<Settled> settle(const std::vector<Scene>& scenes, const SolverOptions& solver,
                            const SettleDescription& how, int steps_at_rest,
                            const std::function<void(int, const StepView&)>& see) {
  Simulation simulation(scenes, solver);
  const double step_s = scenes.front().time.step_s;
  const int n_most = std::max(steps_at_rest, static_cast<int>(steps_in(how.at_most_s, step_s)));
  std::vector<Settled> settled(scenes.size());
  for (int e = 0; e < simulation.n_env(); ++e) {
    State state = simulation.state(e);
    state.time_s = -n_most * step_s;
    simulation.set_state(e, std::move(state));
  }
  std::vector<std::vector<double>> speeds(scenes.size());
  std::size_t n_open = scenes.size();
  std::vector<char> open(scenes.size(), 1);
  for (int k = 1; k <= n_most && n_open > 0; ++k) {
    simulation.step([&](const StepView& view) {
      const auto e = static_cast<std::size_t>(view.record.env);
      if (!open[e]) return;
      Settled& result = settled[e];
      see(view.record.env, view);
      for (const OverlapNotice& overlap : view.record.overlaps)
        if (overlap.at_start) result.overlaps.push_back(overlap);
      const SolveReport& report = view.record.solve;
      if (badness(report.status) > badness(result.status)) {
        result.status = report.status;
        result.cause = report.reason;
      }
      speeds[e].push_back(largest_speed(view.state(), view.layout));
      const std::size_t n_last =
          std::min(speeds[e].size(), static_cast<std::size_t>(steps_at_rest));
      result.speed_m_s =
          *std::max_element(speeds[e].end() - static_cast<std::ptrdiff_t>(n_last), speeds[e].end());
      const bool no_solution = report.status == SolveStatus::not_a_number;
      result.at_rest = !no_solution && k >= steps_at_rest && result.speed_m_s <= how.speed_m_s;
      if (!result.at_rest && !no_solution && k < n_most) return;
      open[e] = 0;
      --n_open;
      result.time_s = k * step_s;
      result.state = view.state();
      result.state.time_s = 0;
      result.state.step = 0;
    });
  }
  return settled;
}

}  // namespace nodia
