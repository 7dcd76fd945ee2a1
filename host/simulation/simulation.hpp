/// Simulation: advances one or more environments in time.
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
#include "host/problem/device_nodes.hpp"
#include "host/scene/objects.hpp"
#include "host/simulation/state.hpp"
#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

struct Checkpoint;  // host/simulation/checkpoint.hpp

/// Overlap of two objects. A simulation reports a pair at its start, and once when it begins later.
struct OverlapNotice {
  std::string i, j;
  double depth_m = 0;  ///< depth of the deepest point of either object in the other
  double share = 0;    ///< depth over the smallest extent of the smaller object [-]
  bool at_start = false;
};

/// The body that rotates fastest in a step.
struct FastestTurn {
  std::string body;  ///< empty if no body turns by more than 0.1 rad
  double angle_rad = 0;
};

/// A drive that is at its effort limit.
struct LimitedDrive {
  std::string joint;    ///< "ROBOT.COORDINATE"
  double limit = 0;     ///< [N m] or [N]
  bool slides = false;  ///< units are N, else N m
};

/// Result of one step of one environment: a row of steps.csv.
struct StepRecord {
  int env = 0, step = 0;
  double time_s = 0;       ///< end of the step, also of a failed one
  bool on_device = false;  ///< the device computed the whole step: contacts, forces and its end
  int n_contact = 0, n_stick = 0, n_slip = 0;
  SolveReport solve;
  double energy_error_J = 0;  ///< NaN unless the options ask for full errors
  /// Largest penetration at the end of the step [m]: measured for soft nodes in obstacles, and for
  /// shapes (all vertices of a mesh) and cables in each other; for other contacts the gap at the
  /// end of the step.
  double max_penetration_m = 0;
  std::vector<OverlapNotice> overlaps;  ///< overlaps to report now
  FastestTurn turn;                     ///< of soft and rigid bodies; none if on_device
  double kinetic_energy_J = 0;
  double potential_energy_J = 0;          ///< elastic, gravitational, and of attachments
  double dynamics_ms = 0, solver_ms = 0;  ///< times of this environment in its thread
  Vec3d obstacle_force_N{};               ///< sum of contact forces on the bodies, world frame
  /// Sum of the forces of attachments on the bodies, world frame, without those between bodies.
  Vec3d attachment_force_N{};
  double frame_work_J = 0;  ///< work of moving attachments and mounts on the bodies
  double push_work_J = 0;   ///< work of external forces on the bodies in this step
  /// Work of contact forces on all bodies but robots; NaN if the device computed the step.
  double contact_work_J = 0;
  /// Change of these bodies' energy minus the work of all forces on them: EnergyWatch::end_step().
  double energy_gain_J = std::numeric_limits<double>::quiet_NaN();
  /// In the order of sensor_names(): mounts, attachments, force sensors of robots. Mean wrench over
  /// the step of the attached body on the frame. The torque refers to the mount's point, the origin
  /// of the attachment's frame, or the origin of the sensor's link.
  std::vector<Wrench> sensors;
  /// Mean efforts of the robots' actuators over the step, as State::q [N m] or [N].
  std::vector<double> efforts;
  std::vector<LimitedDrive> limited_drives;  ///< drives at their effort limits in this step
  std::vector<std::string> broken_mounts;    ///< names of those that broke in this step
};

/// The two sides of a contact. The contact force lambda acts on i along +n.
struct ContactSides {
  ObjectId i, j;
  Vec3d position{};       ///< contact point on i at the start of the step [m]
  Vec3d slip_velocity{};  ///< mean velocity of i relative to j in the contact plane, world [m/s]
  Vec3d position_j{};     ///< contact point on j at the start of the step [m]
  /// Gap at the end of the step, linear in the solution [m]. NaN if the step has failed.
  double gap_end_m = std::numeric_limits<double>::quiet_NaN();
};

/// Contacts of a step with their forces. All lists have the same length.
struct StepContactsView {
  const std::vector<Contact<double>>& contacts;  ///< rows and points of the environment
  const std::vector<Vec3d>& lambda;              ///< contact frame [N]
  const std::vector<ContactState>& state;
  const std::vector<ContactSides>& sides;
};

/// State and contacts at the end of a step. The functions download them if they are on a device.
class StepSource {
 public:
  virtual ~StepSource() = default;
  virtual const State& state() const = 0;
  virtual StepContactsView contacts() const = 0;
};

/// End of a step for a recorder; valid during the callback.
struct StepView {
  const StepRecord& record;
  const BodyLayout& layout;
  const StepSource& source;
  std::vector<Pose> link_poses = {};        ///< links of the robots, robot by robot
  std::vector<Pose> obstacle_poses = {};    ///< [n_obstacle]
  std::vector<Pose> attachment_poses = {};  ///< frames of the attachments, [n_attachment]

  const State& state() const { return source.state(); }
  const std::vector<Contact<double>>& contacts() const { return source.contacts().contacts; }
  const std::vector<Vec3d>& lambda() const { return source.contacts().lambda; }
  const std::vector<ContactState>& contact_state() const { return source.contacts().state; }
  const std::vector<ContactSides>& contact_sides() const { return source.contacts().sides; }
};

/// Advances environments in time. Environments run in parallel, one thread each
/// (ExecutionOptions::threads in all); a single environment may use several threads. Every
/// environment has the bits that it has alone, for any number of threads.
class Simulation {
 public:
  /// @param scenes  one per environment; time.step_s and time.theta must be equal
  /// @throws InputError for a bad scene or option
  Simulation(std::vector<Scene> scenes, const SolverOptions& options);
  ~Simulation();

