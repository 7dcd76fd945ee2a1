#include "fem/frames/frame_model.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "fem/matrix/eigen_block.hpp"
#include "fem/matrix/symmetric_eigen.hpp"
#include "kernels/core/error.hpp"
#include "kernels/elements/rigid_body.hpp"

namespace nodia {

namespace {

double* block_at(double* value, std::int32_t k) {
  return value + 9 * static_cast<std::ptrdiff_t>(k);
}

void add_block(double* value, std::int32_t k, const Mat3d& m) {
  double* to = block_at(value, k);
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) to[3 * c + r] += m(r, c);
}

/// Adds m to block (i, j) and its transpose to block (j, i).
void add_pair(double* value, std::int32_t ij, std::int32_t ji, const Mat3d& m) {
  double* upper = block_at(value, ij);
  double* lower = block_at(value, ji);
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) {
      upper[3 * c + r] += m(r, c);
      lower[3 * c + r] += m(c, r);
    }
  }
}

void add_scalar(double* value, std::int32_t k, double s) {
  double* to = block_at(value, k);
  for (int d = 0; d < 3; ++d) to[4 * d] += s;
}

Eigen::Vector3d principal_moments(const Mat3d& inertia) {
  return symmetric_eigenvalues(Eigen::Matrix3d(to_eigen(inertia)));
}

/// Rotation in a step up to which joints of bodies follow the motion with theta = 1 [rad].
constexpr double kLargestRotation = 0.5;

/// Pose after a share of the motion from a to b, which rotates by less than half a turn.
FramePose between(const FramePose& a, const FramePose& b, double share) {
  if (!(share > 0)) return a;
  const Quaternion p = a.orientation;
  Quaternion q = b.orientation;
  if (p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0) q = {-q.w, -q.x, -q.y, -q.z};
  const double rest = 1 - share;
  return {rest * a.position + share * b.position,
          normalized({rest * p.w + share * q.w, rest * p.x + share * q.x, rest * p.y + share * q.y,
                      rest * p.z + share * q.z})};
}

const Vec3d* expected(const FrameModel::Step& step) {
  return step.expected != nullptr ? step.expected : step.velocity;
}

/// E = theta t (F . r + |F| |r|)/2 of a force F at the arm r of a frame: for F along r, theta t
/// times its largest geometric stiffness; zero for a push.
double pull_inertia(double theta_t, Vec3d F, Vec3d r) {
  return 0.5 * theta_t * (dot(F, r) + norm(F) * norm(r));
}

void require_drag(const char* key, double value) {
  require(value >= 0 && std::isfinite(value), key, value, "zero or positive", "0 switches it off");
}

}  // namespace

int FrameModel::add_rigid_body(double mass_kg, const Mat3d& inertia_body, const FrameDrag& drag) {
  assert(frame_blocks_.empty());
  require(mass_kg > 0 && std::isfinite(mass_kg), "mass_kg", mass_kg, "positive and finite",
          "mass of a rigid body");
  require_drag("drag_translation_N_s_m", drag.translation_N_s_m);
  require_drag("drag_rotation_Nms_rad", drag.rotation_Nms_rad);
  double largest = 0, asymmetry = 0;
  bool finite = true;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      finite = finite && std::isfinite(inertia_body(i, j));
      largest = std::max(largest, std::fabs(inertia_body(i, j)));
      asymmetry = std::max(asymmetry, std::fabs(inertia_body(i, j) - inertia_body(j, i)));
    }
  }
  require(finite && asymmetry <= 1e-9 * largest, "inertia_kg_m2", asymmetry,
          "a finite symmetric matrix", "largest difference across the diagonal");
  const Mat3d symmetric = 0.5 * (inertia_body + transpose(inertia_body));
  const double least = principal_moments(symmetric)[0];
  require(least > 1e-14 * largest, "inertia_kg_m2", least, "positive definite",
          "least principal moment of inertia");
  bodies_.push_back({mass_kg, symmetric, drag, false});
  return n_frame() - 1;
}

