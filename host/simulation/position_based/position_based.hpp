/// XPBD with small steps [Macklin et al. 2016, 2019] on the positions of a scene.
///
/// A step has `substeps` of h = t/substeps. Every substep predicts positions from velocities and
/// external forces, then runs `iterations` Gauss-Seidel sweeps over joints (rods, mounts),
/// tetrahedra and contacts, and computes velocities from the new positions. The fixed point of the
/// sweeps is fully implicit Euler with step h on the energies, joints, drags and damping of
/// FrameModel and TetModel; the error of a single sweep decreases with h.
///
/// Contacts are found once per step; frames, gaps, sides and friction equal those of the other
/// solvers. Forces of sensors and contacts are means of the multipliers over the substeps.
///
/// The method supports soft bodies, rigid bodies, cables, mounts and attachments along paths,
/// moving obstacles and external forces (their step mean in every substep).
/// It does not support robots, restitution, or theta < 1.
#pragma once

#include <vector>

#include "host/simulation/attachments.hpp"
#include "host/simulation/contact_finder.hpp"
#include "host/simulation/external_forces.hpp"
#include "host/simulation/position_based/joint_constraint.hpp"
#include "host/simulation/position_based/position_contact.hpp"
#include "host/simulation/position_based/tet_constraint.hpp"
#include "host/simulation/step_solution.hpp"
#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Result of one step of one environment.
struct PositionStep {
  StepEnd end;
  std::vector<Vec3d> v_hat;   ///< [n_row] mean over the step [m/s, rad/s]
  std::vector<Vec3d> lambda;  ///< [n_contact] mean force, contact frame [N]
  /// iterations: all sweeps; relative_residual: error of multipliers against elastic forces, and
  /// natural_map_error: error of contacts, both in the last substep. `converged` if both are below
  /// the tolerance. The number of sweeps is fixed.
  SolveReport report;
};

class PositionBased {
 public:
  /// @throws InputError for a scene that the method does not support
  PositionBased(const Scene& scene, const BodySystem& system, const SolverOptions& options);

  /// @param contacts  contacts of the step
  PositionStep advance(const State& start, const BodySystem& system, const Attachments& attachments,
                       const ExternalForces& external_forces, const StepContacts& contacts);

 private:
  void begin_step(const State& start, const BodySystem& system, const StepContacts& contacts);
  void set_inertia(const State& now, const Attachments& attachments, double start_s);
  void predict(const State& now, double start_s, double end_s, const Attachments& attachments,
               const ExternalForces& external_forces);
  void sweep(double end_s);
  void end_substep(State* now);
  void evaluate(double end_s, SolveReport* report);
  void set_prescribed(const FrameModel& frames, double end_s);

  const Scene& scene_;
  SolverOptions options_;
  int n_substep_, n_iteration_;
  double h_;

  std::vector<double> mass_;          ///< [n_node] mass [kg]
  std::vector<double> mass_damping_;  ///< [n_node] alpha [1/s]
  struct Body {
    double mass;
    Mat3d inertia;
    FrameDrag drag;
    Vec3d force{};  ///< [N]
  };
  std::vector<Body> bodies_;  ///< one per frame

  RowMotion motion_;
  std::vector<JointConstraint> joints_;
  std::vector<char> active_;  ///< one per joint
  std::vector<TetConstraint> tets_;
  std::vector<PositionContact> contacts_;
  std::vector<FramePose> prescribed_;
  // Values of the current substep.
  std::vector<Vec3d> displacement_old_, free_turn_;
  std::vector<FramePose> frames_old_;
  std::vector<double> held_;  ///< [n_node] stiffness of attachments [N/m]
  std::vector<Vec3d> pull_;   ///< [n_node] stiffness times target [N]
};

}  // namespace nodia
