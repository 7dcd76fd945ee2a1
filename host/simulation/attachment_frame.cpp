#include "host/simulation/attachment_frame.hpp"

#include "kernels/core/rotation.hpp"

namespace nodia {

AttachmentFrame::AttachmentFrame(const AttachmentFrameDescription& description,
                                 const AttachmentFrameTarget& target, const BodySystem& system)
    : target_(&target), release_time_s_(description.release_time_s) {
  if (description.robot.empty()) return;
  robot_ = system.objects()[system.objects().find(description.robot)].id.index;
  link_ = system.robots().model(robot_).description().find_link(description.link);
  first_row_ = system.robots().range(robot_).first_row;
  n_row_ = system.robots().range(robot_).n_row;
}

Pose AttachmentFrame::pose(double time_s, const BodySystem& system) const {
  return on_robot() ? system.robots().model(robot_).link_poses()[static_cast<std::size_t>(link_)]
                    : path().at(time_s);
}

Pose AttachmentFrame::first_pose(const BodySystem& system) const {
  return pose(path().keys.empty() ? 0 : path().keys.front().time_s, system);
}

FrameTwist AttachmentFrame::twist(double time_s, double step_s, const Vec3d* v_hat,
                                  const BodySystem& system) const {
  FrameTwist twist;
  const Pose now = pose(time_s, system);
  if (on_robot()) {
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
}

void AttachmentFrame::add_couplings(std::int32_t row, Couplings* couplings) const {
  for (std::int32_t r = 0; r < n_row_; ++r) couplings->emplace_back(row, first_row_ + r);
}

}  // namespace nodia