int FrameModel::add_rod(const std::vector<RodLink>& links, const RodSection& section,
                        const RodMaterial& material) {
  require(!links.empty(), "n_link", 0, "at least 1", "a rod is a chain of links");
  material.validate("rod");
  const auto require_section = [](const char* key, double value) {
    require(value > 0 && std::isfinite(value), key, value, "positive and finite",
            "see RodSection::circle");
  };
  require_section("area_m2", section.area_m2);
  require_section("second_moment_x_m4", section.second_moment_x_m4);
  require_section("second_moment_y_m4", section.second_moment_y_m4);
  require_section("torsion_constant_m4", section.torsion_constant_m4);
  const int first = n_frame();
  for (std::size_t k = 0; k < links.size(); ++k) {
    const double length = links[k].length_m;
    require(length > 0 && std::isfinite(length), "length_m", length, "positive and finite",
            "length of a link");
    add_rigid_body(link_mass(section, material, length), link_inertia(section, material, length),
                   {material.drag_translation_N_s_m, material.drag_rotation_Nms_rad});
    bodies_.back().is_link = true;
    if (k > 0) {
      add_joint(FrameRef::dynamic_frame(n_frame() - 2), FrameRef::dynamic_frame(n_frame() - 1),
                rod_joint(section, material, links[k - 1], links[k]));
    }
  }
  return first;
}

int FrameModel::add_prescribed(const PrescribedFrame& frame) {
  prescribed_.push_back(frame);
  return static_cast<int>(prescribed_.size()) - 1;
}

int FrameModel::add_joint(FrameRef i, FrameRef j, const FrameJoint& joint) {
  assert(frame_blocks_.empty());
  for (const FrameRef side : {i, j}) {
    const int n = side.prescribed ? static_cast<int>(prescribed_.size()) : n_frame();
    if (side.index < 0 || side.index >= n)
      throw std::invalid_argument("FrameModel: joint to a frame that does not exist");
  }
  if ((i.prescribed && j.prescribed) || (!i.prescribed && !j.prescribed && i.index == j.index))
    throw std::invalid_argument("FrameModel: a joint needs two frames, one of them dynamic");
  for (int a = 0; a < 3; ++a) {
    for (const double k : {joint.stiffness_N_m[a], joint.stiffness_Nm_rad[a]}) {
      require(k >= 0 && std::isfinite(k), "stiffness", k, "zero or positive",
              "0 leaves the axis free");
    }
  }
  require(joint.damping_s >= 0 && std::isfinite(joint.damping_s), "damping_s", joint.damping_s,
          "zero or positive", "0 switches it off");
  joints_.push_back({joint, i, j, true});
  return n_joint() - 1;
}

std::vector<double> FrameModel::mass_bound() const {
  std::vector<double> bound;
  bound.reserve(n_row());
  for (const Body& body : bodies_) {
    bound.push_back(body.mass);
    bound.push_back(principal_moments(body.inertia)[0]);
  }
  return bound;
}

std::vector<std::pair<std::int32_t, std::int32_t>> FrameModel::couplings(int first_row) const {
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  pairs.reserve(bodies_.size() + 4 * joints_.size());
  for (int f = 0; f < n_frame(); ++f) pairs.emplace_back(first_row + 2 * f, first_row + 2 * f + 1);
  for (const Joint& joint : joints_) {
    if (joint.i.prescribed || joint.j.prescribed) continue;
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b)
        pairs.emplace_back(first_row + 2 * joint.i.index + a, first_row + 2 * joint.j.index + b);
  }
  return pairs;
}

void FrameModel::bind(const BlockPattern& pattern, int first_row) {
  const auto find = [&](int row, int col) {
    const int k = pattern.find(first_row + row, first_row + col);
    if (k < 0) throw std::invalid_argument("FrameModel: the pattern lacks a coupling");
    return static_cast<std::int32_t>(k);
  };
  frame_blocks_.resize(bodies_.size());
  for (int f = 0; f < n_frame(); ++f)
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) frame_blocks_[f].block[a][b] = find(2 * f + a, 2 * f + b);
  joint_blocks_.resize(joints_.size());
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const FrameRef side[2] = {joints_[k].i, joints_[k].j};
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        const FrameRef &row = side[a / 2], &col = side[b / 2];
        joint_blocks_[k].block[a][b] = row.prescribed || col.prescribed
                                           ? -1
                                           : find(2 * row.index + a % 2, 2 * col.index + b % 2);
      }
    }
  }
}

