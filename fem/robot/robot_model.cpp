#include "fem/robot/robot_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "fem/matrix/symmetric_eigen.hpp"
#include "fem/robot/joint_axes.hpp"
#include "kernels/articulated/jacobian.hpp"
#include "kernels/articulated/mass_matrix.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/rotation.hpp"

namespace nodia {

namespace {

Pose operator*(const Pose& a, const Pose& b) {
  return {a.to_world(b.position), a.rotation * b.rotation};
}

/// The inertia of a link in the frame of the body that it is fixed to.
RigidInertia moved(const RigidInertia& inertia, const Pose& to) {
  return {inertia.mass, to.to_world(inertia.centre),
          to.rotation * inertia.rotation * transpose(to.rotation)};
}

RigidInertia joined(const RigidInertia& a, const RigidInertia& b) {
  const double mass = a.mass + b.mass;
  if (!(mass > 0)) return {};
  const Vec3d centre = (1 / mass) * (a.mass * a.centre + b.mass * b.centre);
  return {mass, centre,
          a.rotation + b.rotation + point_inertia(a.mass, a.centre - centre) +
              point_inertia(b.mass, b.centre - centre)};
}

/// The nearest positive semidefinite matrix.
Eigen::MatrixXd positive_part(const Eigen::MatrixXd& m) {
  const SymmetricEigen eigen = symmetric_eigen(m);
  if (!eigen.converged) return Eigen::MatrixXd::Zero(m.rows(), m.cols());
  if (eigen.values[0] >= 0) return m;
  const Eigen::MatrixXd& V = eigen.vectors;
  return V * eigen.values.cwiseMax(0).asDiagonal() * V.transpose();
}

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

}  // namespace

RobotModel::RobotModel(RobotDescription description, const Pose& base)
    : description_(std::move(description)), base_(base) {
  description_.validate("");
  const std::vector<RobotLink>& links = description_.links;
  link_body_.assign(links.size(), -1);
  link_in_body_.resize(links.size());
  std::vector<std::int32_t> link_dof(links.size(), -1);
  for (std::size_t i = 1; i < links.size(); ++i) {
    const RobotJoint& joint = links[i].joint;
    if (joint.mimic) continue;
    link_dof[i] = n_dof();
    for (const JointAxis& axis : axes_of(joint)) {
      if (axis.motion == JointMotion::ball && axis.part == 0) rotations_.push_back(n_dof());
      coordinates_.push_back({joint.name + axis.suffix, static_cast<std::int32_t>(i),
                              axis.motion == JointMotion::slide, joint.lower, joint.upper,
                              joint.max_velocity, has_actuator(joint) ? joint.max_effort : 0,
                              joint.damping});
    }
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    const RobotLink& link = links[i];
    const RobotJoint& joint = link.joint;
    if (i > 0) {
      const Pose origin = link_in_body_[link.parent] * joint.origin;
      if (joint.kind == JointKind::fixed) {
        link_body_[i] = link_body_[link.parent];
        link_in_body_[i] = origin;
      } else {
        JointedBody body;
        body.parent = link_body_[link.parent];
        body.joint_in_parent = origin;
        std::size_t followed = i;
        while (links[followed].joint.mimic) {
          const JointMimic& mimic = *links[followed].joint.mimic;
          body.offset += body.ratio * mimic.offset;
          body.ratio *= mimic.multiplier;
          followed = mimic.link;
        }
        body.dof = link_dof[followed];
        if (joint.mimic) {
          RobotCoordinate& c = coordinates_[body.dof];
          c.damping += body.ratio * body.ratio * joint.damping;
          if (body.ratio != 0) {
            const double a = (joint.lower - body.offset) / body.ratio;
            const double z = (joint.upper - body.offset) / body.ratio;
            c.lower = std::max(c.lower, std::min(a, z));
            c.upper = std::min(c.upper, std::max(a, z));
          }
        }
        for (const JointAxis& axis : axes_of(joint)) {
          body.motion = axis.motion;
          body.part = axis.part;
          body.axis = axis.axis;
          link_body_[i] = static_cast<std::int32_t>(bodies_.size());
          bodies_.push_back(body);
          body.parent = link_body_[i];
          body.joint_in_parent = {};
          ++body.dof;
        }
      }
    }
    if (link.inertia && link_body_[i] >= 0) {
      RigidInertia& inertia = bodies_[link_body_[i]].inertia;
      inertia = joined(inertia, moved(*link.inertia, link_in_body_[i]));
    }
  }
  for (const RobotCoordinate& c : coordinates_) {
    require(c.lower <= c.upper, "joint '" + c.joint + "': lower", c.lower,
            fmt::format("<= upper = {}", c.upper), "the joints that mimic it narrow its limits");
  }

  const std::size_t n_body = bodies_.size();
  body_pose_.resize(n_body);
  link_pose_.resize(links.size());
  axis_.resize(n_body);
  inertia_.resize(n_body);
  subtree_.resize(n_body);
  velocity_.resize(n_body);
  acceleration_.resize(n_body);
  body_force_.resize(n_body);
  column_.resize(3 * static_cast<std::size_t>(n_row()));
  angular_column_.resize(column_.size());
  const int n = n_dof();
  for (Eigen::MatrixXd* m : {&M_, &A_, &pose_gain_, &sum_}) m->setZero(n, n);
  for (Eigen::VectorXd* v : {&b_, &feed_, &pose_force_, &drive_force_, &drive_gain_, &limit_force_,
                             &limit_gain_, &predicted_})
    v->setZero(n);
  drive_constant_.resize(n);
  saturated_.resize(n);
  limit_released_.resize(n);
  limit_side_.resize(n);
  const std::vector<double> zero(n, 0.0);
  update_kinematics(zero.data());
}

TreeView RobotModel::tree() const {
  return {static_cast<int>(bodies_.size()), n_dof(), bodies_.data(), base_};
}

int RobotModel::find_coordinate(const std::string& joint_name) const {
  for (int i = 0; i < n_dof(); ++i)
    if (coordinates_[i].joint == joint_name) return i;
  return -1;
}

double RobotModel::mass() const {
  double sum = 0;
  for (const JointedBody& body : bodies_) sum += body.inertia.mass;
  return sum;
}

bool RobotModel::moves(int link) const {
  for (std::int32_t body = link_body_[link]; body >= 0; body = bodies_[body].parent)
    if (bodies_[body].ratio != 0) return true;
  return false;
}

std::vector<std::pair<std::int32_t, std::int32_t>> RobotModel::couplings(int first_row) const {
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (int i = 0; i < n_row(); ++i)
    for (int j = i + 1; j < n_row(); ++j) pairs.emplace_back(first_row + i, first_row + j);
  return pairs;
}

void RobotModel::bind(const std::shared_ptr<const BlockPattern>& pattern, int first_row) {
  block_.clear();
  for (int i = 0; i < n_row(); ++i)
    for (int j = 0; j < n_row(); ++j) {
      block_.push_back(pattern->find(first_row + i, first_row + j));
      if (block_.back() < 0) throw std::invalid_argument("RobotModel: pattern lacks its blocks");
    }
  first_row_ = first_row;
}

void RobotModel::update_kinematics(const double* q) {
  const TreeView t = tree();
  forward_kinematics(t, q, body_pose_.data(), axis_.data());
  body_inertias(t, body_pose_.data(), inertia_.data());
  subtree_ = inertia_;
  add_up_subtrees(t, subtree_.data());
  // Symmetric, so that the order of storage does not matter.
  nodia::mass_matrix(t, axis_.data(), subtree_.data(), M_.data());
  for (std::size_t i = 0; i < link_pose_.size(); ++i)
    link_pose_[i] = (link_body_[i] < 0 ? base_ : body_pose_[link_body_[i]]) * link_in_body_[i];
}

void RobotModel::columns(const Vec3d* column, Mat3d* J) const {
  for (int r = 0; r < n_row(); ++r)
    J[r] = Mat3d::from_columns(column[3 * r], column[3 * r + 1], column[3 * r + 2]);
}

void RobotModel::point_jacobian(int link, Vec3d point, Mat3d* J) const {
  nodia::point_jacobian(tree(), axis_.data(), link_body_[link], point, column_.data());
  columns(column_.data(), J);
}

std::vector<Mat3d> RobotModel::point_jacobian(int link, Vec3d point) const {
  std::vector<Mat3d> J(n_row());
  point_jacobian(link, point, J.data());
  return J;
}

void RobotModel::angular_jacobian(int link, Mat3d* J) const {
  nodia::angular_jacobian(tree(), axis_.data(), link_body_[link], angular_column_.data());
  columns(angular_column_.data(), J);
}

std::vector<Mat3d> RobotModel::angular_jacobian(int link) const {
  std::vector<Mat3d> J(n_row());
  angular_jacobian(link, J.data());
  return J;
}

Eigen::VectorXd RobotModel::inverse_dynamics(const double* qd, const double* qdd,
                                             Vec3d gravity) const {
  Eigen::VectorXd tau(n_dof());
  nodia::inverse_dynamics(tree(), axis_.data(), inertia_.data(), qd, qdd, gravity,
                          {velocity_.data(), acceleration_.data(), body_force_.data()}, tau.data());
  return tau;
}

Eigen::VectorXd RobotModel::bias_force(const double* qd, Vec3d gravity) const {
  return inverse_dynamics(qd, nullptr, gravity);
}

void RobotModel::link_forces(const double* qd, const double* qdd, Vec3d gravity,
                             SpatialForce* force) const {
  inverse_dynamics(qd, qdd, gravity);  // for the bodies' velocities and accelerations, -g included
  const SpatialMotion base_acceleration{{}, -gravity};
  force[0] = {};
  for (std::size_t i = 1; i < link_pose_.size(); ++i) {
    force[i] = {};
    const RobotLink& link = description_.links[i];
    if (!link.inertia) continue;
    const Pose& pose = link_pose_[i];
    const SpatialInertia I = to_world(*link.inertia, pose.rotation, pose.position - base_.position);
    const int body = link_body_[i];
    if (body < 0)
      force[i] = I * base_acceleration;
    else
      force[i] = I * acceleration_[body] + cross(velocity_[body], I * velocity_[body]);
  }
}

std::vector<double> RobotModel::mass_lower_bound() const {
  // m_r = lambda d_r, d_r the least diagonal of the row and lambda the least eigenvalue of M scaled
  // by d.
  const int n = n_dof();
  std::vector<double> bound(n_row());
  if (n == 0) return bound;
  for (int r = 0; r < n_row(); ++r) {
    bound[r] = 3 * r + 2 < n ? std::numeric_limits<double>::infinity() : 1;
    for (int i = 3 * r; i < std::min(3 * r + 3, n); ++i) bound[r] = std::min(bound[r], M_(i, i));
  }
  Eigen::MatrixXd scaled = M_;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) scaled(i, j) /= std::sqrt(bound[i / 3] * bound[j / 3]);
  const SymmetricEigen eigen = symmetric_eigenvalues(scaled);
  const double rounding = eigen.converged ? 1e-14 * n * eigen.values[n - 1] : 0;
  const double lambda = eigen.converged ? std::clamp(eigen.values[0] - rounding, 0.0, 1.0) : 0;
  for (double& m : bound) m *= lambda;
  return bound;
}

