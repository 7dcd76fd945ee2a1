#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fem/mesh/mesh_quality.hpp"
#include "host/scene/keys.hpp"
#include "host/scene/rules.hpp"
#include "host/scene/validate.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

void validate_node_sets(const std::string& path, const TetMesh& mesh) {
  for (const auto& [name, nodes] : mesh.node_sets) {
    for (const std::int32_t node : nodes) {
      if (node < 0 || static_cast<std::size_t>(node) >= mesh.nodes.size()) {
        throw_bad_value(path + ".mesh: node of set " + name, std::to_string(node),
                        fmt::format("in [0, {})", mesh.nodes.size()), "the mesh has no such node");
      }
    }
  }
}

/// @param owner  an object with shape and grid
template <class Owner>
void validate_shape(const std::string& path, const Owner& owner) {
  Shape shape = owner.shape;
  if (!is_known(shape.kind))
    throw_bad_value(path + ".shape.kind", static_cast<double>(shape.kind), "a kind of shape", "");
  KeyCheck check(path);
  for (const ShapeSize& size : sizes_of(shape.kind)) {
    if (size.real)
      check.real({size.name, size.meaning, size.hint}, shape.*size.real, Range::positive());
    if (!size.vector) continue;
    KeyCheck axes(path + "." + size.name);
    for (int axis = 0; axis < 3; ++axis)
      axes.real({std::array{"0", "1", "2"}[static_cast<std::size_t>(axis)], "", size.hint},
                (shape.*size.vector)[axis], Range::positive());
  }
  const ShapeFault fault = with_row(shape.kind, [&](auto row) { return row.fault(shape); });
  if (fault.size)
    throw_bad_value(path + "." + fault.size->name, shape.*fault.size->real, fault.rule, fault.hint);
  if (shape.kind == ShapeKind::distance_grid &&
      (!owner.grid || owner.grid->view().value != shape.grid.value)) {
    throw_bad_value(path + ".shape.grid", owner.grid ? "samples of another grid" : "nothing",
                    "the view of the object's distance grid", "make one from a closed mesh");
  }
}

void validate_inertia(const std::string& path, const Mat3d& inertia) {
  double scale = 0, asymmetry = 0;
  for (int i = 0; i < 3; ++i) {
    require_finite(path + ".inertia_kg_m2", inertia.row[i], "");
    scale = std::max(scale, inertia(i, i));
    for (int j = 0; j < i; ++j)
      asymmetry = std::max(asymmetry, std::fabs(inertia(i, j) - inertia(j, i)));
  }
  const double minor = inertia(0, 0) * inertia(1, 1) - inertia(0, 1) * inertia(1, 0);
  if (!(asymmetry <= 1e-9 * scale && inertia(0, 0) > 0 && minor > 0 && determinant(inertia) > 0))
    throw_bad_value(path + ".inertia_kg_m2", "a matrix that no body has",
                    "symmetric positive definite", "about the centre of mass, body axes");
}

/// @param object  with a surface
template <class Object>
void validate_friction(const std::string& path, const Object& object) {
  KeyCheck check(path);
  double friction = object.friction;
  visit_friction(check, friction);
}

template <class Object>
void validate_restitution(const std::string& path, const Object& object) {
  KeyCheck check(path);
  double restitution = object.restitution;
  visit_restitution(check, restitution);
}

}  // namespace

void validate_pose(const std::string& path, const Pose& pose) {
  require_finite(path + ".position_m", pose.position, "give three numbers in metres");
  const Mat3d error = pose.rotation * transpose(pose.rotation) - Mat3d::identity();
  double largest = 0;
  bool good = true;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      largest = std::max(largest, std::fabs(error(i, j)));
      good = good && std::fabs(error(i, j)) <= 1e-9;
    }
  }
  if (!good) {
    throw_bad_value(path + ".pose.rotation", fmt::format("a matrix with |R R^T - I| = {}", largest),
                    "orthonormal to 1e-9", "make it from a unit quaternion");
  }
  require(determinant(pose.rotation) > 0, path + ".pose.rotation determinant",
          determinant(pose.rotation), "1", "it mirrors the body");
}

void validate(const SoftBodyDescription& body) {
  const std::string path = "bodies." + body.name;
  require_usable(body.mesh, path + ".mesh");
  validate_node_sets(path, body.mesh);
  body.material.validate(path);
  validate_pose(path, body.pose);
  require_finite(path + ".velocity_m_s", body.velocity, "give three numbers in m/s");
  validate_friction(path, body);
  KeyCheck check(path);
  double thickness_m = body.thickness_m;
  visit_thickness(check, thickness_m);
}

void validate(const ObstacleDescription& obstacle) {
  const std::string path = "obstacles." + obstacle.name;
  validate_shape(path, obstacle);
  obstacle.path.validate(path + ".path");
  validate_friction(path, obstacle);
  validate_restitution(path, obstacle);
}

void validate_solid(const std::string& path, const PlacedShape& placed) {
  validate_shape(path, placed);
  if (!is_bounded(placed.shape))
    throw_bad_value(path + ".shape", name_of(placed.shape.kind), "a bounded shape",
                    "make it an obstacle");
  validate_pose(path + ".shape_pose", placed.pose);
}

void validate_rigid(const std::string& path, const RigidDescription& body) {
  KeyCheck check(path);
  std::optional<double> mass_kg = body.mass_kg;
  visit_mass(check, mass_kg);
  validate_inertia(path, body.inertia_kg_m2);
  validate_pose(path, body.pose);
  require_finite(path + ".velocity_m_s", body.velocity_m_s, "give three numbers in m/s");
  require_finite(path + ".angular_velocity_rad_s", body.angular_velocity_rad_s, "in rad/s");
  require_finite(path + ".force_N", body.force_N, "in newtons");
  validate_friction(path, body);
  validate_restitution(path, body);
}

void validate(const RigidBodyDescription& body) {
  const std::string path = "rigid_bodies." + body.name;
  for (const PlacedShape& placed : shapes_of(body)) validate_solid(path, placed);
  validate_rigid(path, body);
}

void validate(const CableDescription& cable) {
  const std::string path = "cables." + cable.name;
  if (cable.points_m.size() < 2)
    throw_bad_value(path + ".points_m", fmt::format("{} positions", cable.points_m.size()),
                    "a list of 2 positions or more", "[[0, 0, 1], [1, 0, 1]]");
  for (std::size_t k = 0; k < cable.points_m.size(); ++k) {
    const std::string point = fmt::format("{}.points_m.{}", path, k);
    const Vec3d p = cable.points_m[k];
    require_finite(point, p, "in metres");
    if (k > 0 && !(norm(p - cable.points_m[k - 1]) > 0))
      throw_bad_value(point, fmt::format("[{}, {}, {}]", p.x, p.y, p.z),
                      "another place than the one before", "remove one of them");
  }
  KeyCheck check(path);
  int links = cable.links;
  double radius_m = cable.radius_m;
  visit_links(check, links);
  visit_rod_radius(check, radius_m);
  cable.material.validate(path);
  validate_friction(path, cable);
  if (cable.self_contact && cable.contact != RodContact::segments)
    throw_bad_value(path + ".self_contact", "true", "false with contact: link_centres",
                    "or set contact: segments");
}

}  // namespace nodia