FrameTwist FrameModel::twist(FrameRef ref, const Step& step) const {
  const auto f = static_cast<std::size_t>(ref.index);
  if (ref.prescribed) return {prescribed_[f].velocity, prescribed_[f].angular_velocity};
  const Vec3d* v = expected(step);
  return {v[2 * f], v[2 * f + 1]};
}

FramePose FrameModel::end_pose(FrameRef ref, const Step& step) const {
  const FramePose start = pose(ref, step.position, step.orientation);
  const FrameTwist twist = this->twist(ref, step);
  const double t = step.time.step_s;
  return {start.position + t * twist.linear, turned(start.orientation, twist.angular, t)};
}

bool FrameModel::is_link(FrameRef side) const {
  return !side.prescribed && bodies_[side.index].is_link;
}

bool FrameModel::follows(const Joint& joint, const Step& step) const {
  if (step.joint_directions == JointDirections::start) return false;
  if (step.time.theta < 1) return true;
  const double rotation = step.time.step_s * std::max(norm(twist(joint.i, step).angular),
                                                      norm(twist(joint.j, step).angular));
  return !is_link(joint.i) && !is_link(joint.j) && rotation <= kLargestRotation;
}

double FrameModel::rate_of_arm(FrameRef side, Vec3d point, const Step& step) const {
  const double length = norm(point);
  if (!(length > 0)) return 0;
  const Quaternion q = pose(side, step.position, step.orientation).orientation;
  return norm(cross(twist(side, step).angular, rotate(q, point))) / length;
}

double FrameModel::share_of_directions(const Joint& joint, const Step& step) const {
  if (!follows(joint, step)) return 0;
  if (step.time.theta < 1) return 1 - step.time.theta;
  // With J of the start, a chain of bodies gains energy, and the later J is taken, the more it
  // loses.
  const double rate = std::max(rate_of_arm(joint.i, joint.joint.point_i, step),
                               rate_of_arm(joint.j, joint.joint.point_j, step));
  return std::min(0.5, step.time.step_s * rate);
}

JointRows FrameModel::rows(const Joint& joint, const Step& step) const {
  const FramePose start_i = pose(joint.i, step.position, step.orientation),
                  start_j = pose(joint.j, step.position, step.orientation);
  if (!follows(joint, step)) return joint_rows(joint.joint, start_i, start_j);
  const FramePose end_i = end_pose(joint.i, step), end_j = end_pose(joint.j, step);
  const double t = step.time.step_s, theta = step.time.theta;
  const double share = share_of_directions(joint, step);
  JointRows rows =
      joint_rows(joint.joint, between(start_i, end_i, share), between(start_j, end_j, share));
  const FrameTwist i = twist(joint.i, step), j = twist(joint.j, step);
  const JointStrain start = theta < 1 ? joint_strain(joint.joint, start_i, start_j) : JointStrain{};
  const JointStrain end = joint_strain(joint.joint, end_i, end_j);
  const JointStrain rate = joint_rate(rows, i.linear, i.angular, j.linear, j.angular);
  rows.strain = {(1 - theta) * start.translation +
                     theta * (end.translation - t * rate.translation) -
                     joint.joint.rest_translation,
                 (1 - theta) * start.rotation + theta * (end.rotation - t * rate.rotation) -
                     joint.joint.rest_rotation};
  return rows;
}

bool FrameModel::is_expected(const Step& step, const Vec3d* v_hat) const {
  if (step.joint_directions == JointDirections::start) return true;
  // With theta = 1/2, an error of 1e-2 rad lets chains gain energy; theta = 1 has numerical
  // damping.
  const double largest_rad = step.time.theta < 1 ? 1e-3 : 1e-2;
  const Vec3d* v = expected(step);
  const auto agrees = [&](FrameRef side) {
    const std::size_t row = 2 * static_cast<std::size_t>(side.index) + 1;
    return side.prescribed || !(step.time.step_s * norm(v_hat[row] - v[row]) > largest_rad);
  };
  return std::all_of(joints_.begin(), joints_.end(), [&](const Joint& joint) {
    return !joint.active || !follows(joint, step) || (agrees(joint.i) && agrees(joint.j));
  });
}

