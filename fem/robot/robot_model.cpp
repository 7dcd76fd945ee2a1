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

}  // namespace

RobotModel::RobotModel(RobotDescription description, const Pose& base)
    : description_(std::move(description)), base_(base), asked_(0), applied_(0) {
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
  for (Eigen::MatrixXd* m : {&M_, &A_, &sum_}) m->setZero(n, n);
  for (Eigen::VectorXd* v : {&b_, &sum_b_, &q_, &predicted_}) v->setZero(n);
  asked_ = applied_ = Actuation(n);
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

std::vector<Mat3d> RobotModel::columns(const std::vector<Vec3d>& column) const {
  std::vector<Mat3d> J(n_row());
  for (int r = 0; r < n_row(); ++r)
    J[r] = Mat3d::from_columns(column[3 * r], column[3 * r + 1], column[3 * r + 2]);
  return J;
}

std::vector<Mat3d> RobotModel::point_jacobian(int link, Vec3d point) const {
  nodia::point_jacobian(tree(), axis_.data(), link_body_[link], point, column_.data());
  return columns(column_);
}

std::vector<Mat3d> RobotModel::angular_jacobian(int link) const {
  nodia::angular_jacobian(tree(), axis_.data(), link_body_[link], angular_column_.data());
  return columns(angular_column_);
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
  q_ = Eigen::Map<const Eigen::VectorXd>(in.q, n);
  time_ = in.time;
  set_asked(in);
  set_applied(in.expected_force);
  const int rows = n_row();
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      double* block = value + 9 * static_cast<std::size_t>(block_[i * rows + j]);
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
          const int row = 3 * i + r, col = 3 * j + c;
          if (row < n && col < n) block[3 * c + r] += sum_(row, col);
          if (row == col && row >= n) block[3 * c + r] += 1 / theta_t;
        }
    }
    for (int r = 0; r < 3; ++r)
      if (3 * i + r < n) b[first_row_ + i][r] += sum_b_[3 * i + r];
  }
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
