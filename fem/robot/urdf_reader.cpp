#include "fem/robot/urdf_reader.hpp"

#include <fmt/format.h>

#include <vector>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr const char* kShapes = "box, sphere, cylinder, capsule or mesh";

JointKind kind_of(const UrdfElement& joint) {
  const std::string rule = "fixed, revolute, continuous, prismatic, planar or floating";
  const std::string type = joint.required_text("type", rule);
  for (const auto& kind : words_of(JointKind{}))
    if (type == kind.word) return kind.value;
  joint.fail("type", type, rule, "");
}

void read_limits(const UrdfElement& element, RobotJoint* joint) {
  const UrdfElement limit = element.child("limit");
  const bool is_limited = joint->kind == JointKind::revolute || joint->kind == JointKind::prismatic;
  const std::string range =
      joint->kind == JointKind::prismatic ? R"(lower="0" upper="0.1")" : R"(lower="-1" upper="1")";
  if (!limit) {
    if (is_limited)
      element.fail("limit", "missing", "given, with lower, upper, effort and velocity",
                   fmt::format(R"(add <limit {} effort="100" velocity="1"/>)", range));
    return;
  }
  if (is_limited) {
    joint->lower = limit.number("lower", 0);
    joint->upper = limit.number("upper", 0);
  }
  joint->max_effort = limit.required_number("effort", R"(add effort="100")");
  joint->max_velocity = limit.required_number("velocity", R"(add velocity="1")");
}

}  // namespace

UrdfReader::UrdfReader(const UrdfDocument& document, std::filesystem::path folder,
                       const UrdfOptions& options)
    : document_(document), folder_(std::move(folder)), options_(options), meshes_(options_) {}

RobotDescription UrdfReader::read() {
  robot_.name = document_.robot().attribute("name").value();
  links_ = elements_by_name("link");
  joints_ = elements_by_name("joint");
  if (links_.empty())
    throw InputError(document_.name() + ": not a usable URDF file (it has no links)");
  for (const auto& [name, joint] : joints_) {
    const std::string parent = link_of(joint, "parent").text("name");
    const UrdfElement& child = link_of(joint, "child");
    const auto [other, is_first] = joint_above_.emplace(child.text("name"), name);
    if (!is_first)
      child.fail("joints to a parent", other->second + ", " + name, "one",
                 "a robot is a tree; loops are not supported");
    children_[parent][name] = child.text("name");
  }
  const std::string root = find_root();
  check_that_all_are_reached(root);

  std::vector<std::string> to_visit{root};
  while (!to_visit.empty()) {
    const std::string name = to_visit.back();
    to_visit.pop_back();
    index_[name] = static_cast<std::int32_t>(robot_.links.size());
    robot_.links.push_back(link_from(name));
    const auto& children = children_[name];
    for (auto child = children.rbegin(); child != children.rend(); ++child)
      to_visit.push_back(child->second);
  }
  connect_mimics();
  if (!meshes_.not_z_up().empty())
    robot_.warnings.push_back(
        fmt::format("{}: {}: meshes are used as they are written, as RViz does "
                    "(collada_up_axis: z_up turns them)",
                    document_.name(), meshes_.not_z_up()));
  return std::move(robot_);
}

UrdfReader::Elements UrdfReader::elements_by_name(const char* tag) const {
  Elements all;
  const UrdfElement robot(document_, document_.robot(), "robot");
  for (const UrdfElement& unnamed : robot.children(tag, tag)) {
    const std::string name = unnamed.required_text("name", "");
    const UrdfElement element(document_, unnamed.node(), fmt::format("{} '{}'", tag, name));
    if (!all.emplace(name, element).second) element.fail("name", name, "unique", "");
  }
  return all;
}

/// The link that a joint names as its "parent" or "child".
const UrdfElement& UrdfReader::link_of(const UrdfElement& joint, const char* end) const {
  const UrdfElement element =
      joint.required_child(end, fmt::format(R"(add <{} link="NAME"/>)", end));
  const std::string name = element.required_text("link", "");
  const auto found = links_.find(name);
  if (found == links_.end()) element.fail(end, "'" + name + "'", "a link of this file", "");
  return found->second;
}

std::string UrdfReader::find_root() const {
  std::vector<std::string> roots;
  for (const auto& [name, link] : links_)
    if (!joint_above_.contains(name)) roots.push_back(name);
  if (roots.empty()) {
    const auto& [name, link] = *links_.begin();
    link.fail("parent", "a loop", "none for one link of the file, the root",
              "a robot is a tree; loops are not supported");
  }
  if (roots.size() > 1)
    links_.at(roots[1]).fail("parent", "missing",
                             fmt::format("given for every link but the root '{}'", roots[0]),
                             "a joint makes it the child of another link");
  return roots.front();
}

void UrdfReader::check_that_all_are_reached(const std::string& root) const {
  for (const auto& [name, link] : links_) {
    std::string at = name;
    for (std::size_t steps = 0; at != root; ++steps) {
      if (steps > links_.size())
        link.fail("parent", "a loop", fmt::format("reached from the root '{}'", root),
                  "a robot is a tree; loops are not supported");
      at = joints_.at(joint_above_.at(at)).child("parent").text("link");
    }
  }
}

