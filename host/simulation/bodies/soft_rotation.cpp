#include "host/simulation/bodies/soft_rotation.hpp"

#include <algorithm>

#include "kernels/cpu/over_items.hpp"
#include "kernels/elements/rigid_body.hpp"

namespace nodia {
namespace {

/// A body whose deformation has 1/kShare of the kinetic energy of its rotation does not turn as a
/// whole.
constexpr double kShare = 5;

struct LinearSums {
  double mass = 0;
  Vec3d mx{}, mv{};

  void add(double m, Vec3d x, Vec3d v) {
    mass += m;
    mx += m * x;
    mv += m * v;
  }
  void operator+=(const LinearSums& other) {
    mass += other.mass;
    mx += other.mx;
    mv += other.mv;
  }
};

struct AngularSums {
  Mat3d inertia{};
  Vec3d momentum{};
  double squared = 0;  ///< twice the kinetic energy of the motion about the centre [J]

  void add(double mass, Vec3d r, Vec3d v) {
    inertia += mass * (squared_norm(r) * Mat3d::identity() - outer(r, r));
    momentum += mass * cross(r, v);
    squared += mass * squared_norm(v);
  }
  void operator+=(const AngularSums& other) {
    inertia += other.inertia;
    momentum += other.momentum;
    squared += other.squared;
  }
};

/// Sum of the terms that add(i, Sum*) adds, with the same bits for any number of threads. Unlike
/// chunk_sum(), it does not have the bits of a kernel.
template <class Sum, class Add>
Sum sum_over(const BodyNodes& nodes, const Add& add) {
  constexpr int kPart = 1024;
  const int n_part = (nodes.n + kPart - 1) / kPart;
  std::vector<Sum> part(static_cast<std::size_t>(n_part));
  for_items(n_part, nodes.n_thread, [&](int p) {
    Sum sum{};
    for (int i = p * kPart; i < std::min(nodes.n, (p + 1) * kPart); ++i) add(i, &sum);
    part[static_cast<std::size_t>(p)] = sum;
  });
  Sum all{};
  for (const Sum& sum : part) all += sum;
  return all;
}

/// Ends of the nodes of a body that turns.
/// @param turn    closest to v_hat
/// @param moment  of the linearised elastic force, times t [N m s]
void advance_turning(const TimeStep& step, const BodyNodes& nodes, const RigidMotion& turn,
                     Vec3d moment, const Vec3d* v_hat, const Vec3d* v_next, Vec3d* x_end,
                     Vec3d* v_end) {
  const double t = step.step_s;
  const Mat3d R = rotation_exp(t * turn.omega);
  const RigidMotion next = closest_rigid_motion(nodes, v_next);
  const Vec3d center_end = turn.center + t * turn.velocity;
  for_items(nodes.n, nodes.n_thread, [&](int i) {
    const Vec3d r = nodes.x[i] - turn.center;
    const Vec3d d = v_hat[i] - turn.velocity - cross(turn.omega, r);
    x_end[i] = center_end + R * r + t * d;
    v_end[i] = R * (v_next[i] - next.velocity);
  });
  const auto turned = sum_over<AngularSums>(nodes, [&](int i, AngularSums* sums) {
    sums->add(nodes.mass_kg[i], x_end[i] - center_end, v_end[i]);
  });
  const Vec3d beta = inverse(turned.inertia) * (next.angular_momentum - moment - turned.momentum);
  for_items(nodes.n, nodes.n_thread,
            [&](int i) { v_end[i] += next.velocity + cross(beta, x_end[i] - center_end); });
}

}  // namespace

RigidMotion closest_rigid_motion(const BodyNodes& nodes, const Vec3d* v) {
  const auto add = [&](int i, LinearSums* sums) {
    const double m = nodes.mass_kg[i];
    sums->add(m, nodes.x[i], v[i]);
  };
  const auto linear = sum_over<LinearSums>(nodes, add);
  RigidMotion motion;
  motion.center = (1 / linear.mass) * linear.mx;
  motion.velocity = (1 / linear.mass) * linear.mv;
  const auto angular = sum_over<AngularSums>(nodes, [&](int i, AngularSums* sums) {
    sums->add(nodes.mass_kg[i], nodes.x[i] - motion.center, v[i] - motion.velocity);
  });
  motion.inertia = angular.inertia;
  motion.angular_momentum = angular.momentum;
  const Vec3d omega = inverse(angular.inertia) * angular.momentum;
  const double of_rotation = dot(omega, angular.momentum);
  if (of_rotation > 0 && is_finite(omega))
    motion.omega = std::clamp(1 - kShare * (angular.squared / of_rotation - 1), 0.0, 1.0) * omega;
  return motion;
}

void SoftRotation::start(const TimeStep& step, const BodyNodes& nodes, const Vec3d* v,
                         bool follows) {
  const RigidMotion turn = closest_rigid_motion(nodes, v);
  turn_rad_ = step.step_s * norm(turn.omega);
  follows_ = follows;
  turns_ = follows && turn_rad_ > kLeastTurn;
  solved_.clear();
  if (!turns_) {
    predicted_.clear();
    return;
  }
  const double t = step.step_s;
  const Vec3d free = free_angular_velocity(turn.inertia, {}, turn.omega, t);
  center_ = turn.center;
  omega_free_ = free;
  omega_change_ = free - turn.omega;
  const auto n = static_cast<std::size_t>(nodes.n);
  stiffness_.resize(n);
  force_.resize(n);
  predicted_.resize(n);
  std::vector<Vec3d>& v_free = force_;  // overwritten below
  for_items(nodes.n, nodes.n_thread, [&](int i) {
    const Vec3d r = nodes.x[i] - center_;
    v_free[i] = v[i] + cross(omega_change_, r);
  });
  std::vector<Vec3d> x_end(n), v_end(n);
  RigidMotion turn_free = turn;
  turn_free.omega = free;
  advance_turning(step, nodes, turn_free, {}, v_free.data(), v, x_end.data(), v_end.data());
  const auto change = sum_over<AngularSums>(nodes, [&](int i, AngularSums* sums) {
    sums->add(nodes.mass_kg[i], nodes.x[i] - center_, v_end[i] - v[i]);
  });
  const Vec3d rigid_change = inverse(change.inertia) * change.momentum;
  for_items(nodes.n, nodes.n_thread, [&](int i) {
    const Vec3d r = nodes.x[i] - center_;
    predicted_[i] = x_end[i] - nodes.x[i] - t * v_free[i];
    const double m = nodes.mass_kg[i];
    force_[i] = step.mass_rate(m) * cross(omega_change_, r) -
                (m / t) * (v_end[i] - v[i] - cross(rigid_change, r));
  });
}

void SoftRotation::set_solved(const TimeStep& step, const BodyNodes& nodes, const Vec3d* v_hat,
                              const Vec3d* x_end) {
  if (!follows_) return;
  solved_.resize(static_cast<std::size_t>(nodes.n));
  for_items(nodes.n, nodes.n_thread,
            [&](int i) { solved_[i] = x_end[i] - nodes.x[i] - step.step_s * v_hat[i]; });
}

bool SoftRotation::advance(const TimeStep& step, const BodyNodes& nodes, const Vec3d* v,
                           const Vec3d* v_hat, Vec3d* x_end, Vec3d* v_end) const {
  const auto is_end_finite = [&](int i) { return is_finite(x_end[i]) && is_finite(v_end[i]); };
  const RigidMotion turn = follows_ ? closest_rigid_motion(nodes, v_hat) : RigidMotion{};
  if (!turns_ && !(step.step_s * norm(turn.omega) > kLeastTurn)) {
    return all_items(nodes.n, nodes.n_thread, [&](int i) {
      const NodeMotion end = end_of_step(step, {nodes.x[i], v[i]}, v_hat[i]);
      x_end[i] = end.x;
      v_end[i] = end.v;
      return is_end_finite(i);
    });
  }
  std::vector<Vec3d> v_next(static_cast<std::size_t>(nodes.n));
  for_items(nodes.n, nodes.n_thread, [&](int i) {
    const Vec3d v_free = turns_ ? v[i] + cross(omega_change_, nodes.x[i] - center_) : v[i];
    v_next[i] = v[i] + (1 / step.theta) * (v_hat[i] - v_free);
  });
  // K is symmetric: the moment of K w is the sum of w times the forces of the unit rotations.
  Vec3d moment{};
  if (turns_)
    moment = sum_over<Vec3d>(nodes, [&](int i, Vec3d* sum) {
      *sum -= step.step_s *
              transpose_times(stiffness_[i], v_hat[i] - cross(omega_free_, nodes.x[i] - center_));
    });
  advance_turning(step, nodes, turn, moment, v_hat, v_next.data(), x_end, v_end);
  return all_items(nodes.n, nodes.n_thread, is_end_finite);
}

}  // namespace nodia
