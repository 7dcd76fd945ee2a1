#include "host/scene/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "host/scene/keys.hpp"
#include "host/scene/limits.hpp"
#include "host/scene/rules.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/value_error.hpp"

namespace nodia {
namespace {

void validate_time(TimeOptions time) {
  KeyCheck check("time");
  visit_keys(check, time);
  constexpr double kRounding = 1e-9;  // for a quotient of decimal fractions
  require(time.duration_s >= time.step_s * (1 - kRounding), "time.duration_s", time.duration_s,
          fmt::format(">= time.step_s = {}", time.step_s), "a simulation has one step or more");
  require(time.duration_s / time.step_s <= kMaxSteps, "time.duration_s", time.duration_s,
          fmt::format("at most {} steps of {} s", kMaxSteps, time.step_s), "");
}

void validate_contact(ContactOptions contact) {
  KeyCheck check("contact");
  visit_keys(check, contact);
}

template <class Object>
void require_names(const char* group, const std::vector<Object>& objects) {
  std::set<std::string> seen;
  for (std::size_t k = 0; k < objects.size(); ++k) {
    const std::string& name = objects[k].name;
    const std::string path = fmt::format("{}.{}.name", group, k);
    if (name.empty()) throw_bad_value(path, "''", "not empty", "name every object");
    require_plain_name(path, name);
    if (!seen.insert(name).second)
      throw_bad_value(path, name, "unique", "an earlier one has this name");
  }
}

/// Objects that may collide share a name space.
void require_distinct_names(const Scene& scene) {
  std::set<std::string> seen;
  visit_objects(scene, [&](ObjectKind, const char* group, const auto& objects) {
    for (const auto& object : objects)
      if (!seen.insert(object.name).second)
        throw_bad_value(fmt::format("{}.{}", group, object.name), "{...}",
                        "named as no other body, cable, robot or obstacle", "rename one of them");
  });
}

/// Force sensors are identified by their names alone, also among mounts and attachments.
void require_distinct_sensors(const Scene& scene) {
  std::set<std::string> seen;
  for (const std::string& name : names_in(scene.mounts, scene.attachments)) seen.insert(name);
  for (const RobotSceneDescription& robot : scene.robots) {
    for (std::size_t k = 0; k < robot.force_sensors.size(); ++k) {
      const std::string& name = robot.force_sensors[k].name;
      const std::string path = fmt::format("robots.{}.force_sensors.", robot.name);
      if (name.empty())
        throw_bad_value(fmt::format("{}{}.name", path, k), "''", "not empty", "name every sensor");
      require_plain_name(fmt::format("{}{}.name", path, k), name);
      if (!seen.insert(name).second)
        throw_bad_value(path + name, "{...}", "named as no other mount, attachment or force sensor",
                        "rename one of them");
    }
  }
}

}  // namespace

void require_bodies(std::size_t n_body) {
  if (n_body > 0) return;
  std::string groups;
  visit_objects(Scene{}, [&](ObjectKind kind, const char* group, const auto&) {
    if (kind != ObjectKind::obstacle)
      groups += fmt::format("{}{}", groups.empty() ? "" : ", ", group);
  });
  throw ValueError("", groups + " (must have at least one body in one of them)");
}

void validate_friction_pairs(const Scene& scene) {
  std::vector<std::string> bodies, surfaces;
  visit_objects(scene, [&](ObjectKind kind, const char*, const auto& objects) {
    for (const auto& object : objects) {
      surfaces.push_back(object.name);
      if (kind != ObjectKind::obstacle) bodies.push_back(object.name);
    }
  });
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t k = 0; k < scene.friction_pairs.size(); ++k) {
    const PairFriction& pair = scene.friction_pairs[k];
    const std::string path = fmt::format("friction_pairs.{}", k);
    require_known(path + ".body", pair.body, bodies, "the name of a body");
    require_known(path + ".obstacle", pair.obstacle, surfaces, "the name of an obstacle");
    require_finite(path + ".axis", pair.axis, "zero for none");
    KeyCheck check(path);
    std::optional<double> both, friction_1 = pair.friction_1, friction_2 = pair.friction_2;
    visit_pair_friction(check, both, friction_1, friction_2);
    // A pair is the same in both orders.
    if (!seen.insert(std::minmax(pair.body, pair.obstacle)).second)
      throw_bad_value(path, "{...}",
                      fmt::format("the only entry of {} and {}", pair.body, pair.obstacle), "");
  }
}

void Scene::validate() const {
  require_plain_name("name", name);
  require_finite("gravity_m_s2", gravity_m_s2, "the Earth's is [0, 0, -9.81]");
  validate_time(time);
  validate_contact(contact);
  std::size_t n_body = 0;
  visit_objects(*this, [&](ObjectKind kind, const char* group, const auto& objects) {
    require_names(group, objects);
    if (kind != ObjectKind::obstacle) n_body += objects.size();
  });
  require_names("mounts", mounts);
  require_names("attachments", attachments);
  require_names("pushes", pushes);
  require_distinct_names(*this);
  require_distinct_sensors(*this);
  require_bodies(n_body);
  visit_objects(*this, [](ObjectKind, const char*, const auto& objects) {
    for (const auto& object : objects) nodia::validate(object);
  });
  for (const MountDescription& mount : mounts) nodia::validate(mount, *this);
  for (const AttachmentDescription& attachment : attachments) nodia::validate(attachment, *this);
  validate_friction_pairs(*this);
  for (const ExternalForceDescription& external_force : pushes)
    nodia::validate(external_force, *this);
}

}  // namespace nodia
