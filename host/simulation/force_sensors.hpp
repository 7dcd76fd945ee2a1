/// Force sensors of robots: the wrench that a link and all links behind it exert on the parent.
///
/// The wrench follows from the momentum balance of the links behind the joint in the solved step,
/// with the configuration and v at its start, qdd = (v_hat - v)/(theta t), and its contact forces:
///
///   wrench on the parent = sum over these links of [external forces + I g - I a - v x* I v].
///
/// External forces are contacts, prescribed forces, and loads of mounts and attachments. Efforts of
/// joints and drives, pose drives included, act between links and do not count. Along the joint's
/// axis the wrench is minus the actuator's effort and the forces of limits, plus damping. Without
/// gravity compensation an error of the order of the step remains, the added gravity stiffness.
#pragma once

#include <vector>

#include "host/simulation/attachments.hpp"
#include "host/simulation/contact_finder.hpp"
#include "host/simulation/external_forces.hpp"
#include "host/simulation/mounts.hpp"

namespace nodia {

class ForceSensors {
 public:
  ForceSensors() = default;
  ForceSensors(const Scene& scene, const BodySystem& system);

  bool empty() const { return links_.empty(); }

  struct Step {
    const State& start;  ///< requires system.update_kinematics(start)
    const Vec3d* v_hat;
    const StepContacts& contacts;
    const std::vector<Vec3d>& lambda;  ///< [n_contact] contact forces, contact frame [N]
    const Mounts& mounts;              ///< prepared for this step
    const Attachments& attachments;
    const ExternalForces& external_forces;
  };
  /// Measures wrenches in world axes; torques about the link frame's origin at the step's start.
  /// @param sensors  out: appended in the order of the scene's robots
  void measure(const Step& step, const BodySystem& system, std::vector<Wrench>* sensors);

 private:
  void add_contacts(const Step& step);
  void add_motion(const Step& step, const BodySystem& system, int robot);

  std::vector<std::vector<int>> links_;  ///< [n_robot] links with a sensor
  Vec3d gravity_{};
  double theta_t_ = 0.01;
  // Workspace of one step.
  std::vector<LinkLoad> loads_;
  std::vector<SpatialForce> force_, own_;  ///< [n_link] about the position of the base
};

}  // namespace nodia
