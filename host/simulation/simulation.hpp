/// Time stepping of one or more environments. One of the three names a user of the library needs.
///
///   assemble -> detect -> nodalize -> ContactProblem -> solve -> integrate -> record
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fem/soft/tet_model.hpp"
#include "host/scene/objects.hpp"
#include "host/simulation/state.hpp"
#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

struct Checkpoint;  // host/simulation/checkpoint.hpp

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
  bool on_device = false;  ///< the whole step was: contacts, forces and its end
  int n_contact = 0, n_stick = 0, n_slip = 0;
  SolveReport solve;
  double energy_error_J = 0;  ///< NaN unless full errors are asked for
  /// At the end of the step: of soft nodes in obstacles, and of shapes (all vertices of a mesh; a
  /// robot's too) and cables in each other, where they are, and of all contacts but the first by
  /// the gap at the end of the step [m].
  double max_penetration_m = 0;
  std::vector<OverlapNotice> overlaps;  ///< to be told now; mostly empty
  double kinetic_energy_J = 0;
  double potential_energy_J = 0;          ///< elastic + gravity + attachments
  double dynamics_ms = 0, solver_ms = 0;  ///< of this environment, in the thread that ran it
  Vec3d obstacle_force_N{};               ///< sum of contact forces on the bodies, world frame
  Vec3d attachment_force_N{};             ///< sum of attachment forces on the bodies, world frame
  double attachment_work_J = 0;           ///< done on the bodies in this step by moving frames
  double push_work_J = 0;                 ///< and by pushes
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
  /// Gap at the end of the step, linear in the solution [m]. NaN if the step has failed.
  double gap_end_m = std::numeric_limits<double>::quiet_NaN();
};

/// Contacts of a step with their forces, all of one length.
struct StepContactsView {
  const std::vector<Contact<double>>& contacts;  ///< node indices local to the environment
  const std::vector<Vec3d>& lambda;              ///< [N]
  const std::vector<ContactState>& state;
  const std::vector<ContactSides>& sides;  ///< what touches what, and where
};

/// Has state and contacts at the end of a step. Where they lie on a device, asking brings them.
class StepSource {
 public:
  virtual ~StepSource() = default;
  virtual const State& state() const = 0;
  virtual StepContactsView contacts() const = 0;
};

/// Everything about the end of a step that a recorder may want; valid during the callback.
struct StepView {
  const StepRecord& record;
  const BodyLayout& layout;
  const StepSource& source;
  std::vector<Pose> link_poses = {};        ///< of the robots' links, robot by robot
  std::vector<Pose> obstacle_poses = {};    ///< [n_obstacle]
  std::vector<Pose> attachment_poses = {};  ///< of the frames that hold, [n_attachment]

  const State& state() const { return source.state(); }
  const std::vector<Contact<double>>& contacts() const { return source.contacts().contacts; }
  const std::vector<Vec3d>& lambda() const { return source.contacts().lambda; }
  const std::vector<ContactState>& contact_state() const { return source.contacts().state; }
  const std::vector<ContactSides>& contact_sides() const { return source.contacts().sides; }
};

