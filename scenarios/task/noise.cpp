#include "scenarios/task/noise.hpp"

#include <algorithm>

#include "kernels/core/pose.hpp"

namespace nodia {
namespace {

bool is_pose(Quantity quantity) {
  return quantity == Quantity::link_pose || quantity == Quantity::poses ||
         quantity == Quantity::pose || quantity == Quantity::frame_pose;
}

double deviation_of(const TaskDescription& task, const std::string& name) {
  if (task.noise)
    for (const NamedNumber& noise : *task.noise)
      if (noise.name == name) return noise.value;
  return 0;
}

/// Scales a quaternion to unit length and w >= 0. A zero quaternion does not change.
/// @param q  w, x, y, z; in and out
void normalize(double* q) {
  if (std::all_of(q, q + 4, [](double c) { return c == 0; })) return;
  const Quaternion unit = normalized(Quaternion{q[0], q[1], q[2], q[3]});
  const double sign = unit.w < 0 ? -1 : 1;
  q[0] = sign * unit.w;
  q[1] = sign * unit.x;
  q[2] = sign * unit.y;
  q[3] = sign * unit.z;
}

}  // namespace

Noise::Noise(const TaskDescription& task, const std::vector<Observable>& observed,
             const DrawSeed& drawn_by) {
  for (const Observable& o : observed)
    sources_.push_back({deviation_of(task, o.name), DrawStream(drawn_by, "noise " + o.name)});
}

void Noise::add(int k, const Observable& observable, std::int64_t n_step, double* values) const {
  const Source& source = sources_[static_cast<std::size_t>(k)];
  if (source.deviation == 0) return;
  const DrawStream of_step = source.stream.at(static_cast<std::uint64_t>(n_step));
  const std::size_t n_bound = observable.low.size();
  for (std::size_t i = 0; i < static_cast<std::size_t>(observable.size()); ++i) {
    const std::size_t bound = i % n_bound;
    values[i] = std::clamp(values[i] + source.deviation * of_step.at(i).normal(),
                           observable.low[bound], observable.high[bound]);
  }
  if (!is_pose(observable.quantity)) return;
  for (int i = 0; i < observable.size(); i += 7) normalize(values + i + 3);
}

}  // namespace nodia