void FrameModel::assemble(const Step& step, double* value, Vec3d* b) const {
  assert(frame_blocks_.size() == bodies_.size());
  const double t = step.time.step_s, theta_t = step.time.theta_t();
  const double rate = step.time.mass_rate(1);
  for (int f = 0; f < n_frame(); ++f) {
    const Body& body = bodies_[f];
    const Quaternion q = step.orientation[f];
    const Vec3d omega = step.velocity[2 * f + 1];
    const FrameBlocks& blocks = frame_blocks_[f];
    const Mat3d inertia = rate * world_inertia(rotation_matrix(q), body.inertia);
    add_scalar(value, blocks.block[0][0], rate * body.mass + body.drag.translation_N_s_m);
    add_block(value, blocks.block[1][1], inertia);
    add_scalar(value, blocks.block[1][1], body.drag.rotation_Nms_rad);
    b[2 * f] += body.mass * (rate * step.velocity[2 * f] + step.gravity);
    b[2 * f + 1] += inertia * free_angular_velocity(body.inertia, q, omega, t);
    if (step.external != nullptr) {
      b[2 * f] += step.external[2 * f];
      b[2 * f + 1] += step.external[2 * f + 1];
    }
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    if (!joints_[k].active) continue;
    const FrameJoint& joint = joints_[k].joint;
    const FrameRef i = joints_[k].i, j = joints_[k].j;
    const std::int32_t(&block)[4][4] = joint_blocks_[k].block;
    const JointRows rows = this->rows(joints_[k], step);
    const double per_velocity = theta_t + joint.damping_s;
    const JointStiffness K = joint_stiffness(joint, rows, per_velocity);
    JointStrain strain = rows.strain;
    if (i.prescribed || j.prescribed) {
      const PrescribedFrame& moved = prescribed_[i.prescribed ? i.index : j.index];
      const Vec3d v = moved.velocity, w = moved.angular_velocity;
      const JointStrain moving =
          i.prescribed ? joint_rate(rows, v, w, {}, {}) : joint_rate(rows, {}, {}, v, w);
      strain.translation += per_velocity * moving.translation;
      strain.rotation += per_velocity * moving.rotation;
    }
    const JointForces force = joint_forces(joint, rows, strain);
    if (!i.prescribed) {
      b[2 * i.index] += force.force_i;
      b[2 * i.index + 1] += force.torque_i;
      add_block(value, block[0][0], K.vi_vi);
      add_pair(value, block[0][1], block[1][0], K.vi_wi);
      add_block(value, block[1][1], K.wi_wi);
    }
    if (!j.prescribed) {
      b[2 * j.index] += force.force_j;
      b[2 * j.index + 1] += force.torque_j;
      add_block(value, block[2][2], K.vj_vj);
      add_pair(value, block[2][3], block[3][2], K.vj_wj);
      add_block(value, block[3][3], K.wj_wj);
    }
    if (step.geometric_stiffness) add_geometric_stiffness(k, rows, step, value, b);
    if (!i.prescribed && !j.prescribed) {
      add_pair(value, block[0][2], block[2][0], K.vi_vj);
      add_pair(value, block[0][3], block[3][0], K.vi_wj);
      add_pair(value, block[1][2], block[2][1], K.wi_vj);
      add_pair(value, block[1][3], block[3][1], K.wi_wj);
    }
  }
}

