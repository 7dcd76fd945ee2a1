/// The group `task` of scenario files: actions, observations, success and reward.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/scene/scene.hpp"
#include "kernels/core/words.hpp"
#include "scenarios/checks/predicate.hpp"
#include "scenarios/format/visitor.hpp"
#include "scenarios/task/record.hpp"

namespace nodia {

/// Meaning of the components of an action, see docs/tasks.md.
enum class ActionSpace : std::uint8_t {
  joint_position,  ///< targets of joint drives
  joint_delta,     ///< increments of the targets of joint drives
  pose,            ///< targets of pose drives: position, and rotation relative to the first target
  pose_delta,      ///< increments of the targets of pose drives
  picker           ///< increments of frames along paths, and whether attachments are attached
};

constexpr auto words_of(ActionSpace) {
  return std::array{Word{ActionSpace::joint_position, "joint_position"},
                    Word{ActionSpace::joint_delta, "joint_delta"}, Word{ActionSpace::pose, "pose"},
                    Word{ActionSpace::pose_delta, "pose_delta"},
                    Word{ActionSpace::picker, "picker"}};
}

struct ActionDescription {
  std::string robot;  ///< empty: the only robot of the scene
  ActionSpace space = ActionSpace::joint_position;
  std::vector<std::string> joints;     ///< empty: all joints with drives, without the gripper's
  std::vector<std::string> frame;      ///< pose drives of the robot; for picker frames along paths
  std::vector<NamedNumber> low;        ///< lower bounds of targets by joint [rad] or [m]
  std::vector<NamedNumber> high;       ///< upper bounds. Absent: the limit of the joint
  std::optional<Vec3d> low_m, high_m;  ///< bounds of the frames' targets [m]
  std::optional<double> bounds_m;      ///< largest increment along each axis [m], > 0
  std::optional<double> bounds_rad;    ///< largest rotation about each axis [rad], > 0
  std::vector<std::string> hold;       ///< attachments, one component each: attach or release
  std::vector<std::string> gripper;    ///< joints whose drives follow the last component
};

struct SettleDescription {
  double speed_m_s = 1e-3;  ///< largest speed at rest [m/s], > 0
  double at_most_s = 1;     ///< time limit [s], > 0
};

struct SuccessDescription {
  PredicateKind kind;
  double for_s = 0;  ///< time for which the predicates must hold [s], >= 0
};

/// A further predicate that must hold at the same time as the success, for
/// SuccessDescription::for_s too.
struct SuccessCondition {
  std::string name;
  PredicateKind kind;
};

enum class Reward : std::uint8_t {
  success,   ///< 1 in the control step of the success, else 0
  shortfall  ///< reward of `success` minus PredicateWatch::shortfall()
};

constexpr auto words_of(Reward) {
  return std::array{Word{Reward::success, "success"}, Word{Reward::shortfall, "shortfall"}};
}

struct TaskDescription {
  std::string text;
  double control_hz = 0;  ///< control rate [Hz], 1/(time.step_s times a whole number)
  ActionDescription action;
  std::vector<std::string> observe;  ///< names of observables()
  std::optional<SettleDescription> settle;
  std::optional<SuccessDescription> success;   ///< absent: episodes end at their time limit
  std::vector<SuccessCondition> success_also;  ///< empty without a success
  Reward reward = Reward::success;
  /// Standard deviations of normal noise by observable, in the unit of the observable.
  std::optional<std::vector<NamedNumber>> noise;
  std::optional<int> delay_steps;  ///< delay of actions in control steps, >= 0; absent: 0
  RecordDescription record;
  std::string policy = "script";  ///< see parse_policy()
};

inline void visit_keys(DocumentVisitor& v, ActionDescription& a) {
  const auto box = [&](const Key& key, Vec3d& value) { v.vector(key, value, Range::any()); };
  const auto bound = [&](const Key& key, double& value) { v.real(key, value, Range::positive()); };
  v.text({"robot", "that is moved; left out: the only one"}, a.robot);
  v.choice({"space",
            "what the components are: joint_position, joint_delta, pose, pose_delta of a robot's "
            "drives; picker: frames along paths, and whether they hold"},
           a.space, choices_of<ActionSpace>());
  v.texts({"joints",
           "of joint_position and joint_delta; left out: all with a drive but the "
           "gripper's"},
          a.joints);
  v.texts({"frame",
           "pose drives of the robot; of picker obstacles, mounts and attachments along paths"},
          a.frame);
  v.numbers_by_name(
      {"low", "joint: least target; left out: its limit [rad] or [m]", "e.g. {joint_1: -0.5}"},
      a.low);
  v.numbers_by_name(
      {"high", "joint: largest target; left out: its limit [rad] or [m]", "e.g. {joint_1: 0.5}"},
      a.high);
  v.optional({"low_m", "least position of the frames; needed by pose [m]"}, a.low_m, box);
  v.optional({"high_m", "largest position of the frames; needed by pose [m]"}, a.high_m, box);
  v.optional({"bounds_m", "largest way along an axis, or of a sliding joint, in a control step [m]",
              "try 0.02"},
             a.bounds_m, bound);
  v.optional({"bounds_rad",
              "largest turn about an axis, or of a turning joint, in a control step; of pose: "
              "from where the episode began; frames do not turn without it [rad]",
              "try 0.1"},
             a.bounds_rad, bound);
  v.texts(
      {"hold",
       "attachments, a component each: above 0.5 it holds, else it lets go; of picker those that "
       "are no frames"},
      a.hold);
  v.texts({"gripper", "joints whose drives follow the last component, all the same target"},
          a.gripper);
}

inline void visit_keys(DocumentVisitor& v, SettleDescription& s) {
  v.real({"speed_m_s", "at rest: all nodes, bodies and joints slower for a control step [m/s]",
          "try 1e-3"},
         s.speed_m_s, Range::positive());
  v.real({"at_most_s", "of settling [s]", "try 1"}, s.at_most_s, Range::positive());
}

inline void visit_keys(DocumentVisitor& v, SuccessDescription& s) {
  v.tagged({"check", "what is compared", "", true}, s.kind);
  v.real({"for_s", "so long, up to now; 0: the last step, or the last control step [s]", "try 0.5"},
         s.for_s, Range::not_negative());
}

inline void visit_keys(DocumentVisitor& v, SuccessCondition& s) {
  v.tagged({"check", "what is compared", "", true}, s.kind);
}

inline void visit_keys(DocumentVisitor& v, TaskDescription& t) {
  v.text({"text", "what is to be done, in words", "", true}, t.text);
  v.real(
      {"control_hz", "actions a second, 1/(time.step_s times a whole number) [Hz]", "try 25", true},
      t.control_hz, Range::positive());
  v.group({"action", "what an action is", "", true}, t.action);
  v.texts({"observe", "names of what is observed", "e.g. [arm.joints, ball.nodes]", true},
          t.observe);
  v.optional_group({"settle", "rest before the episode; left out: none"}, t.settle);
  v.optional_group({"success", "ends the episode; left out: its time does"}, t.success);
  v.named({"success_also", "what else must be right then, for success.for_s too, by name"},
          t.success_also);
  v.choice(
      {"reward",
       "success: 1 when it is reached; shortfall: that, less what the value at a moment lacks"},
      t.reward, choices_of<Reward>());
  v.optional({"noise",
              "standard deviation of normal noise on an observation, by its name and in its unit; "
              "left out: none",
              "e.g. {arm.joints: 1e-3}"},
             t.noise, [&](const Key& key, std::vector<NamedNumber>& noise) {
               v.numbers_by_name(key, noise);
             });
  v.optional({"delay_steps", "control steps by which actions take effect later; left out: 0"},
             t.delay_steps, [&](const Key& key, int& steps) { v.integer(key, steps, 0, 1000000); });
  v.group({"record", "what a dataset keeps beside actions, observations and quality"}, t.record);
  v.text({"policy", "who acts: script (the scenario's paths), FILE.py:CLASS, or a log's file"},
         t.policy);
}

/// Time steps per control step. @throws ValueError if this is not a whole number
int steps_per_action(const TaskDescription& task, const Scene& scene);

/// Control steps of an episode: time.duration_s, rounded up.
int actions_per_episode(const TaskDescription& task, const Scene& scene);

/// Number of time steps for which a predicate must hold: for_s, rounded up. At least 1 for an
/// instantaneous predicate; otherwise a whole number of control steps, at least one.
int success_steps(const TaskDescription& task, const PredicateKind& kind, const Scene& scene);
/// Maximum over all predicates of the success.
int success_steps(const TaskDescription& task, const Scene& scene);

/// Validates a task in its scene.
/// @throws ValueError for the first broken rule, such as `task.action.joints = ...`
void validate(const TaskDescription& task, const Scene& scene);

}  // namespace nodia
