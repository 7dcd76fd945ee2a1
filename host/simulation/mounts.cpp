#include "host/simulation/mounts.hpp"

#include <algorithm>
#include <utility>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Point of a body at which a mount holds it.
struct BodySide {
  std::int32_t frame = 0;
  Vec3d point{};  ///< in the frame's axes
};

BodySide body_side(const Scene& scene, const BodySystem& system, const MountDescription& mount) {
  const std::int32_t body = system.objects().find(mount.body);
  const BodyRange& range = system.layout()[body];
  if (range.kind == BodyKind::rigid) return {range.first, mount.point_m};
  const std::vector<RodLink> links =
      links_of(scene.cables[static_cast<std::size_t>(system.objects()[body].id.index)]);
  const bool front = mount.at == MountPoint::front;
  const RodLink& link = front ? links.back() : links.front();
  return {front ? range.end() - 1 : range.first, {0, 0, (front ? 0.5 : -0.5) * link.length_m}};
}

/// Sets the translational and rotational stiffness of a mount along its axes.
void set_stiffness(const Scene& scene, const BodySystem& system, const MountDescription& mount,
                   FrameJoint* joint) {
  const auto all = [](double k) { return Vec3d{k, k, k}; };
  const ObjectId& body = system.objects()[system.objects().find(mount.body)].id;
  if (body.kind == ObjectKind::cable) {
    const CableDescription& c = scene.cables[static_cast<std::size_t>(body.index)];
    const std::vector<RodLink> links = links_of(c);
    const bool front = mount.at == MountPoint::front;
    const RodLink& link = front ? links.back() : links.front();
    const double length = mount.stiffness_links * link.length_m;
    const FrameJoint section = rod_clamp(RodSection::circle(c.radius_m), c.material, link.pose,
                                         link, front ? RodEnd::front : RodEnd::rear, length);
    joint->stiffness_N_m = section.stiffness_N_m;
    joint->stiffness_Nm_rad = section.stiffness_Nm_rad;
    joint->damping_s = section.damping_s;
  }
  if (mount.stiffness_N_m) joint->stiffness_N_m = all(*mount.stiffness_N_m);
  if (mount.stiffness_Nm_rad) joint->stiffness_Nm_rad = all(*mount.stiffness_Nm_rad);
  if (!mount.moment) joint->stiffness_Nm_rad = {};
  if (mount.damping_s > 0) joint->damping_s = mount.damping_s;
}

}  // namespace

Mounts::Mounts(const Scene& scene, const std::vector<AttachmentFrameTarget>& targets,
               BodySystem* system)
    : frames_(&system->frames()), time_(scene.time) {
  const State start = system->initial_state();
  system->update_kinematics(start);
  for (std::size_t m = 0; m < scene.mounts.size(); ++m) {
    const MountDescription& description = scene.mounts[m];
    const BodySide body = body_side(scene, *system, description);
    const FramePose& start_pose = start.frames[static_cast<std::size_t>(body.frame)];
    const Vec3d world_point = start_pose.to_world(body.point);
    Mount mount(AttachmentFrame(description, targets[m], world_point, *system));
    mount.frame = body.frame;
    const Pose attachment_frame = mount.attachment_frame.first_pose(*system);
    // The stiffness axes belong to side i: the holding frame if it clamps the rear end of a chain,
    // else the body (front end, or free rotation).
    mount.attachment_frame_is_i = description.at != MountPoint::front && description.moment;
    const Vec3d attachment_frame_point =
        description.keeps_place ? attachment_frame.to_local(world_point) : Vec3d{};
    const Quaternion attachment_frame_axes = quaternion_from_rotation(attachment_frame.rotation);
    FrameJoint& joint = mount.joint;
    if (mount.attachment_frame_is_i) {
      joint.point_i = attachment_frame_point;
      joint.point_j = body.point;
      joint.axes_i = normalized(conjugate(attachment_frame_axes) * start_pose.orientation);
    } else {
      joint.point_i = body.point;
      joint.point_j = attachment_frame_point;
      joint.axes_j = normalized(conjugate(attachment_frame_axes) * start_pose.orientation);
    }
    set_stiffness(scene, *system, description, &joint);
    if (!mount.attachment_frame.on_robot()) {
      FrameModel& model = frames_->model();
      const FrameRef held = FrameRef::dynamic_frame(mount.frame);
      FrameRef holding = FrameRef::dynamic_frame(mount.attachment_frame.frame());
      if (mount.attachment_frame.is_along_path()) {
        mount.prescribed = model.add_prescribed({frame_pose(attachment_frame), {}, {}});
        holding = FrameRef::prescribed_frame(mount.prescribed);
      }
      mount.joint_index = mount.attachment_frame_is_i ? model.add_joint(holding, held, joint)
                                                      : model.add_joint(held, holding, joint);
    }
    mounts_.push_back(std::move(mount));
  }
}