double RobotModel::kinetic_energy(const double* qd) const {
  const Eigen::Map<const Eigen::VectorXd> v(qd, n_dof());
  return 0.5 * v.dot(M_ * v);
}

double RobotModel::potential_energy(Vec3d gravity) const {
  double energy = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    energy -=
        bodies_[i].inertia.mass * dot(gravity, body_pose_[i].to_world(bodies_[i].inertia.centre));
  return energy;
}

void RobotModel::add_pose_drive(const PoseDrive& drive, double theta_t) {
  require(drive.link >= 0 && drive.link < n_link(), "pose drive.link", drive.link,
          fmt::format("in [0, {})", n_link()), "");
  check_gain("pose drive", "stiffness", drive.stiffness);
  check_gain("pose drive", "damping", drive.damping);
  check_gain("pose drive", "angular_stiffness", drive.angular_stiffness);
  check_gain("pose drive", "angular_damping", drive.angular_damping);
  const Pose frame = link_pose_[drive.link] * drive.frame;
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
    pose_force_[i] += dot(column_[i], force) + dot(angular_column_[i], moment);
    const Vec3d g = gain * column_[i], h = angular_gain * angular_column_[i];
    for (int j = 0; j < n_dof(); ++j)
      pose_gain_(j, i) += dot(column_[j], g) + dot(angular_column_[j], h);
  }
}

