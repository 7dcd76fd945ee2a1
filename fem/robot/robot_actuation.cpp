/// Drives and limits of a robot: what they ask for, and what they apply in a step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fem/robot/robot_model.hpp"
#include "kernels/articulated/jacobian.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/rotation.hpp"

namespace nodia {
namespace {

/// Rotation vector of R, |r| <= pi [rad].
Vec3d rotation_vector(const Mat3d& R) {
  const Vec3d twice_sine{R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  const double sine = 0.5 * norm(twice_sine);
  const double cosine = 0.5 * (trace(R) - 1);
  const double angle = std::atan2(sine, cosine);
  if (cosine > -0.5) {
    const double scale = sine > 1e-9 ? 0.5 * angle / sine : 0.5;
    return scale * twice_sine;
  }
  // Near half a turn the axis is the largest column of R + R^T - (2 cos) I, its sign from the sine.
  const Mat3d S = R + transpose(R) - (2 * cosine) * Mat3d::identity();
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (S(i, i) > S(k, k)) k = i;
  Vec3d axis{S(0, k), S(1, k), S(2, k)};
  axis = (1 / norm(axis)) * axis;
  return (dot(axis, twice_sine) < 0 ? -angle : angle) * axis;
}

/// R diag(d) R^T
Mat3d in_axes(const Mat3d& R, Vec3d d) {
  const Mat3d scaled = Mat3d::from_columns(d.x * Vec3d{R(0, 0), R(1, 0), R(2, 0)},
                                           d.y * Vec3d{R(0, 1), R(1, 1), R(2, 1)},
                                           d.z * Vec3d{R(0, 2), R(1, 2), R(2, 2)});
  return scaled * transpose(R);
}

void check_gain(const char* owner, const char* key, double value) {
  require(value >= 0 && std::isfinite(value), fmt::format("{}.{}", owner, key), value,
          "finite and >= 0", "");
}

void check_gain(const char* owner, const char* key, Vec3d value) {
  for (int i = 0; i < 3; ++i) check_gain(owner, key, value[i]);
}

/// Efforts within this factor of their limit are at it: rounding.
constexpr double kEffortSlack = 1 + 1e-9;

}  // namespace

RobotModel::Actuation::Actuation(int n)
    : pose_gain(Eigen::MatrixXd::Zero(n, n)),
      drive_side(static_cast<std::size_t>(n)),
      limit_side(static_cast<std::size_t>(n)),
      limit_released(static_cast<std::size_t>(n)) {
  for (Eigen::VectorXd* v :
       {&feed, &pose_force, &drive_force, &drive_gain, &limit_force, &limit_gain})
    v->setZero(n);
}

Eigen::VectorXd RobotModel::Actuation::effort(const Eigen::VectorXd& v) const {
  return feed + pose_force - pose_gain * v + drive_force - drive_gain.cwiseProduct(v);
}

Eigen::VectorXd RobotModel::Actuation::force() const {
  return feed + pose_force + drive_force + limit_force;
}

void RobotModel::add_pose_drive(const PoseDrive& drive, double theta_t) {
  require(drive.link >= 0 && drive.link < n_link(), "pose drive.link", drive.link,
          fmt::format("in [0, {})", n_link()), "");
  check_gain("pose drive", "stiffness", drive.stiffness);
  check_gain("pose drive", "damping", drive.damping);
  check_gain("pose drive", "angular_stiffness", drive.angular_stiffness);
  check_gain("pose drive", "angular_damping", drive.angular_damping);
  const Pose& link = link_pose_[drive.link];
  const Pose frame{link.to_world(drive.frame.position), link.rotation * drive.frame.rotation};
  const Mat3d& axes = drive.target.rotation;
  const Mat3d K = in_axes(axes, drive.stiffness), D = in_axes(axes, drive.damping);
  const Mat3d Kr = in_axes(axes, drive.angular_stiffness);
  const Mat3d Dr = in_axes(axes, drive.angular_damping);
  const Mat3d gain = theta_t * K + D, angular_gain = theta_t * Kr + Dr;
  const Vec3d force = K * (drive.target.position - frame.position) + D * drive.linear_velocity;
  const Vec3d moment = Kr * rotation_vector(drive.target.rotation * transpose(frame.rotation)) +
                       Dr * drive.angular_velocity;
  const int body = link_body_[drive.link];
  nodia::point_jacobian(tree(), axis_.data(), body, frame.position, column_.data());
  nodia::angular_jacobian(tree(), axis_.data(), body, angular_column_.data());
  for (int i = 0; i < n_dof(); ++i) {
    asked_.pose_force[i] += dot(column_[i], force) + dot(angular_column_[i], moment);
    const Vec3d g = gain * column_[i], h = angular_gain * angular_column_[i];
    for (int j = 0; j < n_dof(); ++j)
      asked_.pose_gain(j, i) += dot(column_[j], g) + dot(angular_column_[j], h);
  }
}

/// Sets the forces that the control asks for. Feedforward and compensation are clipped.
void RobotModel::set_asked(const AssemblyInput& in) {
  const int n = n_dof();
  const double theta_t = in.time.theta_t();
  asked_ = Actuation(n);
  if (!in.control) return;
  const RobotControl& control = *in.control;
  const auto check_size = [&](const char* key, std::size_t size) {
    require(size == 0 || size == static_cast<std::size_t>(n), key, static_cast<double>(size),
            fmt::format("0 or {}, the number of coordinates of robot '{}'", n, description_.name),
            "");
  };
  check_size("control.joint size", control.joint.size());
  check_size("control.feedforward size", control.feedforward.size());
  Eigen::VectorXd& feed = asked_.feed;
  if (control.gravity_compensation) feed = bias_force(nullptr, in.gravity);
  for (std::size_t i = 0; i < control.feedforward.size(); ++i) feed[i] += control.feedforward[i];
  for (int i = 0; i < n; ++i) {
    const double limit = coordinates_[i].max_effort;
    if (std::fabs(feed[i]) > limit) feed[i] = std::copysign(limit, feed[i]);
  }
  for (std::size_t i = 0; i < control.joint.size(); ++i) {
    const JointDrive& drive = control.joint[i];
    check_gain("joint drive", "stiffness", drive.stiffness);
    check_gain("joint drive", "damping", drive.damping);
    asked_.drive_force[i] =
        drive.stiffness * (drive.target - in.q[i]) + drive.damping * drive.target_velocity;
    asked_.drive_gain[i] = theta_t * drive.stiffness + drive.damping;
  }
  asked_.has_pose_drives = !control.pose.empty();
  for (const PoseDrive& drive : control.pose) add_pose_drive(drive, theta_t);
}

/// Largest share of all drives' efforts with which no joint exceeds its limit, in [0, 1].
double RobotModel::share_of_drives() const {
  const Eigen::VectorXd asked = asked_.effort(predicted_) - asked_.feed;
  double share = 1;
  for (int i = 0; i < n_dof(); ++i) {
    const double limit = coordinates_[i].max_effort, feed = asked_.feed[i];
    if (!(std::fabs(feed + share * asked[i]) > limit * kEffortSlack)) continue;
    share = std::max(0.0, (std::copysign(limit, asked[i]) - feed) / asked[i]);
  }
  return share;
}

/// Scales all drives of a robot with pose drives to the largest share, gains included, that the
/// joints can give. It is found by bisection: with a larger share, the joints can give less of it.
/// @return true if the share changed
bool RobotModel::scale_drives(const double* expected_force) {
  Actuation& a = applied_;
  if (!(share_of_drives() * kEffortSlack < a.share)) return false;
  const auto set_share = [&](double share) {
    a.share = share;
    a.pose_force = share * asked_.pose_force;
    a.pose_gain = share * asked_.pose_gain;
    a.drive_force = share * asked_.drive_force;
    a.drive_gain = share * asked_.drive_gain;
  };
  double low = 0, high = a.share;
  for (int k = 0; k < 60; ++k) {
    const double share = 0.5 * (low + high);
    set_share(share);
    predict(expected_force);
    (share_of_drives() < share ? high : low) = share;
  }
  set_share(low);
  return true;
}

/// Sets the joint drives that are at their limits with these velocities.
/// @return true if one reached its limit or left it
bool RobotModel::set_drive_sides(const Eigen::VectorXd& v) {
  Actuation& a = applied_;
  bool changed = false;
  for (int i = 0; i < n_dof(); ++i) {
    const double limit = coordinates_[i].max_effort;
    if (asked_.drive_gain[i] == 0 && asked_.drive_force[i] == 0) continue;
    const double effort = a.feed[i] + asked_.drive_force[i] - asked_.drive_gain[i] * v[i];
    const int side = !(std::fabs(effort) > limit * kEffortSlack) ? 0 : effort > 0 ? 1 : -1;
    if (side == a.drive_side[i]) continue;
    a.drive_side[i] = static_cast<signed char>(side);
    a.drive_force[i] = side == 0 ? asked_.drive_force[i] : side * limit - a.feed[i];
    a.drive_gain[i] = side == 0 ? asked_.drive_gain[i] : 0;
    changed = true;
  }
  return changed;
}

/// Step length in [0, 1] at which the potential of limit_drives() is least on the way from v to
/// predicted_. Its derivative grows with the step.
double RobotModel::step_to_predicted(const Eigen::VectorXd& v, const double* expected_force) const {
  const Eigen::VectorXd d = predicted_ - v;
  Eigen::MatrixXd K = A_;
  K.diagonal() += applied_.limit_gain;
  Eigen::VectorXd r = K * v - b_ - applied_.limit_force;
  if (expected_force) r -= Eigen::Map<const Eigen::VectorXd>(expected_force, n_dof());
  const double slope = d.dot(r), curvature = d.dot(K * d);
  const auto derivative = [&](double step) {
    double sum = slope + step * curvature;
    for (int i = 0; i < n_dof(); ++i) {
      const double limit = coordinates_[i].max_effort;
      const double asked = asked_.drive_force[i] - asked_.drive_gain[i] * (v[i] + step * d[i]);
      sum -= d[i] * std::clamp(asked_.feed[i] + asked, -limit, limit);
    }
    return sum;
  };
  if (!(derivative(1) > 1e-12 * std::fabs(derivative(0)))) return 1;
  double low = 0, high = 1;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (derivative(middle) > 0 ? high : low) = middle;
  }
  return low;
}

/// Finds the joint drives at their limits: the velocities at which
///   (A + gains of position limits) v - b - forces - P(tau_0 - g v) = 0
/// are the minimum of a convex potential, found by Newton's method with a line search.
/// @return true if drives reached their limits or left them
bool RobotModel::limit_drives(const double* expected_force) {
  constexpr int kMostSteps = 100;
  Eigen::VectorXd v = predicted_;
  for (int k = 0; k < kMostSteps && v.allFinite(); ++k) {
    if (!set_drive_sides(v) && v == predicted_) return k > 0;
    predict(expected_force);
    const double step = step_to_predicted(v, expected_force);
    v = step == 1 ? predicted_ : Eigen::VectorXd(v + step * (predicted_ - v));
  }
  return true;
}

/// @return true if a position limit came into play, left it or grew
bool RobotModel::engage_limits() {
  Actuation& a = applied_;
  bool changed = false;
  for (int i = 0; i < n_dof(); ++i) {
    if (a.limit_released[i]) continue;
    const RobotCoordinate& c = coordinates_[i];
    const double v = predicted_[i];
    int side = a.limit_side[i];
    if (side != 0 && side * (a.limit_force[i] - a.limit_gain[i] * v) > 0) {
      a.limit_side[i] = 0;
      a.limit_force[i] = 0;
      a.limit_gain[i] = 0;
      a.limit_released[i] = 1;
      changed = true;
      continue;
    }
    const bool engaged = side != 0;
    const double next = q_[i] + time_.step_s * v;
    if (!engaged) side = next > c.upper ? 1 : next < c.lower ? -1 : 0;
    if (side == 0) continue;
    const double beyond = side > 0 ? q_[i] - c.upper : c.lower - q_[i];
    const double most = kLimitStiffness * (sum_(i, i) - a.limit_gain[i]);
    if (beyond > 0) {
      if (engaged) continue;
      a.limit_gain[i] = most;
      a.limit_force[i] =
          -side * most / time_.step_s * std::min(0.2 * beyond, kLimitRecovery * time_.step_s);
    } else {
      const double allowed = std::fabs(beyond) / time_.step_s;
      if (engaged && (side * v <= allowed * (1 + 1e-9) || a.limit_gain[i] >= most)) continue;
      const Eigen::VectorXd response = factor_->solve(Eigen::VectorXd::Unit(n_dof(), i));
      const double more = (side * v - allowed) / (response[i] * allowed);
      a.limit_gain[i] = std::min(a.limit_gain[i] + more, most);
    }
    a.limit_side[i] = static_cast<signed char>(side);
    changed = true;
  }
  return changed;
}

/// Sets sum_ and sum_b_ by applied_.
void RobotModel::set_sum() {
  sum_ = A_ + applied_.pose_gain;
  sum_.diagonal() += applied_.drive_gain + applied_.limit_gain;
  sum_b_ = b_ + applied_.force();
}

/// Sets predicted_ to the solution with the external forces.
void RobotModel::predict(const double* expected_force) {
  set_sum();
  const Actuation& a = applied_;
  predicted_ = b_ + a.feed + a.pose_force + a.drive_force + a.limit_force;
  if (expected_force) predicted_ += Eigen::Map<const Eigen::VectorXd>(expected_force, n_dof());
  factor_.emplace(sum_);
  factor_->solveInPlace(predicted_);
}

/// Predicts the step and decides which drives saturate and which limits act, until the prediction
/// agrees with what was decided.
void RobotModel::set_applied(const double* expected_force) {
  const int max_passes = 4 * n_dof() + 4;
  applied_ = asked_;
  for (int pass = 0; pass < max_passes; ++pass) {
    predict(expected_force);
    // Efforts first: what the limits must hold back depends on them.
    if (asked_.has_pose_drives ? scale_drives(expected_force) : limit_drives(expected_force))
      continue;
    if (!engage_limits()) return;
  }
  set_sum();
}

bool RobotModel::is_at_limit(double effort, int coordinate) const {
  const double limit = coordinates_[coordinate].max_effort;
  return limit > 0 ? std::fabs(effort) > limit / kEffortSlack : effort != 0;
}

Eigen::VectorXd RobotModel::coordinates_of(const Vec3d* v_hat) const {
  Eigen::VectorXd v(n_dof());
  for (int i = 0; i < n_dof(); ++i) v[i] = v_hat[i / 3][i % 3];
  return v;
}

bool RobotModel::limits_hold(const Vec3d* v_hat, double* external_force) {
  constexpr double kTolerance = 1e-8;
  const Eigen::VectorXd v = coordinates_of(v_hat), effort = applied_.effort(v);
  Eigen::Map<Eigen::VectorXd>(external_force, n_dof()) = sum_ * v - sum_b_;
  bool may_change = applied_.share < 1;
  for (int i = 0; i < n_dof(); ++i) may_change = may_change || is_at_limit(effort[i], i);
  if (!may_change) return true;
  const Actuation before = applied_;
  set_applied(external_force);
  const Eigen::VectorXd change = applied_.effort(v) - effort;
  applied_ = before;
  set_sum();
  for (int i = 0; i < n_dof(); ++i)
    if (std::fabs(change[i]) > kTolerance * coordinates_[i].max_effort) return false;
  return true;
}

RobotModel::Report RobotModel::report(const Vec3d* v_hat) const {
  const int n = n_dof();
  const Eigen::VectorXd v = coordinates_of(v_hat), effort = applied_.effort(v);
  const Eigen::VectorXd limit = applied_.limit_force - applied_.limit_gain.cwiseProduct(v);
  Report report;
  report.effort.assign(effort.data(), effort.data() + n);
  report.limit_force.assign(limit.data(), limit.data() + n);
  for (int i = 0; i < n; ++i) {
    const double most = coordinates_[i].max_effort;
    const double excess = std::fabs(effort[i]) - most;
    report.saturated.push_back(is_at_limit(effort[i], i));
    if (excess > 0) {
      report.largest_excess =
          std::max(report.largest_excess,
                   most > 0 ? excess / most : std::numeric_limits<double>::infinity());
    }
  }
  return report;
}

}  // namespace nodia