Couplings Mounts::couplings(const BodySystem& system) const {
  Couplings pairs;
  for (const Mount& mount : mounts_)
    for (int k = 0; mount.attachment_frame.on_robot() && k < kLinkRows; ++k)
      mount.attachment_frame.add_couplings(system.layout().frame_row(mount.frame) + k, &pairs);
  return pairs;
}

void Mounts::prepare(const State& state, const BodySystem& system) {
  for (Mount& mount : mounts_) {
    mount.holds = mount.attachment_frame.holds(state.time_s);
    if (mount.attachment_frame.on_robot()) {
      if (mount.holds) set_rows(state, system, &mount);
      continue;
    }
    frames_->model().set_joint_active(mount.joint_index, mount.holds);
    if (!mount.holds || mount.prescribed < 0) continue;
    const FrameTwist twist =
        mount.attachment_frame.twist(state.time_s, time_.step_s, nullptr, system);
    PrescribedFrame frame;
    frame.pose = frame_pose(mount.attachment_frame.pose(state.time_s, system));
    frame.velocity = twist.linear;
    frame.angular_velocity = twist.angular;
    frames_->model().set_prescribed(mount.prescribed, frame);
    const FramePose& j = mount.attachment_frame_is_i
                             ? state.frames[static_cast<std::size_t>(mount.frame)]
                             : frame.pose;
    const Vec3d arm = j.to_world(mount.joint.point_j) - frame.pose.position;
    mount.motion = {twist.linear + cross(twist.angular, arm), twist.angular};
  }
}

void Mounts::move_to_end(double end_s, const BodySystem& system) {
  for (const Mount& mount : mounts_) {
    if (mount.prescribed < 0 || !mount.holds) continue;
    FrameModel& model = frames_->model();
    PrescribedFrame frame = model.prescribed(mount.prescribed);
    frame.pose = frame_pose(mount.attachment_frame.pose(end_s, system));
    model.set_prescribed(mount.prescribed, frame);
  }
}

double Mounts::work_J(const std::vector<Wrench>& sensors) const {
  double power = 0;
  for (std::size_t m = 0; m < mounts_.size(); ++m)
    if (mounts_[m].holds && mounts_[m].prescribed >= 0)
      power -= dot(sensors[m].force_N, mounts_[m].motion.linear) +
               dot(sensors[m].torque_Nm, mounts_[m].motion.angular);
  return time_.step_s * power;
}

bool Mounts::has_robots() const {
  return std::any_of(mounts_.begin(), mounts_.end(),
                     [](const Mount& mount) { return mount.attachment_frame.on_robot(); });
}

void Mounts::set_rows(const State& state, const BodySystem& system, Mount* mount) const {
  const Pose link = mount->attachment_frame.pose(state.time_s, system);
  const FramePose body = state.frames[static_cast<std::size_t>(mount->frame)],
                  attachment_frame = frame_pose(link);
  const FramePose& i = mount->attachment_frame_is_i ? attachment_frame : body;
  const FramePose& j = mount->attachment_frame_is_i ? body : attachment_frame;
  mount->geometry = joint_rows(mount->joint, i, j);
  mount->link_origin = link.position;
  std::vector<Mat3d> linear, angular;
  mount->attachment_frame.jacobians(attachment_frame.position, system, &linear, &angular);
  const std::int32_t body_row = system.layout().frame_row(mount->frame);
  for (int a = 0; a < 6; ++a) {
    SpringRow& row = mount->row[a];
    const bool turning = a >= 3;
    const int k = a % 3;
    const JointRows& g = mount->geometry;
    row.strain = turning ? g.strain.rotation[k] : g.strain.translation[k];
    row.stiffness = turning ? mount->joint.stiffness_Nm_rad[k] : mount->joint.stiffness_N_m[k];
    const Vec3d v_i = turning ? Vec3d{} : -g.axis[k], w_i = turning ? -g.turn[k] : g.arm_i[k],
                v_j = -v_i, w_j = turning ? g.turn[k] : g.arm_j[k];
    const Vec3d v_body = mount->attachment_frame_is_i ? v_j : v_i,
                w_body = mount->attachment_frame_is_i ? w_j : w_i,
                v_link = mount->attachment_frame_is_i ? v_i : v_j,
                w_link = mount->attachment_frame_is_i ? w_i : w_j;
    mount->on_link[a] = {v_link, w_link};
    row.parts.clear();
    row.parts.push_back({body_row, v_body});
    row.parts.push_back({body_row + 1, w_body});
    for (std::size_t r = 0; r < linear.size(); ++r)
      row.parts.push_back(
          {mount->attachment_frame.first_row() + static_cast<std::int32_t>(r),
           transpose_times(linear[r], v_link) + transpose_times(angular[r], w_link)});
  }
  mount->row[0].find_blocks(*system.pattern(), &mount->block);
}

