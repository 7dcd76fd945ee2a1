#include "host/simulation/body_system.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/assembly/assemble_row.hpp"
#include "kernels/elements/rigid_body.hpp"

namespace nodia {
namespace {

/// Value and rate of a minimum-jerk path of numbers.
std::pair<double, double> target_at(const std::vector<JointDriveDescription::Key>& keys, double t) {
  const auto next = std::upper_bound(
      keys.begin(), keys.end(), t, [](double time, const auto& key) { return time < key.time_s; });
  if (next == keys.begin()) return {keys.front().target, 0};
  if (next == keys.end()) return {keys.back().target, 0};
  const auto& a = *std::prev(next);
  const double length = next->time_s - a.time_s, r = (t - a.time_s) / length;
  const double way = next->target - a.target;
  return {a.target + way * r * r * r * (10 + r * (6 * r - 15)),
          way / length * 30 * r * r * (1 - r) * (1 - r)};
}

std::vector<double> coordinates(const RobotModel& robot, const std::vector<Vec3d>& v,
                                std::int32_t first_row) {
  std::vector<double> qd(static_cast<std::size_t>(robot.n_dof()));
  for (int i = 0; i < robot.n_dof(); ++i)
    qd[static_cast<std::size_t>(i)] = v[static_cast<std::size_t>(first_row + i / 3)][i % 3];
  return qd;
}

}  // namespace

BodySystem::BodySystem(const Scene& scene) : scene_(scene) {
  for (const SoftBodyDescription& body : scene.soft_bodies) {
    soft_.add_body(body.mesh, body.material);
    layout_.soft_node.push_back(soft_.n_node());
  }
  for (const RigidBodyDescription& body : scene.rigid_bodies)
    frames_.add_rigid_body(body.mass_kg, body.inertia_kg_m2);
  layout_.cable_frame.front() = frames_.n_frame();
  for (const CableDescription& cable : scene.cables) {
    links_.push_back(polyline_rod(cable.points_m, {}, cable.links));
    frames_.add_rod(links_.back(), RodSection::circle(cable.radius_m), cable.material);
    layout_.cable_frame.push_back(frames_.n_frame());
  }
  layout_.first_frame_row = soft_.n_node();
  layout_.robot_row.front() = layout_.frame_row(frames_.n_frame());
  robots_.reserve(scene.robots.size());  // a factor that was never made must not move
  for (const RobotSceneDescription& robot : scene.robots) {
    robots_.emplace_back(robot.robot, robot.base);
    RobotModel& model = robots_.back();
    std::vector<double> q = robot.q;
    if (q.empty())
      for (const RobotCoordinate& c : model.coordinates())
        q.push_back(std::clamp(0.0, c.lower, std::max(c.lower, c.upper)));
    model.update_kinematics(q.data());
    start_link_.push_back(model.link_poses());
    start_q_.push_back(std::move(q));
    layout_.robot_q.push_back(layout_.robot_q.back() + model.n_dof());
    layout_.robot_row.push_back(layout_.robot_row.back() + model.n_row());
  }
}

std::vector<Body> BodySystem::bodies() const {
  std::vector<Body> bodies;
  const auto add = [&](BodyKind kind, std::int32_t first, std::int32_t end) {
    if (end > first) bodies.push_back({kind, first, end - first});
  };
  for (std::size_t k = 0; k + 1 < layout_.soft_node.size(); ++k)
    add(BodyKind::soft, layout_.soft_node[k], layout_.soft_node[k + 1]);
  for (std::int32_t f = 0; f < layout_.cable_frame.front(); ++f)
    add(BodyKind::rigid, layout_.frame_row(f), layout_.frame_row(f + 1));
  for (std::size_t k = 0; k + 1 < layout_.cable_frame.size(); ++k)
    add(BodyKind::chain, layout_.frame_row(layout_.cable_frame[k]),
        layout_.frame_row(layout_.cable_frame[k + 1]));
  for (std::size_t k = 0; k + 1 < layout_.robot_row.size(); ++k)
    add(BodyKind::robot, layout_.robot_row[k], layout_.robot_row[k + 1]);
  return bodies;
}

std::vector<Vec3d> BodySystem::rest() const {
  std::vector<Vec3d> rest;
  rest.reserve(static_cast<std::size_t>(layout_.n_row()));
  for (const SoftBodyDescription& body : scene_.soft_bodies)
    for (const Vec3d& node : body.mesh.nodes) rest.push_back(body.pose.rotation * node);
  rest.resize(static_cast<std::size_t>(layout_.frame_row(layout_.cable_frame.front())));
  for (const std::vector<RodLink>& cable : links_)
    for (const RodLink& link : cable)
      rest.insert(rest.end(), kLinkRows, link.pose.position - cable.front().pose.position);
  rest.resize(static_cast<std::size_t>(layout_.n_row()));
  return rest;
}

void BodySystem::finish(const std::vector<std::pair<std::int32_t, std::int32_t>>& extra,
                        TopologyPool* pool) {
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings = soft_.couplings();
  const auto add = [&](const std::vector<std::pair<std::int32_t, std::int32_t>>& more) {
    couplings.insert(couplings.end(), more.begin(), more.end());
  };
  add(frames_.couplings(layout_.first_frame_row));
  for (std::size_t r = 0; r < robots_.size(); ++r) add(robots_[r].couplings(layout_.robot_row[r]));
  add(extra);
  topology_ = pool->shared({std::move(couplings), bodies(), rest()});
  pattern_ = pattern_of(topology_);
  soft_.finish(pattern_);
  frames_.bind(*pattern_, layout_.first_frame_row);
  for (std::size_t r = 0; r < robots_.size(); ++r) robots_[r].bind(pattern_, layout_.robot_row[r]);

  mass_ = soft_.mass();
  const std::vector<double> frame_mass = frames_.mass_bound();
  mass_.insert(mass_.end(), frame_mass.begin(), frame_mass.end());
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    robots_[r].update_kinematics(start_q_[r].data());
    const std::vector<double> bound = robots_[r].mass_lower_bound();
    mass_.insert(mass_.end(), bound.begin(), bound.end());
  }
}

