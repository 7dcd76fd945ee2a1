#include "scenarios/loader/build_scene.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fem/gmsh.hpp"
#include "fem/mesh_quality.hpp"
#include "fem/meshers.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "scenarios/loader/reader.hpp"

namespace nodia {
namespace {

constexpr double kMaxSteps = 1e9;

template <class T>
std::vector<std::string> names_of(const std::vector<T>& members) {
  std::vector<std::string> names;
  for (const T& member : members) names.push_back(member.name);
  return names;
}

/// Refuses a reference to something that is not there.
void require_known(const YamlNode& root, const std::string& path, const std::string& name,
                   const std::vector<std::string>& known, const char* what) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  refuse_value(
      nearest_node(root, path), path, what,
      known.empty() ? "there is none" : fmt::format("did you mean {}?", nearest_name(name, known)));
}

/// Runs something that reads or makes a part; its error is told with the key that asked for it.
template <class F>
auto named_errors(const YamlNode& root, const std::string& path, const F& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}: {}: {}", location(nearest_node(root, path)), path, error.what()));
  }
}

/// Every keyframe complete; times ascending.
template <class Entry>
void complete_path(const YamlNode& root, const std::string& path, Entry* entry) {
  Vec3d position = entry->position_m;
  Quaternion orientation = entry->orientation_wxyz;
  for (std::size_t k = 0; k < entry->path.size(); ++k) {
    PathEntry& key = entry->path[k];
    if (k > 0 && !(key.time_s > entry->path[k - 1].time_s)) {
      const std::string where = fmt::format("{}.path.{}.time_s", path, k);
      refuse_value(nearest_node(root, where), where,
                   fmt::format("> {}, the time of the keyframe before", entry->path[k - 1].time_s),
                   "list keyframes in ascending time");
    }
    position = key.position_m.value_or(position);
    orientation = key.orientation_wxyz.value_or(orientation);
    key.position_m = position;
    key.orientation_wxyz = orientation;
  }
}

void require_window(const YamlNode& root, const std::string& path, const ScenarioDocument& document,
                    double from_s, double to_s) {
  const std::string where = path + ".to_s";
  if (!(to_s > from_s)) {
    refuse_value(nearest_node(root, where), where, fmt::format("> from_s = {}", from_s), "");
  }
  if (to_s - from_s < document.time.step_s) {
    refuse_value(nearest_node(root, where), where,
                 fmt::format("at least a step ({} s) behind from_s", document.time.step_s), "");
  }
}

/// Rules between the keys of checks.
struct CheckRules {
  const YamlNode& root;
  const ScenarioDocument& document;
  std::string path;

  void operator()(const WeightOnObstacle& check) const {
    require_known(root, path + ".obstacle", check.obstacle, names_of(document.obstacles),
                  "the name of an obstacle");
    require_window(root, path, document, check.from_s, check.to_s);
    if (squared_norm(document.gravity_m_s2) == 0) {
      refuse_value(nearest_node(root, path + ".check"), path + ".check",
                   "used with gravity_m_s2 other than zero", "leave the check out");
    }
  }
  void operator()(const MaxPenetration&) const {}
  void operator()(const FrictionInCone&) const {}
  void operator()(const AllStepsConverged&) const {}
  void operator()(const EnergyNonIncreasing& check) const {
    require_window(root, path, document, check.from_s, check.to_s);
  }
  void operator()(const NodePosition& check) const {
    require_known(root, path + ".body", check.body, names_of(document.bodies),
                  "the name of a body");
    if (!check.above_m && !check.below_m) {
      throw InputError(fmt::format("{}: {} (must have above_m or below_m)",
                                   location(nearest_node(root, path)), path));
    }
  }
  void operator()(const SticksAndSlips& check) const {
    require_window(root, path, document, check.from_s, check.to_s);
  }
};