RobotLink UrdfReader::link_from(const std::string& name) {
  const UrdfElement& element = links_.at(name);
  RobotLink link;
  link.name = name;
  if (const auto above = joint_above_.find(name); above != joint_above_.end()) {
    const UrdfElement& joint = joints_.at(above->second);
    link.parent = index_.at(joint.child("parent").text("link"));
    link.joint = joint_from(joint);
  }
  if (const UrdfElement inertial = element.child("inertial")) {
    const Pose frame = inertial.origin();
    const double mass =
        inertial.required_child("mass", R"(add <mass value="1"/>)").required_number("value", "");
    Mat3d about_centre{};
    if (const UrdfElement inertia = inertial.child("inertia")) {
      const double xy = inertia.number("ixy", 0), xz = inertia.number("ixz", 0),
                   yz = inertia.number("iyz", 0);
      about_centre = {{{inertia.number("ixx", 0), xy, xz},
                       {xy, inertia.number("iyy", 0), yz},
                       {xz, yz, inertia.number("izz", 0)}}};
    }
    link.inertia = RigidInertia{mass, frame.position,
                                frame.rotation * about_centre * transpose(frame.rotation)};
  }
  for (const UrdfElement& collision : element.children("collision", element.owner()))
    add_collision(collision, &link);
  return link;
}

RobotJoint UrdfReader::joint_from(const UrdfElement& element) {
  RobotJoint joint;
  joint.name = element.text("name");
  joint.kind = kind_of(element);
  joint.origin = element.origin();
  if (joint.kind == JointKind::fixed) {
    if (element.child("mimic")) warn(element, "mimic is ignored: the joint is fixed");
    return joint;
  }
  joint.axis = element.child("axis").vector("xyz", {1, 0, 0});
  read_limits(element, &joint);
  const UrdfElement dynamics = element.child("dynamics");
  joint.damping = dynamics.number("damping", 0);
  if (const double friction = dynamics.number("friction", 0); friction != 0)
    warn(element, fmt::format("friction = {} is ignored", friction));
  for (const char* ignored : {"safety_controller", "calibration"})
    if (element.child(ignored)) warn(element, fmt::format("{} is ignored", ignored));
  if (const UrdfElement mimic = element.child("mimic")) {
    joint.mimic = JointMimic{-1, mimic.number("multiplier", 1), mimic.number("offset", 0)};
    followed_[joint.name] = mimic.required_text("joint", "");
  }
  return joint;
}

void UrdfReader::connect_mimics() {
  for (const auto& [name, followed] : followed_) {
    const int target = robot_.find_joint(followed);
    if (target < 0 || robot_.links[target].joint.kind == JointKind::fixed)
      joints_.at(name).child("mimic").fail("mimic joint", "'" + followed + "'",
                                           "a joint of this robot that moves", "");
    robot_.links[robot_.find_joint(name)].joint.mimic->link = target;
  }
}

void UrdfReader::add_collision(const UrdfElement& element, RobotLink* link) {
  LinkCollision collision;
  collision.name = element.text("name");
  const UrdfElement named(document_, element.node(),
                          fmt::format("link '{}' collision '{}'", link->name, collision.name));
  collision.pose = named.origin();
  const UrdfElement geometry = named.required_child("geometry", "").first_child();
  if (!geometry) named.fail("geometry", "empty", kShapes, "");
  const std::string tag = geometry.tag();
  if (tag != "mesh") {
    collision.shape = shape_from(geometry, collision.name.starts_with("capsule"));
  } else {
    const std::string filename = geometry.text("filename");
    if (options_.meshes == UrdfMeshes::ignore) {
      warn(named, fmt::format("mesh '{}' is ignored", filename));
      return;
    }
    read_mesh(geometry, link->name, &collision);
  }
  link->collisions.push_back(std::move(collision));
}

void UrdfReader::read_mesh(const UrdfElement& geometry, const std::string& link,
                           LinkCollision* collision) {
  const std::string filename = geometry.text("filename");
  const MeshFile file = find_mesh_file(filename, folder_, options_.packages);
  if (file.path.empty()) geometry.fail("mesh filename", "'" + filename + "'", file.rule, file.hint);
  collision->mesh_path = file.path;
  const Vec3d scale = geometry.vector("scale", {1, 1, 1});
  collision->mesh_scale = scale;
  collision->mesh_up_axis = options_.collada_up_axis;
  const bool is_usable = scale.x * scale.y * scale.z != 0;  // otherwise validate() reports it
  if (!is_usable) return;
  const std::string where = fmt::format("link '{}': {}", link, file.path);
  try {
    const CollisionMesh& read = meshes_.read(file.path, scale, where);
    collision->mesh = read.mesh;
    if (!read.repair.empty()) warn(geometry, fmt::format("the mesh {} {}", file.path, read.repair));
  } catch (const InputError& error) {
    if (options_.meshes != UrdfMeshes::try_read)
      throw InputError(fmt::format("{}: {}", document_.place_of(geometry.node()), error.what()));
    warn(geometry, error.what());
  }
}

/// @param is_capsule  whether a cylinder stands for a capsule
Shape UrdfReader::shape_from(const UrdfElement& geometry, bool is_capsule) const {
  Shape shape;
  const std::string tag = geometry.tag();
  if (tag == "box") {
    shape.kind = ShapeKind::box;
    shape.size = geometry.required_vector("size", "");
  } else if (tag == "sphere") {
    shape.kind = ShapeKind::sphere;
    shape.radius = geometry.required_number("radius", "");
  } else if (tag == "cylinder" || tag == "capsule") {
    shape.kind = is_capsule || tag == "capsule" ? ShapeKind::capsule : ShapeKind::cylinder;
    shape.radius = geometry.required_number("radius", "");
    shape.length = geometry.required_number("length", "");
  } else {
    geometry.fail("geometry", tag, kShapes, "");
  }
  return shape;
}

void UrdfReader::warn(const UrdfElement& element, const std::string& text) {
  robot_.warnings.push_back(fmt::format("{}: {}: {}", document_.name(), element.owner(), text));
}

}  // namespace nodia