State BodySystem::initial_state() const {
  State state;
  for (const SoftBodyDescription& body : scene_.soft_bodies) {
    for (const Vec3d& p : body.mesh.nodes) {
      state.x.push_back(body.pose.to_world(p));
      state.v.push_back(body.velocity);
    }
  }
  for (const RigidBodyDescription& body : scene_.rigid_bodies) {
    state.frames.push_back(frame_pose(body.pose));
    state.v.push_back(body.velocity_m_s);
    state.v.push_back(body.angular_velocity_rad_s);
  }
  for (const std::vector<RodLink>& cable : links_)
    for (const RodLink& link : cable) state.frames.push_back(link.pose);
  for (const std::vector<double>& q : start_q_) state.q.insert(state.q.end(), q.begin(), q.end());
  state.v.resize(static_cast<std::size_t>(layout_.n_row()));
  return state;
}

FrameModel::Step BodySystem::frame_step(const State& state) const {
  position_.resize(state.frames.size());
  orientation_.resize(state.frames.size());
  external_.assign(2 * state.frames.size(), Vec3d{});
  for (std::size_t f = 0; f < state.frames.size(); ++f) {
    position_[f] = state.frames[f].position;
    orientation_[f] = state.frames[f].orientation;
  }
  for (std::size_t b = 0; b < scene_.rigid_bodies.size(); ++b)
    external_[2 * b] = scene_.rigid_bodies[b].force_N;
  FrameModel::Step step;
  step.position = position_.data();
  step.orientation = orientation_.data();
  step.velocity = state.v.data() + layout_.first_frame_row;
  step.time = scene_.time;
  step.gravity = scene_.gravity_m_s2;
  step.external = external_.data();
  step.geometric_stiffness = scene_.time.geometric_stiffness;
  return step;
}

