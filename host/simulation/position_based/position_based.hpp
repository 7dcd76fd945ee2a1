/// XPBD with small steps [Macklin et al. 2016, 2019]: advances a scene on positions, without a
/// ContactProblem.
///
/// A step is split in `substeps` of h = t/substeps. Every substep predicts positions from
/// velocities and outer forces, then goes `iterations` times, Gauss-Seidel, through joints (rods,
/// mounts), tetrahedra and contacts, and takes velocities from the positions it reached. The fixed
/// point of the iterations is fully implicit Euler with step h on the energies, joints, drags and
/// damping of FrameModel and TetModel; what one sweep leaves of it shrinks with h.
///
/// Contacts are found once a step; frames, gaps, sides and friction are those of the other solvers.
/// Forces of sensors and contacts are means of the multipliers over the substeps.
///
/// Covers soft bodies, rigid bodies, cables, mounts and attachments along paths, moving obstacles,
/// pushes (their mean over the step in every substep).
/// Not robots, restitution, or theta < 1.
#pragma once

#include <vector>

#include "host/simulation/attachments.hpp"
#include "host/simulation/contact_finder.hpp"
#include "host/simulation/position_based/joint_constraint.hpp"
#include "host/simulation/position_based/position_contact.hpp"
#include "host/simulation/position_based/tet_constraint.hpp"
#include "host/simulation/pushes.hpp"
#include "host/simulation/step_solution.hpp"
#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// One step of one environment.
struct PositionStep {
  StepEnd end;
  std::vector<Vec3d> v_hat;   ///< per row, mean over the step [m/s, rad/s]
  std::vector<Vec3d> lambda;  ///< per contact, mean force, contact frame [N]
  /// iterations: all sweeps; relative_residual: multipliers against elastic forces, and
  /// natural_map_error: contacts, both of the last substep. `converged` where both are below the
  /// tolerance; no iteration is ever added to get there.
  SolveReport report;
};

class PositionBased {
 public:
  /// @throws InputError for a scene that it does not cover
  PositionBased(const Scene& scene, const BodySystem& system, const SolverOptions& options);

  /// @param contacts  of the step
  PositionStep advance(const State& start, const BodySystem& system, const Attachments& attachments,
                       const Pushes& pushes, const StepContacts& contacts);

 private:
  void begin_step(const State& start, const BodySystem& system, const StepContacts& contacts);
  void set_inertia(const State& now, const Attachments& attachments, double start_s);
  void predict(const State& now, double start_s, double end_s, const Attachments& attachments,
               const Pushes& pushes);
  void sweep(double end_s);
  void end_substep(State* now);
  void judge(double end_s, SolveReport* report);
  void set_prescribed(const FrameModel& frames, double end_s);

  const Scene& scene_;
  SolverOptions options_;
  int n_substep_, n_iteration_;
  double h_;

  std::vector<double> mass_;          ///< per node [kg]
  std::vector<double> mass_damping_;  ///< alpha, per node [1/s]
  struct Body {
    double mass;
    Mat3d inertia;
    FrameDrag drag;
    Vec3d force{};  ///< [N]
  };
  std::vector<Body> bodies_;  ///< per frame

  RowMotion motion_;
  std::vector<JointConstraint> joints_;
  std::vector<char> active_;  ///< per joint
  std::vector<TetConstraint> tets_;
  std::vector<PositionContact> contacts_;
  std::vector<FramePose> prescribed_;
  // Of the substep.
  std::vector<Vec3d> displacement_old_, free_turn_;
  std::vector<FramePose> frames_old_;
  std::vector<double> held_;  ///< stiffness of attachments per node [N/m]
  std::vector<Vec3d> pull_;   ///< and stiffness times target [N]
};

}  // namespace nodia