void RobotModel::add_control(const AssemblyInput& in) {
  const int n = n_dof();
  const double theta_t = in.time.theta_t();
  for (Eigen::VectorXd* v :
       {&feed_, &pose_force_, &drive_force_, &drive_gain_, &limit_force_, &limit_gain_})
    v->setZero();
  pose_gain_.setZero();
  pose_constant_ = false;
  std::fill(drive_constant_.begin(), drive_constant_.end(), 0);
  std::fill(saturated_.begin(), saturated_.end(), 0);
  std::fill(limit_released_.begin(), limit_released_.end(), 0);
  std::fill(limit_side_.begin(), limit_side_.end(), 0);
  if (!in.control) return;
  const RobotControl& control = *in.control;
  const auto check_size = [&](const char* key, std::size_t size) {
    require(size == 0 || size == static_cast<std::size_t>(n), key, static_cast<double>(size),
            fmt::format("0 or {}, the number of coordinates of robot '{}'", n, description_.name),
            "");
  };
  check_size("control.joint size", control.joint.size());
  check_size("control.feedforward size", control.feedforward.size());
  if (control.gravity_compensation) feed_ = bias_force(nullptr, in.gravity);
  for (std::size_t i = 0; i < control.feedforward.size(); ++i) feed_[i] += control.feedforward[i];
  for (int i = 0; i < n; ++i) {
    const double limit = coordinates_[i].max_effort;
    if (std::fabs(feed_[i]) > limit) {
      feed_[i] = std::copysign(limit, feed_[i]);
      saturated_[i] = 1;
    }
  }
  for (std::size_t i = 0; i < control.joint.size(); ++i) {
    const JointDrive& drive = control.joint[i];
    check_gain("joint drive", "stiffness", drive.stiffness);
    check_gain("joint drive", "damping", drive.damping);
    drive_force_[i] =
        drive.stiffness * (drive.target - in.q[i]) + drive.damping * drive.target_velocity;
    drive_gain_[i] = theta_t * drive.stiffness + drive.damping;
  }
  for (const PoseDrive& drive : control.pose) add_pose_drive(drive, theta_t);
}