void Mounts::add_to_system(double* value, Vec3d* b) const {
  for (const Mount& mount : mounts_) {
    if (!mount.attachment_frame.on_robot() || !mount.holds) continue;
    for (const SpringRow& row : mount.row)
      row.add_to(mount.block, time_.theta_t() + mount.joint.damping_s, value, b);
  }
}

void Mounts::measure(const State& start, const Vec3d* v_hat, std::vector<Wrench>* sensors) const {
  std::vector<int> joints;
  for (const Mount& mount : mounts_)
    if (mount.holds && !mount.attachment_frame.on_robot()) joints.push_back(mount.joint_index);
  const std::vector<JointLoad> loads = frames_->joint_loads(joints, start, v_hat);
  auto load = loads.begin();
  for (const Mount& mount : mounts_) {
    Wrench on_j;
    if (mount.holds && !mount.attachment_frame.on_robot()) {
      on_j = {load->force, load->torque};
      ++load;
    } else if (mount.holds) {
      Vec3d moment{};
      for (int a = 0; a < 3; ++a) {
        const double per_velocity = time_.theta_t() + mount.joint.damping_s;
        on_j.force_N += mount.row[a].force(per_velocity, v_hat) * mount.geometry.axis[a];
        moment += mount.row[a + 3].force(per_velocity, v_hat) * mount.geometry.turn[a];
      }
      on_j.torque_Nm = moment;
    }
    const double sign = mount.attachment_frame_is_i ? -1 : 1;
    sensors->push_back({sign * on_j.force_N, sign * on_j.torque_Nm});
  }
}

void Mounts::add_link_loads(const Vec3d* v_hat, std::vector<LinkLoad>* loads) const {
  for (const Mount& mount : mounts_) {
    if (!mount.attachment_frame.on_robot() || !mount.holds) continue;
    LinkLoad load{
        mount.attachment_frame.robot(), mount.attachment_frame.link(), mount.link_origin, {}};
    for (int a = 0; a < 6; ++a) {
      const double force = mount.row[a].force(time_.theta_t() + mount.joint.damping_s, v_hat);
      load.wrench.force_N += force * mount.on_link[a].force_N;
      load.wrench.torque_Nm += force * mount.on_link[a].torque_Nm;
    }
    loads->push_back(load);
  }
}

void Mounts::measure(double begin_s, const std::vector<JointLoad>& joint_loads,
                     std::vector<Wrench>* sensors) const {
  for (const Mount& mount : mounts_) {
    Wrench on_j;
    if (mount.joint_index >= 0 && mount.attachment_frame.holds(begin_s)) {
      const JointLoad& load = joint_loads[static_cast<std::size_t>(mount.joint_index)];
      on_j = {load.force, load.torque};
    }
    const double sign = mount.attachment_frame_is_i ? -1 : 1;
    sensors->push_back({sign * on_j.force_N, sign * on_j.torque_Nm});
  }
}

double Mounts::robot_mount_energy() const {
  double energy = 0;
  for (const Mount& mount : mounts_)
    if (mount.attachment_frame.on_robot() && mount.holds)
      for (const SpringRow& row : mount.row)
        energy += 0.5 * row.stiffness * row.strain * row.strain;
  return energy;
}

}  // namespace nodia
