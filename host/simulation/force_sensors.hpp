/// Force sensors of robots: what a link with everything that hangs on it exerts on its parent.
///
/// From the balance of momentum of the links behind the joint, of the step as it was solved: with
/// the configuration and v at its start, qdd = (v_hat - v)/(theta t), and its contact forces,
///
///   wrench on the parent = sum over these links of [external forces + I g - I a - v x* I v].
///
/// External are contacts, pushes, and what the links hold by mounts and attachments. Efforts of
/// joints and of drives, pose drives included, act between links and are not in it, so that one
/// behind the joint changes nothing but the motion. Along the joint's own axis the wrench is minus
/// the actuator's effort and the forces of limits, plus damping; without gravity compensation up to
/// the stiffness of gravity that the step adds, which is of the order of the step.
#pragma once

#include <vector>

#include "host/simulation/attachments.hpp"
#include "host/simulation/contact_finder.hpp"
#include "host/simulation/mounts.hpp"
#include "host/simulation/pushes.hpp"

namespace nodia {

class ForceSensors {
 public:
  ForceSensors() = default;
  ForceSensors(const Scene& scene, const BodySystem& system);

  bool empty() const { return links_.empty(); }

  struct Step {
    const State& start;  ///< system.update_kinematics(start)
    const Vec3d* v_hat;
    const StepContacts& contacts;
    const std::vector<Vec3d>& lambda;  ///< [n_contact] contact frame [N]
    const Mounts& mounts;              ///< as prepared for the step
    const Attachments& attachments;
    const Pushes& pushes;
  };
  /// Wrenches in world axes, the torque about the link's frame's origin at the start of the step.
  /// @param sensors  out: appended in the order of the scene's robots
  void measure(const Step& step, const BodySystem& system, std::vector<Wrench>* sensors);

 private:
  void add_contacts(const Step& step);
  void add_motion(const Step& step, const BodySystem& system, int robot);

  std::vector<std::vector<int>> links_;  ///< [n_robot] of the sensors
  Vec3d gravity_{};
  double theta_t_ = 0.01;
  // Of the step.
  std::vector<LinkLoad> loads_;
  std::vector<SpatialForce> force_, own_;  ///< [n_link], about the base's position
};

}  // namespace nodia
