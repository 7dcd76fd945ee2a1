#include "host/simulation/bodies/robots.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/simulation/bodies/clear_rows.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

std::vector<double> coordinates(const RobotModel& robot, const std::vector<Vec3d>& v,
                                std::int32_t first_row) {
  std::vector<double> qd(static_cast<std::size_t>(robot.n_dof()));
  for (int i = 0; i < robot.n_dof(); ++i)
    qd[static_cast<std::size_t>(i)] = v[static_cast<std::size_t>(first_row + i / 3)][i % 3];
  return qd;
}

/// Distance grid of a link's mesh; null for an analytic shape.
std::shared_ptr<const DistanceGrid> grid_of(const LinkCollision& collision,
                                            const RobotSceneDescription& robot) {
  if (collision.shape.kind != ShapeKind::distance_grid) return nullptr;
  for (const std::shared_ptr<const DistanceGrid>& grid : robot.grids)
    if (grid->view().value == collision.shape.grid.value) return grid;
  throw InputError("robot '" + robot.name + "': collision mesh " + collision.mesh_path +
                   " (must be a distance grid of the robot's grids)");
}

}  // namespace

Robots::Robots(const Scene& scene, BodyLayout* layout)
    : scene_(scene), layout_(*layout), first_body_(layout->size()) {
  models_.reserve(scene.robots.size());  // an empty factor must not be moved
  for (const RobotSceneDescription& robot : scene.robots) {
    models_.emplace_back(robot.robot, robot.base);
    RobotModel& model = models_.back();
    DrivePlaces& drives = drives_.emplace_back();
    for (const JointDriveDescription& drive : robot.joint_drives)
      drives.coordinate.push_back(model.find_coordinate(drive.joint));
    for (const PoseDriveDescription& drive : robot.pose_drives)
      drives.link.push_back(model.description().find_link(drive.link));
    std::vector<double> q = start_coordinates(robot, model);
    model.update_kinematics(q.data());
    start_link_.push_back(model.link_poses());
    start_q_.push_back(std::move(q));
    layout->add(BodyKind::robot, model.n_dof());
    for (std::size_t l = 0; l < robot.robot.links.size(); ++l)
      link_of_frame_.emplace_back(size() - 1, static_cast<std::int32_t>(l));
  }
}

void Robots::link_jacobians(int robot, int link, Vec3d point, std::vector<Mat3d>* linear,
                            std::vector<Mat3d>* angular) const {
  *linear = model(robot).point_jacobian(link, point);
  *angular = model(robot).angular_jacobian(link);
}

void Robots::add_couplings(Couplings* couplings) const {
  for (int r = 0; r < size(); ++r) {
    const Couplings own = model(r).couplings(range(r).first_row);
    couplings->insert(couplings->end(), own.begin(), own.end());
  }
}

void Robots::add_rest(std::vector<Vec3d>* rest) const {
  rest->resize(static_cast<std::size_t>(layout_.n_row()));
}

void Robots::bind(const std::shared_ptr<const BlockPattern>& pattern) {
  pattern_ = pattern;
  for (int r = 0; r < size(); ++r) models_[r].bind(pattern, range(r).first_row);
}

void Robots::add_mass(std::vector<double>* mass) {
  for (std::size_t r = 0; r < models_.size(); ++r) {
    models_[r].update_kinematics(start_q_[r].data());
    const std::vector<double> bound = models_[r].mass_lower_bound();
    mass->insert(mass->end(), bound.begin(), bound.end());
  }
}

void Robots::add_initial(State* state) const {
  for (const std::vector<double>& q : start_q_) state->q.insert(state->q.end(), q.begin(), q.end());
  state->v.resize(static_cast<std::size_t>(layout_.n_row()));
}

RobotControl Robots::control_of(int r, const Targets::Robot& targets, double time_s) const {
  const RobotSceneDescription& robot = scene_.robots[static_cast<std::size_t>(r)];
  const DrivePlaces& drives = drives_[static_cast<std::size_t>(r)];
  RobotControl control;
  control.gravity_compensation = robot.gravity_compensation;
  if (!robot.joint_drives.empty()) control.joint.resize(static_cast<std::size_t>(model(r).n_dof()));
  for (std::size_t k = 0; k < robot.joint_drives.size(); ++k) {
    const JointDriveDescription& drive = robot.joint_drives[k];
    const int c = drives.coordinate[k];
    if (c < 0) continue;
    const JointTarget& target = targets.joints[k];
    control.joint[static_cast<std::size_t>(c)] = {drive.stiffness, drive.damping, target.at(time_s),
                                                  target.rate(time_s)};
  }
  for (std::size_t k = 0; k < robot.pose_drives.size(); ++k) {
    const PoseDriveDescription& drive = robot.pose_drives[k];
    PoseDrive d;
    d.link = drives.link[k];
    d.frame = drive.frame;
    d.target = targets.poses[k].at(time_s);
    const FrameTwist rate = targets.poses[k].rate(time_s);
    d.linear_velocity = rate.linear;
    d.angular_velocity = rate.angular;
    const auto all = [](double a) { return Vec3d{a, a, a}; };
    d.stiffness = all(drive.stiffness_N_m);
    d.damping = all(drive.damping_N_s_m);
    d.angular_stiffness = all(drive.stiffness_Nm_rad);
    d.angular_damping = all(drive.damping_Nms_rad);
    control.pose.push_back(d);
  }
  return control;
}