void FrameModel::add_geometric_stiffness(std::size_t k, const JointRows& rows, const Step& step,
                                         double* value, Vec3d* b) const {
  const Joint& joint = joints_[k];
  const std::int32_t(&block)[4][4] = joint_blocks_[k].block;
  const double theta_t = step.time.theta_t();
  JointStrain strain = rows.strain;
  // The forces of a solve again are those of the last solution. Twice their E keeps the solves of a
  // taut chain convergent, whose links E regards one by one.
  double factor = 1;
  if (step.expected != nullptr) {
    const FrameTwist i = twist(joint.i, step), j = twist(joint.j, step);
    const JointStrain rate = joint_rate(rows, i.linear, i.angular, j.linear, j.angular);
    strain.translation += theta_t * rate.translation;
    strain.rotation += theta_t * rate.rotation;
    factor = 2;
  }
  const JointForces force = joint_forces(joint.joint, rows, strain);
  const Vec3d* v = expected(step);
  double sum = 0;
  const auto add = [&](FrameRef side, Vec3d F, Vec3d point, std::int32_t own) {
    if (side.prescribed) return;
    const double E = factor * pull_inertia(theta_t, F, rotate(step.orientation[side.index], point));
    add_scalar(value, own, E);
    b[2 * side.index + 1] += E * v[2 * side.index + 1];
    sum += E;
  };
  add(joint.i, force.force_i, joint.joint.point_i, block[1][1]);
  add(joint.j, force.force_j, joint.joint.point_j, block[3][3]);
  if (!is_link(joint.i) || !is_link(joint.j)) return;
  // Damps vibrations of chains that do not resist bending, and brakes a cord that slides round a
  // bar by less than 0.2 % of its pull.
  constexpr double kShare = 0.02;  // of E
  add_scalar(value, block[1][1], kShare * sum);
  add_scalar(value, block[3][3], kShare * sum);
  add_pair(value, block[1][3], block[3][1], -kShare * sum * Mat3d::identity());
}

void FrameModel::advance(const Step& step, const Vec3d* v_hat, Vec3d* position,
                         Quaternion* orientation, Vec3d* velocity) const {
  const double t = step.time.step_s;
  for (int f = 0; f < n_frame(); ++f) {
    const Mat3d& inertia = bodies_[f].inertia;
    const Quaternion q = step.orientation[f];
    const Vec3d v = step.velocity[2 * f], omega = step.velocity[2 * f + 1];
    const Vec3d omega_hat = v_hat[2 * f + 1];
    const Vec3d omega_free = free_angular_velocity(inertia, q, omega, t);
    const Quaternion q_next = turned(q, omega_hat, t);
    position[f] = step.position[f] + t * v_hat[2 * f];
    orientation[f] = q_next;
    velocity[2 * f] = step.time.next_velocity(v_hat[2 * f], v);
    velocity[2 * f + 1] =
        next_angular_velocity(inertia, q, q_next, omega, omega_free, omega_hat, step.time.theta);
  }
}

double FrameModel::kinetic_energy(const Quaternion* orientation, const Vec3d* velocity) const {
  double energy = 0;
  for (int f = 0; f < n_frame(); ++f) {
    const Vec3d W = inverse_rotate(orientation[f], velocity[2 * f + 1]);
    energy +=
        0.5 * (bodies_[f].mass * squared_norm(velocity[2 * f]) + dot(W, bodies_[f].inertia * W));
  }
  return energy;
}

double FrameModel::elastic_energy(const Vec3d* position, const Quaternion* orientation) const {
  double energy = 0;
  for (const Joint& joint : joints_) {
    if (!joint.active) continue;
    energy += joint_energy(joint.joint, pose(joint.i, position, orientation),
                           pose(joint.j, position, orientation));
  }
  return energy;
}

JointLoad FrameModel::joint_load(int k, const Step& step, const Vec3d* v_hat) const {
  const Joint& joint = joints_[k];
  const FramePose pose_j = between(pose(joint.j, step.position, step.orientation),
                                   end_pose(joint.j, step), share_of_directions(joint, step));
  const JointRows rows = this->rows(joint, step);
  JointStrain strain = rows.strain;
  if (v_hat != nullptr) {
    Vec3d v[2], w[2];
    const FrameRef side[2] = {joint.i, joint.j};
    for (int s = 0; s < 2; ++s) {
      const int f = side[s].index;
      v[s] = side[s].prescribed ? prescribed_[f].velocity : v_hat[2 * f];
      w[s] = side[s].prescribed ? prescribed_[f].angular_velocity : v_hat[2 * f + 1];
    }
    const JointStrain rate = joint_rate(rows, v[0], w[0], v[1], w[1]);
    const double per_velocity = step.time.theta_t() + joint.joint.damping_s;
    strain.translation += per_velocity * rate.translation;
    strain.rotation += per_velocity * rate.rotation;
  }
  const JointForces f = joint_forces(joint.joint, rows, strain);
  const Vec3d arm = rotate(pose_j.orientation, joint.joint.point_j);
  return {pose_j.position + arm, f.force_j, f.torque_j - cross(arm, f.force_j)};
}

}  // namespace nodia