/// Whether a drive became constant.
bool RobotModel::limit_efforts() {
  constexpr double kSlack = 1 + 1e-9;
  const int n = n_dof();
  const Eigen::VectorXd pose = pose_force_ - pose_gain_ * predicted_;
  if (!pose_constant_) {
    double scale = 1;
    for (int i = 0; i < n; ++i) {
      const double limit = coordinates_[i].max_effort;
      if (!(std::fabs(feed_[i] + pose[i]) > limit * kSlack)) continue;
      saturated_[i] = 1;
      scale = std::min(scale, (std::copysign(limit, pose[i]) - feed_[i]) / pose[i]);
    }
    if (scale < 1) {
      pose_force_ = std::max(scale, 0.0) * pose;
      pose_gain_.setZero();
      pose_constant_ = true;
      return true;
    }
  }
  bool changed = false;
  for (int i = 0; i < n; ++i) {
    const double limit = coordinates_[i].max_effort;
    const double effort = feed_[i] + pose[i] + drive_force_[i] - drive_gain_[i] * predicted_[i];
    if (!(std::fabs(effort) > limit * kSlack)) continue;
    if (drive_gain_[i] == 0 && drive_force_[i] == 0 && !drive_constant_[i]) continue;
    drive_force_[i] = std::copysign(limit, effort) - feed_[i] - pose[i];
    drive_gain_[i] = 0;
    drive_constant_[i] = 1;
    saturated_[i] = 1;
    changed = true;
  }
  return changed;
}

/// Whether a limit came into play, left it or grew.
bool RobotModel::engage_limits(const AssemblyInput& in) {
  bool changed = false;
  for (int i = 0; i < n_dof(); ++i) {
    if (limit_released_[i]) continue;
    const RobotCoordinate& c = coordinates_[i];
    const double v = predicted_[i];
    int side = limit_side_[i];
    if (side != 0 && side * (limit_force_[i] - limit_gain_[i] * v) > 0) {
      limit_side_[i] = 0;
      limit_force_[i] = 0;
      limit_gain_[i] = 0;
      limit_released_[i] = 1;
      changed = true;
      continue;
    }
    const bool engaged = side != 0;
    const double next = in.q[i] + in.time.step_s * v;
    if (!engaged) side = next > c.upper ? 1 : next < c.lower ? -1 : 0;
    if (side == 0) continue;
    const double beyond = side > 0 ? in.q[i] - c.upper : c.lower - in.q[i];
    const double most = kLimitStiffness * (sum_(i, i) - limit_gain_[i]);
    if (beyond > 0) {
      if (engaged) continue;
      limit_gain_[i] = most;
      limit_force_[i] =
          -side * most / in.time.step_s * std::min(0.2 * beyond, kLimitRecovery * in.time.step_s);
    } else {
      const double allowed = std::fabs(beyond) / in.time.step_s;
      if (engaged && (side * v <= allowed * (1 + 1e-9) || limit_gain_[i] >= most)) continue;
      const Eigen::VectorXd response = factor_->solve(Eigen::VectorXd::Unit(n_dof(), i));
      const double more = (side * v - allowed) / (response[i] * allowed);
      limit_gain_[i] = std::min(limit_gain_[i] + more, most);
    }
    limit_side_[i] = static_cast<signed char>(side);
    changed = true;
  }
  return changed;
}