void Robots::update_kinematics(const State& state, std::vector<double>* mass) {
  for (int r = 0; r < size(); ++r) {
    models_[r].update_kinematics(state.q.data() + range(r).first);
    if (mass->empty()) continue;
    const std::vector<double> bound = models_[r].mass_lower_bound();
    std::copy(bound.begin(), bound.end(), mass->begin() + range(r).first_row);
  }
}

void Robots::assemble(const AssemblyInput& in, double* value, Vec3d* b) {
  const TimeStep& time = scene_.time;
  clear_rows(*pattern_, layout_.first_robot_row(), layout_.n_row(), value, b);
  for (int r = 0; r < size(); ++r) {
    const RobotControl control = control_of(r, in.targets.robots[static_cast<std::size_t>(r)],
                                            in.state.time_s + time.theta_t());
    const std::vector<double> qd = coordinates(models_[r], in.state.v, range(r).first_row);
    RobotModel::AssemblyInput own;
    own.q = in.state.q.data() + range(r).first;
    own.qd = qd.data();
    own.time = time;
    own.gravity = scene_.gravity_m_s2;
    own.control = &control;
    std::vector<double> generalized_force;
    if (in.external_force)
      generalized_force = coordinates(models_[r], *in.external_force, range(r).first_row);
    if (in.external_force) own.external_force = generalized_force.data();
    if (in.robot_force && !in.robot_force->empty())
      own.expected_force = in.robot_force->data() + range(r).first;
    models_[r].assemble(own, value, b);
  }
}

bool Robots::limits_hold(const Vec3d* v_hat, std::vector<double>* external_force) {
  bool hold = true;
  external_force->clear();
  for (int r = 0; r < size(); ++r) {
    external_force->resize(external_force->size() + static_cast<std::size_t>(range(r).n));
    hold = models_[r].limits_hold(v_hat + range(r).first_row,
                                  external_force->data() + range(r).first) &&
           hold;
  }
  return hold;
}

bool Robots::advance(const Vec3d* v_hat, const State& state, int, State* next) const {
  bool finite = true;
  for (int r = 0; r < size(); ++r) {
    const std::int32_t row = range(r).first_row;
    std::vector<double> qd = coordinates(models_[r], state.v, row);
    models_[r].advance(v_hat + row, scene_.time, next->q.data() + range(r).first, qd.data());
    for (std::size_t i = 0; i < qd.size(); ++i) {
      next->v[static_cast<std::size_t>(row) + i / 3][static_cast<int>(i % 3)] = qd[i];
      finite = finite && std::isfinite(qd[i]);
    }
  }
  return finite &&
         std::all_of(next->q.begin(), next->q.end(), [](double a) { return std::isfinite(a); });
}

void Robots::add_surfaces(std::int32_t first_frame, SurfaceList* surfaces) const {
  for (std::int32_t f = 0; f < n_frame(); ++f) {
    const auto [r, l] = link_of_frame_[static_cast<std::size_t>(f)];
    const RobotSceneDescription& robot = scene_.robots[static_cast<std::size_t>(r)];
    const RobotLink& link = robot.robot.links[static_cast<std::size_t>(l)];
    if (!robot.collides) continue;
    for (const LinkCollision& collision : link.collisions) {
      if (!collision.mesh_path.empty() && collision.shape.kind != ShapeKind::distance_grid)
        throw InputError("robot '" + robot.name + "': link '" + link.name + "': collision mesh " +
                         collision.mesh_path +
                         " (must have been made a distance grid; or replace it by shapes)");
      ShapeSurface shape;
      shape.shape = collision.shape;
      shape.frame = first_frame + f;
      shape.is_fixed = !model(r).moves(l);
      shape.in_frame = collision.pose;
      set_mesh_trees(grid_of(collision, robot), &shape);
      surfaces->add_shape({{ObjectKind::robot, r, l}, surface_material(robot)}, shape);
    }
  }
}

void Robots::poses(const State&, Pose* pose) const {
  for (const RobotModel& model : models_)
    pose = std::copy(model.link_poses().begin(), model.link_poses().end(), pose);
}

void Robots::twists(const Pose* pose, const std::vector<Vec3d>& v, FrameTwist* twist) const {
  std::vector<Mat3d> linear, angular;
  for (std::int32_t f = 0; f < n_frame(); ++f) {
    const auto [robot, link] = link_of_frame_[static_cast<std::size_t>(f)];
    link_jacobians(robot, link, pose[f].position, &linear, &angular);
    const auto first = static_cast<std::size_t>(range(robot).first_row);
    twist[f] = {};
    for (std::size_t r = 0; r < linear.size(); ++r) {
      twist[f].linear += linear[r] * v[first + r];
      twist[f].angular += angular[r] * v[first + r];
    }
  }
}

void Robots::add_point(const State&, std::int32_t frame, Vec3d point, ContactPoints* points) const {
  const auto [robot, link] = link_of_frame_[static_cast<std::size_t>(frame)];
  const std::vector<Mat3d> J = model(robot).point_jacobian(link, point);
  for (std::size_t r = 0; r < J.size(); ++r)
    points->add(range(robot).first_row + static_cast<std::int32_t>(r), J[r]);
}

double Robots::kinetic_energy(const State& state, int) const {
  double energy = 0;
  for (int r = 0; r < size(); ++r)
    energy +=
        models_[r].kinetic_energy(coordinates(models_[r], state.v, range(r).first_row).data());
  return energy;
}

double Robots::potential_energy(const State& state, int) {
  double energy = 0;
  for (int r = 0; r < size(); ++r) {
    models_[r].update_kinematics(state.q.data() + range(r).first);
    energy += models_[r].potential_energy(scene_.gravity_m_s2);
  }
  return energy;
}

}  // namespace nodia