Path path_of(const Vec3d& position, const Quaternion& orientation,
             const std::vector<PathEntry>& entries) {
  Path path;
  if (entries.empty()) path.keys.push_back({0, position, orientation});
  for (const PathEntry& entry : entries) {
    path.keys.push_back({entry.time_s, *entry.position_m, *entry.orientation_wxyz});
  }
  return path;
}

TetMesh mesh_of(const MeshSource& source, SceneFiles* files) {
  if (source.file) {
    const auto found = files->meshes.find(*source.file);
    if (found != files->meshes.end()) return found->second;
    return files->meshes[*source.file] = read_gmsh(*source.file);
  }
  if (source.box) {
    const std::array<int, 3>& n = source.box->cells;
    const double n_node = (n[0] + 1.0) * (n[1] + 1.0) * (n[2] + 1.0);
    require(n_node <= kMaxMeshNodes, "box.cells", n_node,
            fmt::format("at most {} nodes in all", kMaxMeshNodes), "take fewer cells");
    return mesh_box(source.box->size_m, n);
  }
  if (source.mat) {
    return mesh_mat(source.mat->size_m, source.mat->nodes, source.mat->layers, source.mat->seed);
  }
  return mesh_ball(source.ball->radius_m, source.ball->nodes);
}

/// A shape and, where it is a mesh, the owner of its samples.
struct ShapeMaker {
  SceneFiles* files;
  std::shared_ptr<const DistanceGrid>* grid;

  Shape operator()(const HalfSpaceShape&) const { return {}; }
  Shape operator()(const BoxShape& s) const { return {ShapeKind::box, s.size_m, 0, 0, {}}; }
  Shape operator()(const SphereShape& s) const {
    return {ShapeKind::sphere, {}, s.radius_m, 0, {}};
  }
  Shape operator()(const CylinderShape& s) const {
    return {ShapeKind::cylinder, {}, s.radius_m, s.length_m, {}};
  }
  Shape operator()(const CapsuleShape& s) const {
    return {ShapeKind::capsule, {}, s.radius_m, s.length_m, {}};
  }
  Shape operator()(const MeshShape& s) const {
    std::shared_ptr<const DistanceGrid>& made = files->grids[{s.file, s.grid_spacing_m}];
    if (!made) {
      const TriangleMesh mesh = read_triangle_mesh(s.file);
      require_closed(mesh, s.file);
      made = std::make_shared<const DistanceGrid>(mesh, s.grid_spacing_m);
    }
    *grid = made;
    return {ShapeKind::distance_grid, {}, 0, 0, (*grid)->view()};
  }
};

std::vector<std::string> node_set_names(const TetMesh& mesh) {
  std::vector<std::string> names;
  for (const auto& [name, nodes] : mesh.node_sets) names.push_back(name);
  return names;
}

void require_node_set(const YamlNode& root, const std::string& path, const Scene& scene,
                      const std::string& body, const std::string& node_set) {
  for (const SoftBodyDescription& candidate : scene.soft_bodies) {
    if (candidate.name != body) continue;
    require_known(root, path, node_set, node_set_names(candidate.mesh),
                  "a node set of the body's mesh");
  }
}

}  // namespace