/// A batch runs its environments side by side, one thread each (ExecutionOptions::threads in all);
/// a single environment may use several threads inside. Either way every environment gives the bits
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
  /// Of the state: its time [s], and the steps since the start.
  double time_s(int env = 0) const;
  int n_step(int env = 0) const;
  /// The state for who keeps it: what it points to never changes, whatever the simulation does.
  std::shared_ptr<const State> shared_state(int env = 0) const;
  const BodyLayout& layout(int env = 0) const;
  /// A body of an environment, by its number (Objects).
  struct BodyOf {
    int env = 0;
    std::int32_t body = 0;
  };
  /// Positions or velocities of soft bodies of as many nodes each, now, in the memory of the device
  /// that takes the steps: from where the last step ended there, by one kernel for all of them;
  /// from the host, where only the host has them. Nothing where steps are taken on the CPU.
  /// @throws RuntimeError where the end of the last step was lost, or the device fails
  std::optional<DeviceNodes> device_nodes(const std::vector<BodyOf>& bodies,
                                          NodeQuantity quantity) const;
  /// Of the robots' links, robot by robot, in the environment's state.
  std::vector<Pose> link_poses(int env = 0) const;
  /// Of the obstacles, and of the frames of the attachments, at the state's time.
  std::vector<Pose> obstacle_poses(int env = 0) const;
  std::vector<Pose> attachment_poses(int env = 0) const;
  /// Goes on from there; what is commanded stays.
  void set_state(int env, State state);
  /// An environment that failed (not_a_number) stands still at its last finite state; the others go
  /// on. Setting its state starts it again.
  bool failed(int env) const;

  // Commands. A target is reached linearly (a rotation on the shortest great arc) within reach_s >
  // 0 of simulated time and held; from the command on, the scene's path of that drive or frame
  // counts no more. A target that is not finite fails the environment in its next step and moves
  // nothing. Unknown names and wrong counts throw InputError.

  /// @param targets  one a joint drive, in the order of the robot's drives [rad] or [m]
  void set_joint_targets(int env, const std::string& robot, const std::vector<double>& targets,
                         double reach_s);
  /// Of the frame of a pose drive. @param drive  its place in the robot's pose_drives
  void set_pose_target(int env, const std::string& robot, int drive, const Pose& target,
                       double reach_s);
  /// @param name  of an obstacle, or of a mount or an attachment along a path
  void set_frame_target(int env, const std::string& name, const Pose& target, double reach_s);
  /// Lets an attachment go, or lets it take hold of its nodes where they are, whatever the scene's
  /// release time.
  void set_holding(int env, const std::string& attachment, bool holds);
  // Where targets are at the environment's time, commanded or by the scene.
  std::vector<double> joint_targets(int env, const std::string& robot) const;
  Pose pose_target(int env, const std::string& robot, int drive) const;
  Pose frame_target(int env, const std::string& name) const;

  /// All that the environment's next steps depend on.
  Checkpoint save(int env);
  /// Goes on from there: with the same solver options the bits are those of never having stopped,
  /// in another simulation too, at any place of a batch. Other environments are not touched.
  /// @throws InputError where it is of another scene; nothing has changed then
  void load(int env, const Checkpoint& checkpoint);
  /// Puts another scene into an environment's place, from its start; nothing of before counts, and
  /// its bits are those of the scene alone. Other environments are not touched.
  /// @throws InputError for a bad scene, or one of other time.step_s or time.theta; nothing has
  /// changed then
  void reset(int env, Scene scene);

  /// Tells whose state or contacts will be asked for at the end of which steps; where they lie on a
  /// device, they come down while the step's records are made. Others may be asked for, and these
  /// need not be. @param asked  asked(env, step); empty: of none it is known
  void foresee(std::function<bool(int env, int step)> asked);

  /// Advances every environment by one step; returns one record per environment. That of a failed
  /// environment stays the one of the step that failed, with its reason and NaN for what has no
  /// value.
  const std::vector<StepRecord>& step();
  /// The same, calling `each` for every environment that took part, the failing one included: in
  /// ascending order, in the calling thread, before anything is overwritten.
  const std::vector<StepRecord>& step(const std::function<void(const StepView&)>& each);

  /// Advances every environment by n >= 1 steps, on a CPU one environment through all of them
  /// before the next: a batch then works in the cache, and costs less than n times step().
  /// @param resting  [n_env] environments that stand still meanwhile; empty: none. Those that are
  ///                 solved together, as on a device, take their steps all the same
  /// @param each     is called for every step of every environment that takes part, an
  ///                 environment's in order, by the thread that takes it: for several environments
  ///                 at once
  const std::vector<StepRecord>& steps(int n, const std::vector<char>& resting = {},
                                       const std::function<void(const StepView&)>& each = {});

  /// As n calls of step(each), as long as go_on() says so after a step. But `each` asks for states
  /// and contacts of those steps and environments alone that were foreseen, and commands nothing: a
  /// device then works at further steps while the host takes what it is told of one. A few steps
  /// may have begun there when go_on() says no: they are taken too.
  /// @throws RuntimeError where something else was asked for of a step behind which others have
  /// begun
  const std::vector<StepRecord>& run(int n, const std::function<void(const StepView&)>& each,
                                     const std::function<bool()>& go_on = {});

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
