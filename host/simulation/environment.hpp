/// One environment of a batch and its part of every step.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/simulation/attachments.hpp"
#include "host/simulation/checkpoint.hpp"
#include "host/simulation/contact_finder.hpp"
#include "host/simulation/force_sensors.hpp"
#include "host/simulation/free_motion.hpp"
#include "host/simulation/initial_guess.hpp"
#include "host/simulation/mounts.hpp"
#include "host/simulation/pushes.hpp"
#include "host/simulation/simulation.hpp"
#include "host/simulation/target_commands.hpp"

namespace nodia {

/// Where a step ends, of a method that knows more of it than representative velocities.
struct StepEnd {
  State state;
  std::vector<JointLoad> joint_loads;  ///< per joint of the frames, mean over the step
};

/// A scene's bodies and their state. Rows are counted from 0; environments share nothing, so that
/// different ones may run in different threads at the same time.
///
///   build: assemble -> detect -> nodalize      (the merged problem is solved)      finish:
///   integrate
///   -> record
///
/// Where a solver makes the contacts, it may be left with the end of the step (leave); the state,
/// the answer and its contacts come when somebody asks for them, or when a step is built here.
class Environment final : public StepSource {
 public:
  /// Who was left with ends of steps.
  class Holder {
   public:
    virtual ~Holder() = default;
    /// Makes an environment take its own; others may take theirs too.
    /// @throws RuntimeError where it is lost
    virtual void bring(int env) = 0;
  };

  /// @param pool  of the topologies that equal scenes share
  /// @throws InputError for a bad scene
  Environment(Scene scene, TopologyPool* pool);

  const Scene& scene() const { return scene_; }
  const BodySystem& system() const { return system_; }
  const State& state() const override {
    ask_for_end();
    return *state_;
  }
  double time_s() const { return state_->time_s; }
  int n_step() const { return state_->step; }
  /// For who keeps it: what it points to never changes.
  std::shared_ptr<const State> shared_state() const {
    ask_for_end();
    return state_;
  }
  /// Of the last step.
  StepContactsView contacts() const override;
  /// Of the robots' links, robot by robot, in the state.
  std::vector<Pose> link_poses() const;
  /// Of the obstacles, and of the frames of the attachments, at the state's time.
  std::vector<Pose> obstacle_poses() const;
  std::vector<Pose> attachment_poses() const { return attachments_.poses(state_->time_s, system_); }
  void set_state(State state);

  /// Targets of drives and frames: see Simulation.
  TargetCommands& commands() { return commands_; }
  const TargetCommands& commands() const { return commands_; }
  void set_holding(const std::string& attachment, bool holds);

  /// All but the solver's memory.
  Checkpoint save() const;
  /// @throws InputError where it is of another scene; nothing has changed then
  void load(const Checkpoint& checkpoint);
  /// Of a failed one: its last step's, which is all that is known where it was loaded as failed.
  StepRecord record_of_failure() const;
  /// It stands still at its last finite state; its rows are at rest: A = M/(theta t), b = 0, v = 0,
  /// no contacts.
  bool failed() const { return failed_; }
  int n_contact() const { return static_cast<int>(found_.contacts.size()); }
  /// Of the built step.
  const ContactPoints& points() const { return found_.points; }

  /// Assembles. Rows that are not finite fail in finish() and are at rest until then. Its contacts
  /// are to be found then, by find_contacts().
  /// @param A_value, b  out: this environment's blocks and rows
  void build(int n_thread, double* A_value, Vec3d* b);
  /// The search for contacts of the built step, which has begun; null where it rests.
  ProximitySearch* search();
  /// @param hits  as ProximitySearch::finish() takes them
  void find_contacts(const std::vector<VertexHit>* hits);
  /// What A and b of the built step were made of, as long as the step is not finished.
  void describe(SoftSource* source) const;
  /// Whether soft surfaces are near each other in the built step.
  bool has_near_surfaces() const;
  /// What its contacts are made of; null where a solver cannot make them.
  const std::shared_ptr<const ObstacleContacts>& obstacle_contacts();
  /// As build(), but leaves A, b and contacts to a solver where it has obstacle_contacts(): only
  /// the rows of one at rest are written.
  /// @param finds_contacts  A, b and contacts are made all the same; not of one that is left
  void prepare(int n_thread, bool finds_contacts, double* A_value, Vec3d* b);
  /// The same for a prepared step, contacts included.
  void describe_all(SoftSource* source);
  /// Whether the end of its last step is the solver's.
  bool is_left() const { return holder_ != nullptr; }
  /// Takes the end of its last step, where it is the solver's.
  void ask_for_end() const {
    if (holder_ != nullptr) holder_->bring(place_);
  }
  /// Whether the coming step can only be prepared after ask_for_end().
  bool needs_end() const { return is_left() && !commands_.fault().empty(); }

  /// Whether the k-th step after the prepared one, k >= 0, brings nothing that the prepared one
  /// does not but poses of obstacles, if all between are left and the same holds of them.
  bool can_be_ahead(int k) const;
  /// Poses of the obstacles in the k-th step after the prepared one, k >= 1; until it is asked
  /// again.
  std::span<const ObstacleMotion> obstacles_ahead(int k);