RobotControl BodySystem::control_of(int r, double time_s) const {
  const RobotSceneDescription& robot = scene_.robots[static_cast<std::size_t>(r)];
  const RobotModel& model = robots_[static_cast<std::size_t>(r)];
  const std::vector<double>& start = start_q_[static_cast<std::size_t>(r)];
  RobotControl control;
  control.gravity_compensation = robot.gravity_compensation;
  if (!robot.joint_drives.empty()) control.joint.resize(static_cast<std::size_t>(model.n_dof()));
  for (const JointDriveDescription& drive : robot.joint_drives) {
    const int c = model.find_coordinate(drive.joint);
    if (c < 0) continue;
    const auto [target, rate] = drive.path.empty()
                                    ? std::pair(start[static_cast<std::size_t>(c)], 0.0)
                                    : target_at(drive.path, time_s);
    control.joint[static_cast<std::size_t>(c)] = {drive.stiffness, drive.damping, target, rate};
  }
  constexpr double kDifference = 1e-5;  // of time, for the target's velocity [s]
  for (const PoseDriveDescription& drive : robot.pose_drives) {
    PoseDrive d;
    d.link = model.description().find_link(drive.link);
    d.frame = drive.frame;
    if (drive.path.keys.empty()) {
      d.target = start_link_[static_cast<std::size_t>(r)][static_cast<std::size_t>(d.link)];
      d.target = {d.target.to_world(drive.frame.position),
                  d.target.rotation * drive.frame.rotation};
    } else {
      d.target = drive.path.at(time_s);
      const Pose before = drive.path.at(time_s - kDifference),
                 after = drive.path.at(time_s + kDifference);
      d.linear_velocity = (0.5 / kDifference) * (after.position - before.position);
      d.angular_velocity =
          (0.5 / kDifference) * rotation_log(after.rotation * transpose(before.rotation));
    }
    const auto all = [](double a) { return Vec3d{a, a, a}; };
    d.stiffness = all(drive.stiffness_N_m);
    d.damping = all(drive.damping_N_s_m);
    d.angular_stiffness = all(drive.stiffness_Nm_rad);
    d.angular_damping = all(drive.damping_Nms_rad);
    control.pose.push_back(d);
  }
  return control;
}

void BodySystem::update_kinematics(const State& state) {
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    robots_[r].update_kinematics(state.q.data() + layout_.robot_q[r]);
    if (mass_.empty()) continue;
    const std::vector<double> bound = robots_[r].mass_lower_bound();
    std::copy(bound.begin(), bound.end(), mass_.begin() + layout_.robot_row[r]);
  }
}

void BodySystem::assemble(const State& state, const std::vector<double>& soft_diagonal,
                          const std::vector<Vec3d>& soft_force, int n_thread, double* value,
                          Vec3d* b) {
  const TimeStep& time = scene_.time;
  const int n_node = soft_.n_node(), n_row = layout_.n_row();
  const std::ptrdiff_t first_block = pattern_->row_begin[n_node];
  std::fill(value + 9 * first_block, value + 9 * std::ptrdiff_t{pattern_->n_block()}, 0.0);
  std::fill(b + n_node, b + n_row, Vec3d{});
  if (n_node > 0) {
    soft_.assemble({state.x.data(), time, soft_diagonal.data(), n_thread}, value, b);
    for (int i = 0; i < n_node; ++i)
      b[i] = right_hand_side(time, soft_.mass()[i], b[i], soft_force[i], scene_.gravity_m_s2,
                             state.v[i]);
  }
  if (frames_.n_frame() > 0)
    frames_.assemble(frame_step(state), value, b + layout_.first_frame_row);
  for (int r = 0; r < n_robot(); ++r) {
    const RobotControl control = control_of(r, state.time_s + time.theta_t());
    const std::vector<double> qd = coordinates(robots_[r], state.v, layout_.robot_row[r]);
    RobotModel::AssemblyInput in;
    in.q = state.q.data() + layout_.robot_q[r];
    in.qd = qd.data();
    in.time = time;
    in.gravity = scene_.gravity_m_s2;
    in.control = &control;
    robots_[r].assemble(in, value, b);
  }
}

void BodySystem::positions(const State& state, Vec3d* position) const {
  std::copy(state.x.begin(), state.x.end(), position);
  Vec3d* of_frame = position + layout_.first_frame_row;
  for (const FramePose& frame : state.frames)
    of_frame = std::fill_n(of_frame, kLinkRows, frame.position);
}

