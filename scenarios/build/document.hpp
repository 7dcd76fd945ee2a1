/// Content of a scenario file, before any mesh is read.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/build/attachment.hpp"
#include "scenarios/build/cable.hpp"
#include "scenarios/build/compound.hpp"
#include "scenarios/build/external_force.hpp"
#include "scenarios/build/friction_pair.hpp"
#include "scenarios/build/mount.hpp"
#include "scenarios/build/obstacle.hpp"
#include "scenarios/build/options.hpp"
#include "scenarios/build/rigid_body.hpp"
#include "scenarios/build/robot.hpp"
#include "scenarios/build/soft_body.hpp"
#include "scenarios/checks/check.hpp"
#include "scenarios/format/document_keys.hpp"
#include "scenarios/format/draw_rule.hpp"
#include "scenarios/format/visitor.hpp"
#include "scenarios/format/yaml_tree.hpp"
#include "scenarios/task/task.hpp"

namespace nodia {

/// Newest version of the file format, key `format_version`.
inline constexpr int kScenarioVersion = 1;

struct ScenarioDocument {
  int format_version = kScenarioVersion;
  std::string name;
  std::string description;
  std::optional<std::uint64_t> seed, episode;
  std::optional<int> attempt;
  int environments = 1;
  Vec3d gravity_m_s2 = Scene{}.gravity_m_s2;
  TimeOptions time;
  ContactOptions contact;
  SolverOptions solver;
  std::vector<BodyEntry> bodies;
  std::vector<RigidBodyEntry> rigid_bodies;
  std::vector<CableEntry> cables;
  std::vector<CompoundEntry> compounds;
  std::vector<RobotEntry> robots;
  std::map<std::string, std::string> packages;  ///< folders of URDF packages by name
  std::vector<ObstacleEntry> obstacles;
  std::vector<MountEntry> mounts;
  std::vector<AttachmentEntry> attachments;
  std::vector<FrictionPairEntry> friction_pairs;
  std::vector<ExternalForceDescription> pushes;
  std::vector<DrawRule> randomize;
  CheckOptions checks;
  std::optional<TaskDescription> task;
  OutputOptions output;
};

/// Calls each(key, entries, member of Scene) for every kind of objects.
template <class Document, class Each>
void visit_objects(Document& d, Each&& each) {
  each(Key{"bodies", "soft bodies by name"}, d.bodies, &Scene::soft_bodies);
  each(Key{"rigid_bodies", "dynamic rigid bodies by name"}, d.rigid_bodies, &Scene::rigid_bodies);
  each(Key{"cables", "Cosserat rods of circular section by name"}, d.cables, &Scene::cables);
  each(Key{"compounds", "rigid bodies of several parts by name"}, d.compounds, &Scene::compounds);
  each(Key{"robots", "articulated robots by name"}, d.robots, &Scene::robots);
  each(Key{"obstacles", "rigid obstacles by name, fixed or moving along paths"}, d.obstacles,
       &Scene::obstacles);
}

inline void visit_keys(DocumentVisitor& v, ScenarioDocument& d) {
  v.integer({"format_version", "of scenario files", "a larger number needs a newer nodia"},
            d.format_version, 1, kScenarioVersion);
  v.text({"name", "of the scenario", "", true}, d.name);
  v.text({"description", "what it shows"}, d.description);
  const auto whole = [&](const Key& key, std::uint64_t& value) { v.unsigned_64(key, value); };
  v.optional({"seed", "draws the values of randomize, as --seed does; left out: nothing is drawn"},
             d.seed, whole);
  v.optional(
      {"episode",
       "of the seed, as --episode gives it: draws other values than any other episode of any "
       "seed; left out: 0"},
      d.episode, whole);
  v.optional({"attempt", "number of rejected starts of the episode before this one; left out: 0"},
             d.attempt, [&](const Key& key, int& value) {
               v.integer(key, value, 0, std::numeric_limits<int>::max());
             });
  v.integer(
      {"environments",
       "of a batch, as --envs sets it; environment e draws with seed + e, and with seed 0 + e "
       "where no seed is given",
       "try 1"},
      d.environments, 1, kMaxEnvironments);
  v.vector({"gravity_m_s2", "[m/s^2]", "try [0, 0, -9.81]: z is up"}, d.gravity_m_s2, Range::any());
  v.group({"time", "time stepping"}, d.time);
  v.group({"contact", "detection and penetration recovery"}, d.contact);
  v.group({"solver", "contact solver"}, d.solver);
  visit_objects(d, [&](const Key& key, auto& entries, auto) { v.named(key, entries); });
  v.folders_by_name(
      {"packages",
       "folders of the packages that scenario and URDF files name in package://NAME/FILE, by name; "
       "others are searched for in the folders above the file"},
      d.packages);
  v.named({"mounts", "elastic joints that hold cables and rigid bodies, each a sensor, by name"},
          d.mounts);
  v.named({"attachments", "nodes of soft bodies held by moving frames, each a sensor, by name"},
          d.attachments);
  v.list({"friction_pairs", "friction of pairs in place of the larger of both"}, d.friction_pairs);
  v.named({"pushes", "forces on bodies for a time, by name"}, d.pushes);
  v.draw_rules({"randomize",
                "dotted key: how its value is drawn where a seed is given; [low, high]: uniformly"},
               d.randomize);
  v.named({"checks", "answers known beforehand, by name"}, d.checks);
  v.optional_group({"task", "what a learner does, sees and is rewarded for"}, d.task);
  v.group({"output", "trajectory"}, d.output);
}

/// Reads a scenario file. @throws InputError for the first broken rule of a key
ScenarioDocument read_document(const YamlNode& root);

/// Writes the document as YAML. read_document() of this text returns the same document.
std::string written(ScenarioDocument document);

/// Keys of scenario files.
const DocumentKeys& scenario_keys();

/// JSON Schema (draft 2020-12) of scenario files; the text of
/// scenarios/schema/scenario.schema.json.
std::string scenario_schema();

}  // namespace nodia
