#include "host/simulation/force_sensors.hpp"

namespace nodia {

ForceSensors::ForceSensors(const Scene& scene, const BodySystem& system)
    : gravity_(scene.gravity_m_s2), theta_t_(scene.time.theta_t()) {
  bool any = false;
  for (std::size_t r = 0; r < scene.robots.size(); ++r) {
    std::vector<int>& links = links_.emplace_back();
    for (const ForceSensorDescription& sensor : scene.robots[r].force_sensors) {
      links.push_back(
          system.robots().model(static_cast<int>(r)).description().find_link(sensor.link));
      any = true;
    }
  }
  if (!any) links_.clear();
}

void ForceSensors::measure(const Step& step, const BodySystem& system,
                           std::vector<Wrench>* sensors) {
  if (empty()) return;
  loads_.clear();
  add_contacts(step);
  step.mounts.add_link_loads(step.v_hat, &loads_);
  step.attachments.add_link_loads(step.start, system, step.v_hat, &loads_);
  step.external_forces.add_link_loads(&loads_);
  for (int r = 0; r < static_cast<int>(links_.size()); ++r) {
    if (links_[r].empty()) continue;
    const RobotModel& robot = system.robots().model(r);
    const Vec3d base = robot.base().position;
    add_motion(step, system, r);
    for (const LinkLoad& load : loads_) {
      if (load.robot != r) continue;
      const Vec3d f = load.wrench.force_N;
      force_[load.link] = force_[load.link] +
                          SpatialForce{load.wrench.torque_Nm + cross(load.point_m - base, f), f};
    }
    const std::vector<RobotLink>& links = robot.description().links;
    for (std::size_t i = links.size() - 1; i > 0; --i)
      force_[links[i].parent] = force_[links[i].parent] + force_[i];
    for (const int link : links_[r]) {
      const SpatialForce& f = force_[link];
      const Vec3d origin = robot.link_poses()[link].position;
      sensors->push_back({f.force, f.moment - cross(origin - base, f.force)});
    }
  }
}

void ForceSensors::add_contacts(const Step& step) {
  for (std::size_t m = 0; m < step.lambda.size(); ++m) {
    const ContactSides& sides = step.contacts.sides[m];
    const Vec3d on_i = transpose_times(step.contacts.contacts[m].R, step.lambda[m]);
    if (sides.i.kind == ObjectKind::robot)
      loads_.push_back({sides.i.index, sides.i.link, sides.position, {on_i, {}}});
    if (sides.j.kind == ObjectKind::robot)
      loads_.push_back({sides.j.index, sides.j.link, sides.position_j, {-on_i, {}}});
  }
}

/// Sets the force of every link to I g - I a - v x* I v.
void ForceSensors::add_motion(const Step& step, const BodySystem& system, int robot) {
  const RobotModel& model = system.robots().model(robot);
  const std::int32_t row = system.robots().range(robot).first_row;
  std::vector<double> qd, qdd;
  for (int k = 0; k < model.n_dof(); ++k) {
    const double v = step.start.v[row + k / 3][k % 3];
    qd.push_back(v);
    qdd.push_back((step.v_hat[row + k / 3][k % 3] - v) / theta_t_);
  }
  own_.resize(model.n_link());
  model.link_forces(qd.data(), qdd.data(), gravity_, own_.data());
  force_.clear();
  for (const SpatialForce& f : own_) force_.push_back(-1.0 * f);
}

}  // namespace nodia