void complete_document(const YamlNode& root, ScenarioDocument* document) {
  const auto member = [](const char* group, const std::string& name) {
    return fmt::format("{}.{}", group, name);
  };
  if (document->bodies.empty()) {
    refuse_value(nearest_node(root, "bodies"), "bodies", "at least one body", "");
  }
  if (!(document->time.duration_s / document->time.step_s <= kMaxSteps)) {
    refuse_value(nearest_node(root, "time.duration_s"), "time.duration_s",
                 fmt::format("at most {} steps of {} s", kMaxSteps, document->time.step_s), "");
  }
  for (ObstacleEntry& obstacle : document->obstacles) {
    complete_path(root, member("obstacles", obstacle.name), &obstacle);
  }
  for (AttachmentEntry& attachment : document->attachments) {
    const std::string path = member("attachments", attachment.name);
    complete_path(root, path, &attachment);
    require_known(root, path + ".body", attachment.body, names_of(document->bodies),
                  "the name of a body");
  }
  for (std::size_t k = 0; k < document->friction_pairs.size(); ++k) {
    const FrictionPairEntry& pair = document->friction_pairs[k];
    const std::string path = fmt::format("friction_pairs.{}", k);
    require_known(root, path + ".body", pair.body, names_of(document->bodies),
                  "the name of a body");
    require_known(root, path + ".obstacle", pair.obstacle, names_of(document->obstacles),
                  "the name of an obstacle");
    const bool both = pair.friction_1 && pair.friction_2;
    if (both == pair.friction.has_value() ||
        pair.friction_1.has_value() != pair.friction_2.has_value()) {
      refuse_value(nearest_node(root, path), path, "given friction, or friction_1 and friction_2",
                   "");
    }
    for (std::size_t j = 0; j < k; ++j) {
      const FrictionPairEntry& earlier = document->friction_pairs[j];
      if (earlier.body == pair.body && earlier.obstacle == pair.obstacle) {
        refuse_value(nearest_node(root, path), path,
                     fmt::format("the only entry of {} and {}", pair.body, pair.obstacle), "");
      }
    }
  }
  for (const CheckDescription& check : document->checks) {
    std::visit(CheckRules{root, *document, member("checks", check.name)}, check.kind);
  }
}

Scene build_scene(const YamlNode& root, const ScenarioDocument& document, SceneFiles* files) {
  Scene scene;
  scene.name = document.name;
  scene.gravity_m_s2 = document.gravity_m_s2;
  scene.time = document.time;
  scene.contact = document.contact;
  for (const BodyEntry& entry : document.bodies) {
    SoftBodyDescription& body = scene.soft_bodies.emplace_back();
    const std::string path = fmt::format("bodies.{}.mesh", entry.name);
    body.name = entry.name;
    body.mesh = named_errors(root, path, [&] { return mesh_of(entry.mesh, files); });
    named_errors(root, path, [&] { require_usable(body.mesh, entry.mesh.file.value_or("mesh")); });
    body.material = entry.material;
    body.pose = {entry.position_m, rotation_matrix(normalized(entry.orientation_wxyz))};
    body.velocity = entry.velocity_m_s;
    body.friction = entry.friction;
  }
  for (const ObstacleEntry& entry : document.obstacles) {
    ObstacleDescription& obstacle = scene.obstacles.emplace_back();
    obstacle.name = entry.name;
    obstacle.shape = named_errors(root, fmt::format("obstacles.{}.shape", entry.name), [&] {
      return std::visit(ShapeMaker{files, &obstacle.grid}, entry.shape);
    });
    obstacle.path = path_of(entry.position_m, entry.orientation_wxyz, entry.path);
    obstacle.friction = entry.friction;
    obstacle.restitution = entry.restitution;
  }
  for (const AttachmentEntry& entry : document.attachments) {
    require_node_set(root, fmt::format("attachments.{}.node_set", entry.name), scene, entry.body,
                     entry.node_set);
    scene.attachments.push_back(
        {entry.name, entry.body, entry.node_set, entry.stiffness_N_m,
         path_of(entry.position_m, entry.orientation_wxyz, entry.path),
         entry.release_time_s.value_or(AttachmentDescription{}.release_time_s)});
  }
  for (const FrictionPairEntry& entry : document.friction_pairs) {
    const double both = entry.friction.value_or(0);
    scene.friction_pairs.push_back({entry.body, entry.obstacle, entry.friction_1.value_or(both),
                                    entry.friction_2.value_or(both)});
  }
  for (const CheckDescription& check : document.checks) {
    const auto* position = std::get_if<NodePosition>(&check.kind);
    if (!position || position->node_set.empty()) continue;
    require_node_set(root, fmt::format("checks.{}.node_set", check.name), scene, position->body,
                     position->node_set);
  }
  try {
    scene.validate();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", root.source->label, error.what()));
  }
  return scene;
}

}  // namespace nodia
