#include "scenarios/dataset/episode_recorder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "fem/robot/robot_model.hpp"
#include "host/scene/rules.hpp"
#include "kernels/core/rotation.hpp"

namespace nodia {
namespace {

using Texts = std::vector<std::string>;

template <class Number, class T>
requires std::is_arithmetic_v<Number>
void put(Number value, std::vector<T>* values) {
  values->push_back(static_cast<T>(value));
}

template <class T>
void put(Vec3d v, std::vector<T>* values) {
  for (int axis = 0; axis < 3; ++axis) values->push_back(static_cast<T>(v[axis]));
}

void put(const FramePose& pose, std::vector<double>* values) {
  put(pose.position, values);
  for (const double component :
       {pose.orientation.w, pose.orientation.x, pose.orientation.y, pose.orientation.z})
    values->push_back(component);
}

void put(const Pose& pose, std::vector<double>* values) {
  put(FramePose{pose.position, quaternion_from_rotation(pose.rotation)}, values);
}

NamedArray array(std::vector<std::uint64_t> shape, ArrayValues values, const std::string& unit) {
  return {std::move(shape), std::move(values), {{"unit", unit}}};
}

const Texts kPoseNames = {"x", "y", "z", "qw", "qx", "qy", "qz"};
const Texts kWrenchNames = {"fx", "fy", "fz", "tx", "ty", "tz"};
constexpr const char* kPoseUnit = "m,m,m,1,1,1,1";
constexpr const char* kWrenchUnit = "N,N,N,N m,N m,N m";

/// Names of the entries along the last axis of an observation.
Texts names_of(const Observable& observable, const Scene& scene) {
  switch (observable.quantity) {
    case Quantity::time:
      return {"time"};
    case Quantity::joints:
    case Quantity::joint_velocities:
    case Quantity::effort:
    case Quantity::joint_targets:
      break;
    case Quantity::wrench:
      return kWrenchNames;
    case Quantity::nodes:
    case Quantity::node_velocities:
    case Quantity::centre:
    case Quantity::contact_force:
      return {"x", "y", "z"};
    case Quantity::link_pose:
    case Quantity::poses:
    case Quantity::pose:
    case Quantity::frame_pose:
      return kPoseNames;
  }
  const std::string robot = observable.name.substr(0, observable.name.rfind('.'));
  Texts names;
  for (const RobotSceneDescription& each : scene.robots) {
    if (each.name != robot) continue;
    if (observable.quantity == Quantity::joint_targets) {
      for (const JointDriveDescription& drive : each.joint_drives) names.push_back(drive.joint);
    } else {
      const RobotModel model(each.robot, each.base);
      for (const RobotCoordinate& c : model.coordinates()) names.push_back(c.joint);
    }
  }
  return names;
}

/// Adds the arrays of states: `PREFIXx`, `PREFIXframes`, `PREFIXq`, `PREFIXv`. Arrays without
/// entries are omitted.
/// @param shape  leading axes, before the axes of one state
/// @param like   state with the sizes of all states
void add_states(const std::string& prefix, const std::vector<const State*>& states,
                const std::vector<std::uint64_t>& shape, const State& like, ArrayGroup* episode) {
  const auto add = [&](const char* name, std::uint64_t n, std::uint64_t width, const char* unit,
                       const auto& put_one) {
    if (n == 0) return;
    std::vector<double> values;
    for (const State* state : states) put_one(*state, &values);
    std::vector<std::uint64_t> whole = shape;
    whole.push_back(n);
    if (width > 1) whole.push_back(width);
    episode->arrays[prefix + name] = array(std::move(whole), std::move(values), unit);
  };
  using Values = std::vector<double>;
  add("x", like.x.size(), 3, "m", [](const State& s, Values* to) {
    for (const Vec3d x : s.x) put(x, to);
  });
  add("frames", like.frames.size(), 7, kPoseUnit, [](const State& s, Values* to) {
    for (const FramePose& frame : s.frames) put(frame, to);
  });
  add("q", like.q.size(), 1, "m or rad",
      [](const State& s, Values* to) { to->insert(to->end(), s.q.begin(), s.q.end()); });
  add("v", like.v.size(), 3, "m/s or rad/s", [](const State& s, Values* to) {
    for (const Vec3d v : s.v) put(v, to);
  });
}

}  // namespace

std::vector<double> recordable_action(std::vector<double> action,
                                      const std::vector<ActionComponent>& components) {
  for (std::size_t k = 0; k < action.size() && k < components.size(); ++k) {
    const double low = components[k].low, high = components[k].high;
    auto rounded = static_cast<float>(action[k]);
    if (action[k] <= high && rounded > high)
      rounded = std::nextafter(rounded, -std::numeric_limits<float>::infinity());
    if (action[k] >= low && rounded < low)
      rounded = std::nextafter(rounded, std::numeric_limits<float>::infinity());
    action[k] = static_cast<double>(rounded);
  }
  return action;
}

EpisodeRecorder::EpisodeRecorder(const TaskEnvironments& environments, int env)
    : environments_(environments),
      env_(env),
      objects_(scene()),
      quality_(scene(), environments.simulation().state(env)),
      start_(environments.simulation().state(env)),
      observations_(environments.observation_space().size()),
      truth_(environments.task().noise ? observations_.size() : 0) {
  observe();
}

void EpisodeRecorder::see(const StepView& view) {
  quality_.see(view);
  const RecordDescription& record = environments_.task().record;
  if (record.has(nodia::Recorded::state)) last_.state = view.state();
  if (record.has(nodia::Recorded::wrench)) last_.sensors = view.record.sensors;
  if (record.has(nodia::Recorded::contacts))
    last_.contacts = contact_record(view.source.contacts(), objects_, &ContactQuantity::in_dataset);
}

void EpisodeRecorder::end_control_step() {
  const TaskReport& report = environments_.report(env_);
  for (const double component : environments_.action(env_))
    action_.push_back(static_cast<float>(component));
  targets_.push_back(environments_.targets(env_));
  reward_.push_back(report.reward);
  success_.push_back(report.success ? 1 : 0);
  terminated_.push_back(report.terminated ? 1 : 0);
  truncated_.push_back(report.truncated ? 1 : 0);
  quality_.end_control_step(report);
  ++n_step_;
  observe();
  if (!report.failed && n_step_ % environments_.task().record.every == 0) {
    recorded_step_.push_back(n_step_ - 1);
    recorded_.push_back(last_);
  }
}

std::span<const double> EpisodeRecorder::own(const std::vector<double>& values,
                                             std::size_t k) const {
  const auto size = static_cast<std::size_t>(environments_.observation_space()[k].size());
  return std::span(values).subspan(static_cast<std::size_t>(env_) * size, size);
}

void EpisodeRecorder::observe() {
  time_s_.push_back(environments_.simulation().state(env_).time_s);
  for (std::size_t k = 0; k < observations_.size(); ++k)
    for (const double value : own(environments_.observation(static_cast<int>(k)), k))
      observations_[k].push_back(static_cast<float>(value));
  for (std::size_t k = 0; k < truth_.size(); ++k)
    for (const double value : own(environments_.true_observation(static_cast<int>(k)), k))
      truth_[k].push_back(static_cast<float>(value));
}

void EpisodeRecorder::add_to(ArrayGroup* episode) const {
  const auto n = static_cast<std::uint64_t>(n_step_);
  const std::vector<ActionComponent>& components = environments_.action_space();
  auto& arrays = episode->arrays;
  arrays["time_s"] = array({n + 1}, time_s_, "s");
  NamedArray& action = arrays["action"] = array({n, components.size()}, action_, "");
  Texts units;
  std::vector<double> low, high;
  for (const ActionComponent& c : components) {
    units.push_back(c.unit);
    low.push_back(c.low);
    high.push_back(c.high);
  }
  action.attributes = {{"unit", fmt::format("{}", fmt::join(units, ","))},
                       {"units", units},
                       {"names", nodia::names_of(components)},
                       {"low", low},
                       {"high", high}};
  add_targets(episode);
  add_observations(episode);
  arrays["reward"] = array({n}, reward_, "");
  arrays["success"] = array({n}, success_, "");
  arrays["terminated"] = array({n}, terminated_, "");
  arrays["truncated"] = array({n}, truncated_, "");
  quality_.add_to(episode);
  add_states("start/", {&start_}, {}, start_, episode);
  add_recorded(episode);
}

void EpisodeRecorder::add_targets(ArrayGroup* episode) const {
  if (targets_.empty()) return;
  const auto n = static_cast<std::uint64_t>(n_step_);
  const TaskDescription& task = environments_.task();
  const Scene& scene = this->scene();
  const ActionMap map(task, scene);
  if (const std::size_t n_joint = targets_.front().joints.size(); n_joint > 0) {
    std::vector<double> joints;
    for (const ActionTargets& t : targets_)
      joints.insert(joints.end(), t.joints.begin(), t.joints.end());
    const RobotSceneDescription& robot = scene.robots[static_cast<std::size_t>(map.robot())];
    Texts names;
    for (const JointDriveDescription& drive : robot.joint_drives) names.push_back(drive.joint);
    const std::string unit =
        nodia::observables(scene, {robot.name + ".joint_targets"}, "").front().unit;
    NamedArray& made = episode->arrays["targets/joints"] = array({n, n_joint}, joints, unit);
    made.attributes["names"] = names;
  }
  if (const std::size_t n_frame = targets_.front().frames.size(); n_frame > 0) {
    std::vector<double> frames;
    for (const ActionTargets& t : targets_)
      for (const Pose& pose : t.frames) put(pose, &frames);
    NamedArray& made = episode->arrays["targets/frames"] =
        array({n, n_frame, 7}, frames, kPoseUnit);
    made.attributes["names"] = map.frames();
  }
  if (const std::size_t n_attachment = map.attachments().size(); n_attachment > 0) {
    std::vector<std::uint8_t> holding;
    for (const ActionTargets& t : targets_)
      for (const char holds : t.holding) holding.push_back(holds ? 1 : 0);
    NamedArray& made = episode->arrays["targets/holding"] = array({n, n_attachment}, holding, "");
    made.attributes["names"] = map.attachments();
  }
}

void EpisodeRecorder::add_observations(ArrayGroup* episode) const {
  for (std::size_t k = 0; k < observations_.size(); ++k) {
    const Observable& observable = environments_.observation_space()[k];
    std::vector<std::uint64_t> shape = {static_cast<std::uint64_t>(n_step_) + 1};
    shape.insert(shape.end(), observable.shape.begin(), observable.shape.end());
    NamedArray& made = episode->arrays["observation/" + observable.name] =
        array(std::move(shape), observations_[k], observable.unit);
    made.attributes["names"] = names_of(observable, scene());
    if (truth_.empty()) continue;
    NamedArray& truth = episode->arrays["truth/" + observable.name] = made;
    truth.values = truth_[k];
  }
}

void EpisodeRecorder::add_recorded(ArrayGroup* episode) const {
  const RecordDescription& record = environments_.task().record;
  if (record.what.empty()) return;
  const std::uint64_t n = recorded_.size();
  episode->arrays["recorded_step"] = array({n}, recorded_step_, "");
  if (record.has(nodia::Recorded::state)) {
    std::vector<const State*> states;
    for (const Recorded& one : recorded_) states.push_back(&one.state);
    add_states("state/", states, {n}, start_, episode);
  }
  if (record.has(nodia::Recorded::wrench)) {
    const Texts names = sensor_names(scene());
    for (std::size_t k = 0; k < names.size(); ++k) {
      std::vector<float> values;
      for (const Recorded& one : recorded_) {
        put(one.sensors.at(k).force_N, &values);
        put(one.sensors.at(k).torque_Nm, &values);
      }
      NamedArray& made = episode->arrays["wrench/" + names[k]] =
          array({n, 6}, std::move(values), kWrenchUnit);
      made.attributes["names"] = kWrenchNames;
    }
  }
  if (record.has(nodia::Recorded::contacts)) add_contacts(episode);
}

void EpisodeRecorder::add_contacts(ArrayGroup* episode) const {
  auto& arrays = episode->arrays;
  std::vector<std::int64_t> offsets = {0};
  for (const Recorded& one : recorded_)
    offsets.push_back(offsets.back() + static_cast<std::int64_t>(one.contacts.n_contact()));
  const auto n = static_cast<std::uint64_t>(offsets.back());
  arrays["contacts/offsets"] = array({offsets.size()}, offsets, "");
  const std::vector<ContactRecord::Column>& columns = last_.contacts.columns;
  const auto add = [&]<class T>(std::size_t k, const std::vector<T>&) {
    constexpr bool is_vector = std::is_same_v<T, Vec3d>, is_integer = std::is_integral_v<T>;
    std::vector<std::conditional_t<is_integer, T, float>> values;
    for (const Recorded& one : recorded_)
      for (const T& value : std::get<std::vector<T>>(one.contacts.columns[k].values))
        put(value, &values);
    arrays[std::string("contacts/") + columns[k].name] =
        array(is_vector ? std::vector{n, std::uint64_t{3}} : std::vector{n}, std::move(values),
              columns[k].quantity->unit);
  };
  for (std::size_t k = 0; k < columns.size(); ++k)
    std::visit([&](const auto& none) { add(k, none); }, columns[k].values);
  arrays["contacts/state"].attributes["names"] = Texts{"open", "stick", "slip"};
  for (const char* name : {"contacts/body_i", "contacts/body_j"})
    arrays[name].attributes["names"] = objects_.names();
}

}  // namespace nodia
