#include "host/simulation/attachment_frame.hpp"

#include "kernels/core/rotation.hpp"

namespace nodia {

AttachmentFrame::AttachmentFrame(const AttachmentFrameDescription& description,
                                 const AttachmentFrameTarget& target, Vec3d point,
                                 const BodySystem& system)
    : target_(&target), release_time_s_(description.release_time_s) {
  if (!description.robot.empty()) {
    robot_ = system.objects()[system.objects().find(description.robot)].id.index;
    link_ = system.robots().model(robot_).description().find_link(description.link);
    first_row_ = system.robots().range(robot_).first_row;
    n_row_ = system.robots().range(robot_).n_row;
  } else if (!description.to.empty()) {
    const BodyRange& body = system.layout()[system.objects().find(description.to)];
    on_soft_body_ = body.kind == BodyKind::soft;
    if (on_soft_body_) return;
    const auto distance = [&](std::int32_t frame) {
      return squared_norm(system.frames().pose(frame).position - point);
    };
    frame_ = body.first;
    for (std::int32_t f = body.first + 1; f < body.end(); ++f)
      if (distance(f) < distance(frame_)) frame_ = f;
    first_row_ = system.layout().frame_row(frame_);
    n_row_ = kLinkRows;
  }
}

Pose AttachmentFrame::pose(double time_s, const BodySystem& system) const {
  if (on_robot())
    return system.robots().model(robot_).link_poses()[static_cast<std::size_t>(link_)];
  if (on_body()) return system.frames().pose(frame_);
  return on_soft_body() ? Pose{} : path().at(time_s);
}

Pose AttachmentFrame::first_pose(const BodySystem& system) const {
  return pose(path().keys.empty() ? 0 : path().keys.front().time_s, system);
}

FrameTwist AttachmentFrame::twist(double time_s, double step_s, const Vec3d* v_hat,
                                  const BodySystem& system) const {
  FrameTwist twist;
  const Pose now = pose(time_s, system);
  if (!is_along_path()) {
    std::vector<Mat3d> linear, angular;
    jacobians(now.position, system, &linear, &angular);
    for (std::size_t r = 0; r < linear.size(); ++r) {
      twist.linear += linear[r] * v_hat[static_cast<std::size_t>(first_row_) + r];
      twist.angular += angular[r] * v_hat[static_cast<std::size_t>(first_row_) + r];
    }
  } else {
    const Pose next = path().at(time_s + step_s);
    twist.linear = (1 / step_s) * (next.position - now.position);
    twist.angular = (1 / step_s) * rotation_log(next.rotation * transpose(now.rotation));
  }
  return twist;
}

void AttachmentFrame::jacobians(Vec3d point, const BodySystem& system, std::vector<Mat3d>* linear,
                                std::vector<Mat3d>* angular) const {
  linear->clear();
  angular->clear();
  if (on_robot()) system.robots().link_jacobians(robot_, link_, point, linear, angular);
  if (!on_body()) return;
  *linear = {Mat3d::identity(), -1.0 * skew(point - system.frames().pose(frame_).position)};
  *angular = {Mat3d{}, Mat3d::identity()};
}

void AttachmentFrame::add_couplings(std::int32_t row, Couplings* couplings) const {
  for (std::int32_t r = 0; r < n_row_; ++r) couplings->emplace_back(row, first_row_ + r);
}

}  // namespace nodia
