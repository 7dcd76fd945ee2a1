#include "scenarios/build/warnings.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "host/scene/attachment_distance.hpp"
#include "host/scene/friction_table.hpp"
#include "host/scene/touching_pairs.hpp"
#include "host/scene/weight_on_drives.hpp"
#include "scenarios/build/large_meshes.hpp"
#include "scenarios/build/narrow_places.hpp"
#include "scenarios/build/usual_ranges.hpp"
#include "scenarios/format/yaml_path.hpp"
#include "scenarios/task/steps_in.hpp"

namespace nodia {
namespace {

/// An object with a surface.
struct Surface {
  std::string path;  ///< `obstacles.floor`
  double friction = 0;
  bool given = false;  ///< the file sets its friction, or a rule of `randomize` samples it
};

/// Surfaces of all objects, by the number of the object.
std::vector<Surface> surfaces_of(const YamlNode& root, const Scene& scene) {
  std::vector<Surface> surfaces;
  visit_objects(scene, [&](ObjectKind, const char* group, const auto& objects) {
    for (const auto& object : objects) {
      const std::string path = joined(group, object.name);
      surfaces.push_back({path, object.friction, find_node(root, path + ".friction") != nullptr});
    }
  });
  return surfaces;
}

void add_hidden_frictions(const YamlNode& root, const Scene& scene,
                          std::vector<ScenarioWarning>* warnings) {
  const std::vector<Surface> surfaces = surfaces_of(root, scene);
  const FrictionTable table(scene);
  std::vector<std::vector<std::int32_t>> touching(surfaces.size());
  for (const auto& [a, b] : touching_pairs(scene)) {
    if (a == b) continue;
    touching[static_cast<std::size_t>(a)].push_back(b);
    touching[static_cast<std::size_t>(b)].push_back(a);
  }
  for (std::size_t a = 0; a < surfaces.size(); ++a) {
    const Surface& mine = surfaces[a];
    if (!mine.given) continue;
    std::vector<std::string> hiding;
    double larger = 0;
    for (const std::int32_t b : touching[a]) {
      const Surface& other = surfaces[static_cast<std::size_t>(b)];
      if (other.given || !(other.friction > mine.friction)) continue;
      const ContactFriction used = table.of(static_cast<std::int32_t>(a), b);
      if (used.friction_1 != other.friction || used.friction_2 != other.friction) continue;
      hiding.push_back(other.path);
      larger = other.friction;
    }
    if (hiding.empty()) continue;
    const std::string more =
        hiding.size() > 1 ? fmt::format(" and {} more", hiding.size() - 1) : std::string();
    warnings->push_back(
        {mine.path + ".friction",
         fmt::format(
             "{}.friction = {:.6g} has no effect at {}{}: a pair takes the larger friction, and "
             "the default there is {:.6g} (set {}.friction, or an entry of friction_pairs)",
             mine.path, mine.friction, hiding.front(), more, larger, hiding.front())});
  }
}

std::string text_of(const DistantAttachment& attachment_frame) {
  if (attachment_frame.pulls)
    return fmt::format(
        "{} pulls {} by {:.3g} m at the start, and {} is {:.3g} m large (it holds {} where that is "
        "in the first pose of its path; the path may have left it at t = 0)",
        attachment_frame.path, attachment_frame.body, attachment_frame.distance_m,
        attachment_frame.body, attachment_frame.extent_m, attachment_frame.body);
  return fmt::format(
      "{} holds {} from {:.3g} m away, and {} is {:.3g} m large (is it in the right place?)",
      attachment_frame.path, attachment_frame.body, attachment_frame.distance_m,
      attachment_frame.body, attachment_frame.extent_m);
}

void add_weights(const BuiltScene& built, std::vector<ScenarioWarning>* warnings) {
  for (const WeightOnDrive& w : weights_on_drives(built.scene, built.robots)) {
    const std::string robot = "robots." + w.robot;
    const char* const force = w.prismatic ? "N" : "N m";
    if (w.too_heavy)
      warnings->push_back(
          {robot + ".effort." + w.joint,
           fmt::format("{}: joint {} carries {:.3g} {} of the robot's own weight at the start, and "
                       "its effort limit is {:.3g} {}: it will give way",
                       robot, w.joint, w.weight, force, w.limit, force)});
    else
      warnings->push_back(
          {robot + ".sag." + w.joint,
           fmt::format("{}: the weight of {:.3g} {} on joint {} bends its drive by {:.3g} {} "
                       "(gravity_compensation is false; set it, or a larger stiffness)",
                       robot, w.weight, force, w.joint, w.sag, w.prismatic ? "m" : "rad")});
  }
}

/// Warns of external forces that begin after the last step. The last period may end after the
/// duration.
/// @param period_s  length of a time step, or of a control step of a task [s]
void add_late_external_forces(const Scene& scene, double period_s,
                              std::vector<ScenarioWarning>* warnings) {
  const double n_period = steps_in(scene.time.duration_s, period_s);
  for (const ExternalForceDescription& external_force : scene.pushes) {
    if (external_force.from_s < n_period * period_s * (1 - 1e-9)) continue;
    const std::string path = "pushes." + external_force.name;
    warnings->push_back(
        {path + ".from_s",
         fmt::format("{} never acts: it begins at {:.6g} s, and the simulation ends at {:.6g} s "
                     "(set {}.from_s or time.duration_s)",
                     path, external_force.from_s, scene.time.duration_s, path)});
  }
}

/// Adds the warnings of meshes that are probably in millimetres. The cure differs: a URDF file can
/// scale its meshes, the mesh of another body must be scaled in its file.
void add_large_meshes(const ScenarioDocument& document, const Scene& scene,
                      std::vector<ScenarioWarning>* warnings) {
  std::vector<std::string> read_bodies;
  for (const BodyEntry& body : document.bodies)
    if (body.mesh.file) read_bodies.push_back(body.name);
  for (const LargeMesh& mesh : large_meshes(scene, read_bodies)) {
    const std::string size =
        fmt::format("{:.3g} m long (is it in millimetres? lengths are in metres:", mesh.length_m);
    if (!mesh.link) {
      warnings->push_back(
          {mesh.path, fmt::format("{}: its mesh is {} scale the file by 0.001)", mesh.path, size)});
      continue;
    }
    const Vec3d scale = 0.001 * mesh.collision->mesh_scale;
    const std::string about = fmt::format("{}.urdf.{}", mesh.path, mesh.link->name);
    warnings->push_back({about, fmt::format("{}.urdf: the mesh {} of link {} is {} give its <mesh> "
                                            "scale=\"{:g} {:g} {:g}\")",
                                            mesh.path, mesh.collision->mesh_path, mesh.link->name,
                                            size, scale.x, scale.y, scale.z)});
  }
}

/// Adds the warnings of robot files: elements that nodia ignores, and repairs.
void add_robot_files(const Scene& scene, std::vector<ScenarioWarning>* warnings) {
  for (const RobotSceneDescription& robot : scene.robots) {
    for (const std::string& warning : robot.robot.warnings) {
      const std::string text = fmt::format("robots.{}.urdf: {}", robot.name, warning);
      warnings->push_back({text, text});
    }
  }
}

/// Warns of cables whose links touch as spheres with gaps between them.
void add_gaps_between_links(const Scene& scene, std::vector<ScenarioWarning>* warnings) {
  constexpr double kRounding = 1e-9;
  for (const CableDescription& cable : scene.cables) {
    if (cable.contact != RodContact::link_centres) continue;
    const double length_m = length_of(cable);
    const double diameters = length_m / (2 * cable.radius_m) * (1 - kRounding);
    if (!(cable.links < diameters)) continue;
    const std::string path = "cables." + cable.name;
    warnings->push_back(
        {path + ".contact",
         fmt::format("{}: with contact: link_centres, things pass between its links, which are "
                     "{:.3g} m apart and {:.3g} m thick (set contact: segments, or links >= {})",
                     path, length_m / cable.links, 2 * cable.radius_m, std::ceil(diameters))});
  }
}

/// Warns of cables whose links are longer than (2 pi E I/(rho A g))^(1/3): the weight of one link
/// bends its joint by more than 180 degrees.
void add_folding_cables(const Scene& scene, std::vector<ScenarioWarning>* warnings) {
  for (const CableDescription& cable : scene.cables) {
    const RodMaterial& m = cable.material;
    const double stiffness = 0.25 * m.youngs_modulus_Pa * cable.radius_m * cable.radius_m;  // E I/A
    const double longest_m =
        std::cbrt(2 * std::numbers::pi * stiffness / (m.density_kg_m3 * norm(scene.gravity_m_s2)));
    const double length_m = length_of(cable);
    if (cable.links == 1 || !(length_m / cable.links > longest_m)) continue;
    const std::string path = "cables." + cable.name;
    warnings->push_back(
        {path + ".links",
         fmt::format("{}: its links of {:.3g} m are longer than {:.3g} m, where the weight of one "
                     "bends its joint by 180 degrees: it folds (set links >= {})",
                     path, length_m / cable.links, longest_m, std::ceil(length_m / longest_m))});
  }
}

struct ObjectMass {
  std::string path;    ///< `rigid_bodies.cube`
  double mass_kg = 0;  ///< 0 for obstacles, robots and soft bodies, whose masses are not compared
};

double mass_of(const RigidBodyDescription& body) {
  return body.mass_kg;
}
double mass_of(const CompoundDescription& compound) {
  return compound.mass_kg;
}
double mass_of(const CableDescription& cable) {
  return std::numbers::pi * cable.radius_m * cable.radius_m * length_of(cable) *
         cable.material.density_kg_m3;
}
template <class Object>
double mass_of(const Object&) {
  return 0;
}

/// Warns of the two bodies that may touch whose masses differ most, if by more than 1e9.
void add_unequal_masses(const Scene& scene, std::vector<ScenarioWarning>* warnings) {
  constexpr double kMostRatio = 1e9;
  std::vector<ObjectMass> objects;
  visit_objects(scene, [&](ObjectKind, const char* group, const auto& all) {
    for (const auto& object : all) objects.push_back({joined(group, object.name), mass_of(object)});
  });
  double largest = kMostRatio;
  const ObjectMass *light = nullptr, *heavy = nullptr;
  for (const auto& [a, b] : touching_pairs(scene)) {
    const ObjectMass *x = &objects[static_cast<std::size_t>(a)],
                     *y = &objects[static_cast<std::size_t>(b)];
    if (x->mass_kg > y->mass_kg) std::swap(x, y);
    if (!(x->mass_kg > 0 && y->mass_kg > largest * x->mass_kg)) continue;
    largest = y->mass_kg / x->mass_kg;
    light = x;
    heavy = y;
  }
  if (light == nullptr) return;
  warnings->push_back(
      {light->path,
       fmt::format("{} of {:.3g} kg and {} of {:.3g} kg: where they touch, the rounding of the "
                   "heavy one's forces moves the light one (masses should differ by less than a "
                   "factor of 1e9)",
                   light->path, light->mass_kg, heavy->path, heavy->mass_kg)});
}

void add_narrow_places(const Scene& scene, std::vector<ScenarioWarning>* warnings) {
  const double margin_m = scene.contact.margin_m;
  for (const NarrowPlace& place : narrow_places(scene)) {
    const bool is_gap = place.kind == NarrowPlace::Kind::gap;
    const std::string fact =
        is_gap
            ? fmt::format("its collision mesh has a gap of about {:.2g} m, narrower", place.size_m)
            : fmt::format("it is about {:.2g} m thick, thinner", place.size_m);
    const char* const effect = is_gap ? "what is in it touches both sides at once"
                                      : "what is near one of its sides is also near the other";
    warnings->push_back(
        {place.path, fmt::format("{}: {} than contact.margin_m = {:g}: {} (set contact.margin_m = "
                                 "{:.1g})",
                                 place.path, fact, margin_m, effect, 0.5 * place.size_m)});
  }
}

}  // namespace

std::vector<ScenarioWarning> warnings_of(const YamlNode& root, const ScenarioDocument& document,
                                         const BuiltScene& built, const SceneFiles& files) {
  std::vector<ScenarioWarning> warnings;
  for (const BodyEntry& body : document.bodies) {
    const auto notice = files.mesh_notices.find(body.mesh.file.value_or(""));
    if (notice != files.mesh_notices.end())
      warnings.push_back({"bodies." + body.name + ".mesh.file", notice->second});
  }
  for (UnusualValue& value : unusual_values(root, built.scene))
    warnings.push_back({std::move(value.key), std::move(value.text)});
  add_robot_files(built.scene, &warnings);
  add_large_meshes(document, built.scene, &warnings);
  add_hidden_frictions(root, built.scene, &warnings);
  for (const DistantAttachment& attachment_frame : distant_attachments(built.scene, built.robots))
    warnings.push_back({attachment_frame.path, text_of(attachment_frame)});
  add_weights(built, &warnings);
  add_gaps_between_links(built.scene, &warnings);
  add_folding_cables(built.scene, &warnings);
  add_narrow_places(built.scene, &warnings);
  add_unequal_masses(built.scene, &warnings);
  const double step_s = built.scene.time.step_s;
  add_late_external_forces(built.scene, document.task ? 1 / document.task->control_hz : step_s,
                           &warnings);
  return warnings;
}

}  // namespace nodia
