/// Time stepping of one or more environments. One of the three names a user of the library needs.
///
///   assemble -> detect -> nodalize -> ContactProblem -> solve -> integrate -> record
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fem/soft/tet_model.hpp"
#include "host/scene/objects.hpp"
#include "host/simulation/state.hpp"
#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Two objects that lie in each other, told once a pair at the start and once later.
struct OverlapNotice {
  std::string i, j;
  double depth_m = 0;  ///< of the deepest point of either in the other
  double share = 0;    ///< depth over the smallest extent of the smaller one [-]
  bool at_start = false;
};

/// What one step of one environment did: a row of steps.csv.
struct StepRecord {
  int env = 0, step = 0;
  double time_s = 0;  ///< at the end of the step; of one that failed, where its end would have been
  int n_contact = 0, n_stick = 0, n_slip = 0;
  SolveReport solve;
  double energy_error_J = 0;  ///< NaN unless full errors are asked for
  /// At the end of the step: of soft nodes in obstacles, and of shapes (all vertices of a mesh; a
  /// robot's too) and cables in each other, where they are, and of all contacts but the first by
  /// the gap that the answer carried on [m].
  double max_penetration_m = 0;
  std::vector<OverlapNotice> overlaps;  ///< to be told now; mostly empty
  double kinetic_energy_J = 0;
  double potential_energy_J = 0;          ///< elastic + gravity + attachments
  double dynamics_ms = 0, solver_ms = 0;  ///< of this environment, in the thread that ran it
  Vec3d obstacle_force_N{};               ///< sum of contact forces on the bodies, world frame
  Vec3d attachment_force_N{};             ///< sum of attachment forces on the bodies, world frame
  double attachment_work_J = 0;           ///< done on the bodies in this step by moving frames
  /// In the order of sensor_names(): mounts, then attachments, then force sensors of robots. Mean
  /// over the step, of what is held on its holder; the torque of a mount about its point, of an
  /// attachment about its frame's origin, of a force sensor about its link's frame's origin.
  std::vector<Wrench> sensors;
};

/// The two surfaces of a contact; the force of the record's lambda acts on i along +n.
struct ContactSides {
  ObjectId i, j;
  Vec3d position{};  ///< on i, at the start of the step [m]
  Vec3d
      slip_velocity{};  ///< of i over j in the contact plane, world frame, mean over the step [m/s]
  Vec3d position_j{};   ///< on j, at the start of the step [m]
};

/// Everything about the end of a step that a recorder may want; valid during the callback.
struct StepView {
  const StepRecord& record;
  const State& state;
  const BodyLayout& layout;
  const std::vector<Contact<double>>& contacts;  ///< node indices local to the environment
  const std::vector<Vec3d>& lambda;              ///< [N]
  const std::vector<ContactState>& contact_state;
  const std::vector<ContactSides>& contact_sides;  ///< what touches what, and where
  std::vector<Pose> link_poses = {};               ///< of the robots' links, robot by robot
};

/// A batch runs its environments side by side, one thread each (SolverOptions::threads in all); a
/// single environment may use several threads inside. Either way every environment gives the bits
/// that it gives alone, whatever the number of threads.
class Simulation {
 public:
  /// One scene per environment; they share time.step_s and time.theta but may differ in everything
  /// else.
  Simulation(std::vector<Scene> scenes, const SolverOptions& options);
  ~Simulation();

  int n_env() const;
  const Scene& scene(int env = 0) const;
  const TetModel& model(int env = 0) const;
  const State& state(int env = 0) const;
  /// The same for who keeps it: what it points to never changes, whatever the simulation does.
  std::shared_ptr<const State> shared_state(int env = 0) const;
  const BodyLayout& layout(int env = 0) const;
  /// Of the robots' links, robot by robot, in the environment's state.
  std::vector<Pose> link_poses(int env = 0) const;
  void set_state(int env, State state);
  /// An environment that failed (not_a_number) stands still at its last finite state; the others go
  /// on. Setting its state starts it again.
  bool failed(int env) const;

  /// Advances every environment by one step; returns one record per environment. That of a failed
  /// environment stays the one of the step that failed, with its reason and NaN for what has no
  /// value.
  const std::vector<StepRecord>& step();
  /// The same, calling `each` for every environment that took part, the failing one included: in
  /// ascending order, in the calling thread, before anything is overwritten.
  const std::vector<StepRecord>& step(const std::function<void(const StepView&)>& each);

  /// The end of the environment's last step; valid until something is done with the simulation. An
  /// environment that took none has no contacts, and a record without a report.
  StepView last_step(int env = 0) const;

  /// Builds the problem of the coming step without solving it.
  ContactProblem build_problem(WarmStart* warm = nullptr);
  /// Advances with a given answer to build_problem's problem.
  const std::vector<StepRecord>& advance(const ContactProblem& problem, const Solution& solution,
                                         const std::function<void(const StepView&)>& each = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nodia