  int n_env() const;
  const Scene& scene(int env = 0) const;
  const TetModel& model(int env = 0) const;
  const State& state(int env = 0) const;
  /// Time of the state [s], and number of steps since the start.
  double time_s(int env = 0) const;
  int n_step(int env = 0) const;
  /// Snapshot of the state, which never changes.
  std::shared_ptr<const State> shared_state(int env = 0) const;
  const BodyLayout& layout(int env = 0) const;
  /// A body of an environment, by its number (Objects).
  struct BodyOf {
    int env = 0;
    std::int32_t body = 0;
  };
  /// Copies current positions or velocities of soft bodies into one array in device memory. One
  /// kernel copies the nodes of device-resident environments; those of others are uploaded.
  /// @param bodies  bodies with equal numbers of nodes
  /// @return empty if the CPU advances the environments
  /// @throws RuntimeError if the device has lost the end of the last step, or fails
  std::optional<DeviceNodes> device_nodes(const std::vector<BodyOf>& bodies,
                                          NodeQuantity quantity) const;
  /// Poses of the robots' links in the state, robot by robot.
  std::vector<Pose> link_poses(int env = 0) const;
  /// Poses of the obstacles, and of the frames of the attachments, at the state's time.
  std::vector<Pose> obstacle_poses(int env = 0) const;
  std::vector<Pose> attachment_poses(int env = 0) const;
  /// Continues from another state. Commanded targets remain.
  void set_state(int env, State state);
  /// A failed environment (status not_a_number) stays at its last finite state; set_state()
  /// restarts it. The other environments continue.
  bool failed(int env) const;

  // Commands. A coordinate moves linearly (a rotation along the shortest great arc) to its target
  // within reach_s > 0 of simulated time, and stays there. A command replaces the scene's path of
  // that drive or frame. A target that is not finite fails the environment in its next step and
  // moves nothing. Unknown names and wrong counts throw InputError.

  /// @param targets  one per joint drive, in the order of the robot's drives [rad] or [m]
  void set_joint_targets(int env, const std::string& robot, const std::vector<double>& targets,
                         double reach_s);
  /// Sets the target of a pose drive's frame. @param drive  index in the robot's pose_drives
  void set_pose_target(int env, const std::string& robot, int drive, const Pose& target,
                       double reach_s);
  /// @param name  an obstacle, or a mount or an attachment along a path
  void set_frame_target(int env, const std::string& name, const Pose& target, double reach_s);
  /// Releases an attachment, or attaches its nodes where they are. Overrides the scene's release
  /// time.
  void set_holding(int env, const std::string& attachment, bool holds);
  // Commanded or scripted targets at the environment's time.
  std::vector<double> joint_targets(int env, const std::string& robot) const;
  Pose pose_target(int env, const std::string& robot, int drive) const;
  Pose frame_target(int env, const std::string& name) const;

  /// Returns all that the environment's next steps depend on.
  Checkpoint save(int env);
  /// Continues from a checkpoint. With the same solver options the next steps have the bits of an
  /// uninterrupted run, also in another simulation and for another environment of a batch.
  /// @throws InputError if the checkpoint belongs to another scene; nothing has changed then
  void load(int env, const Checkpoint& checkpoint);
  /// Replaces the scene of an environment and starts it. The next steps have the bits of that scene
  /// alone. Other environments continue.
  /// @throws InputError for a bad scene, or another time.step_s or time.theta; nothing has changed
  ///         then
  void reset(int env, Scene scene);

  /// Announces which environments the caller will read at the end of which steps. A device then
  /// downloads them while the host makes the records. The caller may read others too.
  /// @param reads  reads(env, step); empty: no hint
  void set_prefetch_hint(std::function<bool(int env, int step)> reads);

  /// Advances every environment by one step.
  /// @return one record per environment. A failed environment keeps the record of the step that
  ///         failed: its reason, and NaN for what has no value
  const std::vector<StepRecord>& step();
  /// Same, and calls `each` for every environment that took part, also for one that fails: in
  /// ascending order, in the calling thread.
  const std::vector<StepRecord>& step(const std::function<void(const StepView&)>& each);

  /// Advances every environment by n >= 1 steps. A CPU takes one environment through all steps
  /// before the next, which uses the cache better than n calls of step().
  /// @param inactive  [n_env] 1: the environment does not move; empty: all move. Environments that
  ///                  are solved together, as on a device, always move
  /// @param each      called for every step of every environment that takes part, in the order of
  ///                  the environment's steps, by the thread that computed it; several threads may
  ///                  call it at the same time
  const std::vector<StepRecord>& steps(int n, const std::vector<char>& inactive = {},
                                       const std::function<void(const StepView&)>& each = {});

  /// Calls step(each) n times, or until continues() returns false after a step. `each` may read
  /// states and contacts only as the prefetch hint announces, and must not command anything: a
  /// device can then compute further steps while the host makes records. Steps that have begun when
  /// continues() returns false are finished.
  /// @throws RuntimeError if `each` reads a step after which others have begun, without a hint
  const std::vector<StepRecord>& run(int n, const std::function<void(const StepView&)>& each,
                                     const std::function<bool()>& continues = {});

  /// End of the environment's last step. Valid until the next call that changes the simulation.
  /// Before the first step it has no contacts, and a record without a report.
  StepView last_step(int env = 0) const;

  /// Builds the problem of the next step without solving it. @param warm  out: initial guess
  ContactProblem build_problem(WarmStart* warm = nullptr);
  /// Advances with a given solution of the problem of build_problem().
  const std::vector<StepRecord>& advance(const ContactProblem& problem, const Solution& solution,
                                         const std::function<void(const StepView&)>& each = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nodia