  /// What a solver tells of a prepared step's end.
  struct Left {
    const SolveReport& report;
    const SoftEnd& end;
    std::span<const SoftDepth> depth;    ///< [body][obstacle]
    std::span<const double> pair_depth;  ///< per search of soft surfaces
    std::span<const HoldSums> holds;     ///< of the attachments
    Holder* holder;                      ///< what is asked for it
    int place;                           ///< the environment's number there
  };
  /// Goes to the end of a prepared step, which stays with the solver. Not to be called for a failed
  /// environment.
  /// @param record  out, all but env and times
  /// @return false where the step has to be finished here: take_start(), then finish()
  bool leave(const Left& left, StepRecord* record);
  /// What a solver found in a prepared step.
  struct Found {
    const Vec3d *x, *v;  ///< where the step began, a value a node
    std::span<const NodeAtObstacle> near;
    std::span<const SoftPair> pairs;  ///< of soft surfaces
  };
  /// The start of a prepared step that was not left, and its contacts.
  void take_start(const Found& found);
  /// The end of the step that was left. @param v_hat, lambda  the answer
  void take_end(const Found& found, const Vec3d* v_hat, const Vec3d* lambda);
  /// Where a prepared step begins that the solver has refused, and what the step starts from: the
  /// end of the last one, whose contacts are gone. The coming step is not prepared any longer.
  /// @param v_hat, lambda  the answer of that step, at found.near and found.pairs where there are
  ///                       forces
  void take_back(const Found& found, const Vec3d* v_hat, const Vec3d* lambda);
  /// Finds the contacts alone, for a method that needs no matrix.
  /// @return whether the step can be taken; where not, finish() fails
  bool detect(int n_thread);
  const Attachments& attachments() const { return attachments_; }
  /// Of the built step.
  const Pushes& pushes() const { return pushes_; }
  const StepContacts& found() const { return found_; }
  /// Contacts of the built step at their places in the merged problem.
  /// @param first_row    of the environment in the merged problem
  /// @param first_point  index of its first point as a side of a contact there
  /// @param contacts     out: n_contact
  void put_contacts(std::int32_t first_row, std::int32_t first_point,
                    Contact<double>* contacts) const;
  /// Where its solution starts from. @param lambda  out: n_contact
  void put_forces(Vec3d* lambda) const;
  /// @param v  out: a value a row
  void put_velocities(Vec3d* v) const;

  /// An answer, and the contacts it belongs to: a range of the merged problem's, which are those
  /// of the built step.
  struct Answer {
    const SolveReport& report;
    const Vec3d* v_hat;
    const Contact<double>* contacts;  ///< null: as they were built
    const Vec3d* lambda;
    int n_contact;
    std::int32_t first_row;        ///< of the environment in the merged problem
    std::int32_t first_point;      ///< of its points as sides of contacts there
    const StepEnd* end = nullptr;  ///< null: v_hat says it
  };
  /// Goes to the end of the step where the answer is finite, and fails otherwise. Not to be called
  /// for a failed environment.
  /// @param record  out, all but env and times
  void finish(const Answer& answer, StepRecord* record);
  /// The end of the step that finish() recorded.
  StepView view(const StepRecord& record) const;

 private:
  double time_after(int step) const;
  void begin_step(int n_thread);
  void set_loads();
  bool is_input_finite() const;
  bool are_loads_finite() const;
  void set_start(const Found& found);
  void go_on();
  void assemble(int n_thread, double* A_value, Vec3d* b);
  void rest(double* A_value, Vec3d* b) const;
  void keep(const Answer& answer);
  void keep_forces(const Vec3d* lambda);
  void set_slip_velocities(const Vec3d* v_hat);
  void judge_end(StepRecord* record);
  void add_totals(std::span<const HoldSums> holds, const BodyEnergies& bodies,
                  StepRecord* record) const;
  void measure(const State& start, const Answer& answer, StepRecord* record);
  void watch_start();
  void set_nothing(StepRecord* record) const;
  void own_state();
  bool advance(const Answer& answer);

  Scene scene_;
  BodySystem system_;
  TargetCommands commands_;
  Mounts mounts_;
  Attachments attachments_;
  Pushes pushes_;
  ForceSensors force_sensors_;
  FreeMotion free_motion_;
  std::unique_ptr<ContactFinder> finder_;
  std::optional<std::shared_ptr<const ObstacleContacts>> obstacle_contacts_;  ///< once asked for
  OverlapWatch overlap_watch_;
  std::vector<double> carried_gap_m_;  ///< of the contacts, by the answer
  ContactFinder::EndOfStep end_of_step_;
  std::vector<ObstacleMotion> obstacles_ahead_;
  std::shared_ptr<State> state_;  ///< changed only where nobody else holds it
  double time_origin_s_ = 0;      ///< time of step 0
  bool failed_ = false;
  std::string failure_;  ///< why it failed
  std::string fault_;    ///< why the built step cannot be solved; empty where it can

  InitialGuess guess_;        ///< for the next step
  Holder* holder_ = nullptr;  ///< of the end of the last step; null: it is here
  int place_ = 0;             ///< its number there
  double left_start_s_ = 0;   ///< when that step began
  int left_start_ = 0;        ///< steps before it

  int n_thread_ = 1;                    ///< of the step that is built
  bool solver_makes_contacts_ = false;  ///< of that step
  StepContacts found_;
  std::vector<Vec3d> lambda_;
  std::vector<Vec3d> force_on_side_;  ///< scratch of obstacle_force
  std::vector<ContactState> contact_state_;
  std::vector<std::int32_t> held_nodes_;  ///< that attachments may hold, ascending
  std::vector<Vec3d> force_;              ///< of attachments, per node; zero but at held ones [N]
  std::vector<double> diagonal_;          ///< likewise [kg/s]
  std::vector<Wrench> robot_sensors_;     ///< of the step
};

}  // namespace nodia