bool BodySystem::advance(const Vec3d* v_hat, State* state) {
  const TimeStep& time = scene_.time;
  const auto next_v = [&](int i) { return time.next_velocity(v_hat[i], state->v[i]); };
  const auto next_x = [&](int i) { return state->x[i] + time.step_s * v_hat[i]; };
  for (int i = 0; i < soft_.n_node(); ++i)
    if (!is_finite(next_v(i)) || !is_finite(next_x(i))) return false;

  // Frames and robots are few: their next state is made beside the old one.
  const std::int32_t first = layout_.first_frame_row;
  std::vector<Vec3d> v(state->v.begin() + first, state->v.end());
  std::vector<FramePose> frames = state->frames;
  std::vector<double> q = state->q;
  if (frames_.n_frame() > 0) {
    const FrameModel::Step step = frame_step(*state);
    std::vector<Vec3d> position = position_;
    std::vector<Quaternion> orientation = orientation_;
    frames_.advance(step, v_hat + first, position.data(), orientation.data(), v.data());
    for (std::size_t f = 0; f < frames.size(); ++f) frames[f] = {position[f], orientation[f]};
  }
  for (int r = 0; r < n_robot(); ++r) {
    const std::int32_t row = layout_.robot_row[r];
    std::vector<double> qd = coordinates(robots_[r], state->v, row);
    robots_[r].advance(v_hat + row, time, q.data() + layout_.robot_q[r], qd.data());
    for (std::size_t i = 0; i < qd.size(); ++i)
      v[static_cast<std::size_t>(row - first) + i / 3][static_cast<int>(i % 3)] = qd[i];
  }
  const bool finite = std::all_of(v.begin(), v.end(), [](Vec3d a) { return is_finite(a); }) &&
                      std::all_of(q.begin(), q.end(), [](double a) { return std::isfinite(a); }) &&
                      std::all_of(frames.begin(), frames.end(), [](const FramePose& f) {
                        const Quaternion o = f.orientation;
                        return is_finite(f.position) && std::isfinite(o.w + o.x + o.y + o.z);
                      });
  if (!finite) return false;
  for (int i = 0; i < soft_.n_node(); ++i) {
    state->v[i] = next_v(i);
    state->x[i] = next_x(i);
  }
  std::copy(v.begin(), v.end(), state->v.begin() + first);
  state->frames = std::move(frames);
  state->q = std::move(q);
  return true;
}

double BodySystem::kinetic_energy(const State& state) const {
  double energy = 0;
  for (int i = 0; i < soft_.n_node(); ++i)
    energy += 0.5 * soft_.mass()[i] * squared_norm(state.v[i]);
  if (frames_.n_frame() > 0) {
    const FrameModel::Step step = frame_step(state);
    energy += frames_.kinetic_energy(step.orientation, step.velocity);
  }
  for (int r = 0; r < n_robot(); ++r)
    energy +=
        robots_[r].kinetic_energy(coordinates(robots_[r], state.v, layout_.robot_row[r]).data());
  return energy;
}

double BodySystem::potential_energy(const State& state) {
  double energy = soft_.n_node() > 0 ? soft_.elastic_energy(state.x.data()) : 0;
  for (int i = 0; i < soft_.n_node(); ++i)
    energy -= soft_.mass()[i] * dot(scene_.gravity_m_s2, state.x[i]);
  if (frames_.n_frame() > 0) {
    const FrameModel::Step step = frame_step(state);
    energy += frames_.elastic_energy(step.position, step.orientation);
    for (int f = 0; f < frames_.n_frame(); ++f)
      energy -= frames_.mass_kg(f) * dot(scene_.gravity_m_s2, state.frames[f].position);
  }
  update_kinematics(state);
  for (int r = 0; r < n_robot(); ++r) energy += robots_[r].potential_energy(scene_.gravity_m_s2);
  return energy;
}

void BodySystem::add_frame_point(const State& state, int frame, Vec3d point,
                                 ContactPoints* points) const {
  const std::int32_t row = layout_.frame_row(frame);
  points->add(row, Mat3d::identity());
  points->add(row + 1, -1.0 * skew(point - state.frames[static_cast<std::size_t>(frame)].position));
}

void BodySystem::add_link_point(int robot, int link, Vec3d point, ContactPoints* points) const {
  const std::vector<Mat3d> J = robots_[static_cast<std::size_t>(robot)].point_jacobian(link, point);
  for (std::size_t r = 0; r < J.size(); ++r)
    points->add(layout_.robot_row[static_cast<std::size_t>(robot)] + static_cast<std::int32_t>(r),
                J[r]);
}

void BodySystem::link_jacobians(int robot, int link, Vec3d point, std::vector<Mat3d>* linear,
                                std::vector<Mat3d>* angular) const {
  *linear = robots_[static_cast<std::size_t>(robot)].point_jacobian(link, point);
  *angular = robots_[static_cast<std::size_t>(robot)].angular_jacobian(link);
}

}  // namespace nodia