/// Predicts the step and decides which drives saturate and which limits act, until the prediction
/// agrees with what was decided.
void RobotModel::solve_for_limits(const AssemblyInput& in) {
  const int n = n_dof();
  const int max_passes = 4 * n + 4;
  for (int pass = 0; pass < max_passes; ++pass) {
    sum_ = A_ + pose_gain_;
    sum_.diagonal() += drive_gain_ + limit_gain_;
    predicted_ = b_ + feed_ + pose_force_ + drive_force_ + limit_force_;
    if (in.contact_force) predicted_ += Eigen::Map<const Eigen::VectorXd>(in.contact_force, n);
    factor_.emplace(sum_);
    factor_->solveInPlace(predicted_);
    // Efforts first: what the limits must hold back depends on them.
    if (limit_efforts()) continue;
    if (!engage_limits(in)) return;
  }
}

void RobotModel::assemble(const AssemblyInput& in, double* value, Vec3d* b) {
  const int n = n_dof();
  update_kinematics(in.q);
  if (n == 0) return;
  if (first_row_ < 0) throw std::logic_error("RobotModel: assemble before bind");
  const double theta_t = in.time.theta_t();
  const Eigen::Map<const Eigen::VectorXd> v(in.qd, n);
  A_ = M_ / theta_t;
  b_ = A_ * v - bias_force(in.qd, in.gravity);
  if (in.external_force) b_ += Eigen::Map<const Eigen::VectorXd>(in.external_force, n);
  for (int i = 0; i < n; ++i) A_(i, i) += coordinates_[i].damping;
  if (!(in.control && in.control->gravity_compensation) && squared_norm(in.gravity) > 0) {
    gravity_stiffness(tree(), axis_.data(), subtree_.data(), in.gravity, sum_.data());
    A_ += theta_t * positive_part(sum_);
  }
  add_control(in);
  solve_for_limits(in);

  A_ += pose_gain_;
  A_.diagonal() += drive_gain_ + limit_gain_;
  b_ += feed_ + pose_force_ + drive_force_ + limit_force_;
  const int rows = n_row();
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      double* block = value + 9 * static_cast<std::size_t>(block_[i * rows + j]);
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
          const int row = 3 * i + r, col = 3 * j + c;
          if (row < n && col < n) block[3 * c + r] += A_(row, col);
          if (row == col && row >= n) block[3 * c + r] += 1 / theta_t;
        }
    }
    for (int r = 0; r < 3; ++r)
      if (3 * i + r < n) b[first_row_ + i][r] += b_[3 * i + r];
  }
}

RobotModel::Report RobotModel::report(const Vec3d* v_hat) const {
  const int n = n_dof();
  Eigen::VectorXd v(n);
  for (int i = 0; i < n; ++i) v[i] = v_hat[i / 3][i % 3];
  const Eigen::VectorXd effort =
      feed_ + pose_force_ - pose_gain_ * v + drive_force_ - drive_gain_.cwiseProduct(v);
  const Eigen::VectorXd limit = limit_force_ - limit_gain_.cwiseProduct(v);
  Report report;
  report.effort.assign(effort.data(), effort.data() + n);
  report.limit_force.assign(limit.data(), limit.data() + n);
  report.saturated = saturated_;
  for (int i = 0; i < n; ++i) {
    const double most = coordinates_[i].max_effort;
    const double excess = std::fabs(effort[i]) - most;
    if (excess > 0) {
      report.largest_excess =
          std::max(report.largest_excess,
                   most > 0 ? excess / most : std::numeric_limits<double>::infinity());
    }
  }
  return report;
}

void RobotModel::advance(const Vec3d* v_hat, TimeStep time, double* q, double* qd) const {
  const auto v = [&](int i) { return v_hat[i / 3][i % 3]; };
  std::vector<Vec3d> turned_to;
  for (const int k : rotations_) {
    const Quaternion before = quaternion_exp({q[k], q[k + 1], q[k + 2]});
    turned_to.push_back(rotation_log(turned(before, {v(k), v(k + 1), v(k + 2)}, time.step_s)));
  }
  for (int i = 0; i < n_dof(); ++i) {
    qd[i] = time.next_velocity(v(i), qd[i]);
    q[i] += time.step_s * v(i);
  }
  for (std::size_t r = 0; r < rotations_.size(); ++r)
    for (int axis = 0; axis < 3; ++axis) q[rotations_[r] + axis] = turned_to[r][axis];
}

}  // namespace nodia
