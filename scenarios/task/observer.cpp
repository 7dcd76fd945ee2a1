#include "scenarios/task/observer.hpp"

#include <algorithm>

#include "host/scene/objects.hpp"
#include "kernels/core/rotation.hpp"
#include "scenarios/checks/contact_sum.hpp"
#include "scenarios/checks/mean_position.hpp"

namespace nodia {
namespace {

double* put(Vec3d v, double* out) {
  for (int axis = 0; axis < 3; ++axis) *out++ = v[axis];
  return out;
}

double* put(Vec3d position, Quaternion q, double* out) {
  if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
  out = put(position, out);
  for (const double component : {q.w, q.x, q.y, q.z}) *out++ = component;
  return out;
}

double* put(const Pose& pose, double* out) {
  return put(pose.position, quaternion_from_rotation(pose.rotation), out);
}

/// True for means over the last step, which see() takes from its record.
bool is_force(const Observable& o) {
  return o.quantity == Quantity::wrench || o.quantity == Quantity::contact_force ||
         o.quantity == Quantity::effort;
}

}  // namespace

Observer::Observer(std::vector<Observable> observed) : observed_(std::move(observed)) {
  begin();
}

void Observer::begin() {
  force_.clear();
  for (const Observable& o : observed_) {
    force_.emplace_back(is_force(o) ? static_cast<std::size_t>(o.size()) : 0, 0.0);
  }
}

void Observer::see(const StepView& view) {
  for (std::size_t k = 0; k < observed_.size(); ++k) {
    const Observable& o = observed_[k];
    double* const out = force_[k].data();
    if (o.quantity == Quantity::wrench) {
      const Wrench& wrench = view.record.sensors.at(static_cast<std::size_t>(o.index));
      put(wrench.torque_Nm, put(wrench.force_N, out));
    } else if (o.quantity == Quantity::contact_force) {
      put(contact_sum(view, o.object).force_N, out);
    } else if (o.quantity == Quantity::effort) {
      const BodyRange& body = view.layout[o.index];
      std::copy_n(view.record.efforts.begin() + body.first, body.n, out);
    }
  }
}

void Observer::observe(int k, const Simulation& simulation, int env, double* out) const {
  const Observable& o = observed_[static_cast<std::size_t>(k)];
  const State& state = simulation.state(env);
  const BodyLayout& layout = simulation.layout(env);
  const auto body = [&] { return layout[o.index]; };
  const auto each = [](const BodyRange& range, const auto& act) {
    for (auto i = static_cast<std::size_t>(range.first); i < static_cast<std::size_t>(range.end());
         ++i)
      act(i);
  };
  switch (o.quantity) {
    case Quantity::time:
      *out = state.time_s;
      break;
    case Quantity::joints:
      each(body(), [&](std::size_t i) { *out++ = state.q[i]; });
      break;
    case Quantity::joint_velocities:
      for (int i = 0; i < body().n; ++i)
        *out++ = state.v[static_cast<std::size_t>(body().first_row + i / 3)][i % 3];
      break;
    case Quantity::joint_targets: {
      const std::vector<double> targets = simulation.joint_targets(env, o.owner);
      std::copy(targets.begin(), targets.end(), out);
      break;
    }
    case Quantity::link_pose:
      put(simulation.link_poses(env).at(static_cast<std::size_t>(o.index)), out);
      break;
    case Quantity::nodes:
      each(body(), [&](std::size_t i) { out = put(state.x[i], out); });
      break;
    case Quantity::node_velocities:
      for (std::int32_t row = body().first_row; row < body().end_row(); ++row)
        out = put(state.v[static_cast<std::size_t>(row)], out);
      break;
    case Quantity::pose:
    case Quantity::poses:
      each(body(), [&](std::size_t i) {
        out = put(state.frames[i].position, state.frames[i].orientation, out);
      });
      break;
    case Quantity::centre:
      put(mean_position(state, body()), out);
      break;
    case Quantity::frame_pose:
      put(simulation.frame_target(env, o.owner), out);
      break;
    case Quantity::effort:
    case Quantity::wrench:
    case Quantity::contact_force: {
      const std::vector<double>& force = force_[static_cast<std::size_t>(k)];
      std::copy(force.begin(), force.end(), out);
      break;
    }
  }
}

bool Observer::in_bounds(const Observable& observable, const double* values) {
  const std::size_t n_bound = observable.low.size();
  for (std::size_t i = 0; i < static_cast<std::size_t>(observable.size()); ++i) {
    const std::size_t bound = i % n_bound;
    if (!(values[i] >= observable.low[bound] && values[i] <= observable.high[bound])) return false;
  }
  return true;
}

}  // namespace nodia
