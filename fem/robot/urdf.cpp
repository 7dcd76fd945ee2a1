#include "fem/robot/urdf.hpp"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "kernels/core/error.hpp"

namespace nodia {

namespace {

/// Collects what urdfdom prints.
class MessageCollector : public console_bridge::OutputHandler {
 public:
  MessageCollector() : level_(console_bridge::getLogLevel()) {
    console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_WARN);
    console_bridge::useOutputHandler(this);
  }
  ~MessageCollector() override {
    console_bridge::restorePreviousOutputHandler();
    console_bridge::setLogLevel(level_);
  }
  MessageCollector(const MessageCollector&) = delete;
  MessageCollector& operator=(const MessageCollector&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR) errors_.push_back(text);
  }
  const std::vector<std::string>& errors() const { return errors_; }

 private:
  std::vector<std::string> errors_;
  console_bridge::LogLevel level_;
};

/// The parser descends into elements by recursion, so that depth is limited before it starts.
constexpr int kMaxDepth = 64;

/// An upper bound of the depth of elements: quoted text counts too.
int element_depth(const std::string& text) {
  int depth = 0, deepest = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text.compare(i, 4, "<!--") == 0) {
      i = text.find("-->", i);
      if (i == std::string::npos) break;
    } else if (text[i] == '<') {
      if (text[i + 1] == '/') --depth;
      if (std::isalpha(static_cast<unsigned char>(text[i + 1])) || text[i + 1] == '_') ++depth;
    } else if (text[i] == '/' && text[i + 1] == '>') {
      --depth;
    }
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

/// What stands between the two; empty where the text is not of that form.
std::string between(const std::string& before, const std::string& after, const std::string& text) {
  if (text.size() < before.size() + after.size() || !text.starts_with(before) ||
      !text.ends_with(after))
    return "";
  return text.substr(before.size(), text.size() - before.size() - after.size());
}

/// Says in the words of this file what urdfdom says of a joint without limits, or with half of
/// them.
void refuse_missing_limits(const std::vector<std::string>& errors, const std::string& name) {
  const auto refuse = [&](const std::string& joint, const std::string& missing,
                          const std::string& hint) {
    throw_bad_value(fmt::format("{}: joint '{}': {}", name, joint, missing), "missing",
                    "given, with lower, upper, effort and velocity", "add " + hint);
  };
  std::string attribute;
  for (const std::string& error : errors) {
    const auto joint = [&](const char* after) { return between("Joint [", after, error); };
    if (const std::string turns = joint("] is of type REVOLUTE but it does not specify limits");
        !turns.empty())
      refuse(turns, "limit", R"(<limit lower="-1" upper="1" effort="100" velocity="1"/>)");
    if (const std::string slides = joint("] is of type PRISMATIC without limits"); !slides.empty())
      refuse(slides, "limit", R"(<limit lower="0" upper="0.1" effort="100" velocity="1"/>)");
    const std::string half = between("Could not parse limit element for joint [", "]", error);
    if (!half.empty() && !attribute.empty())
      refuse(half, "limit " + attribute,
             fmt::format(R"({}="{}")", attribute, attribute == "effort" ? 100 : 1));
    attribute = between("joint limit: no ", "", error);
  }
}

/// Without those that only say that something was said before.
std::string joined(const std::vector<std::string>& errors) {
  std::string text;
  for (const std::string& error : errors) {
    if (!text.empty() && error.ends_with(" xml is not initialized correctly")) continue;
    text += (text.empty() ? "" : "; ") + error;
  }
  return text;
}

urdf::ModelInterfaceSharedPtr parse(const std::string& text, const std::string& name) {
  if (text.find('\0') != std::string::npos)
    throw InputError(fmt::format("{}: not a URDF file (it contains zero bytes)", name));
  if (element_depth(text) > kMaxDepth) {
    throw InputError(
        fmt::format("{}: not a URDF file (elements nested deeper than {})", name, kMaxDepth));
  }
  static std::mutex one_handler;  // console_bridge has one for the whole program
  const std::lock_guard<std::mutex> lock(one_handler);
  const MessageCollector messages;
  urdf::ModelInterfaceSharedPtr model;
  std::string fault;
  try {
    model = urdf::parseURDF(text);
  } catch (const std::exception& e) {
    fault = e.what();
  }
  // urdfdom drops some unusable elements with a message and goes on: they are errors here.
  refuse_missing_limits(messages.errors(), name);
  if (!messages.errors().empty())
    fault = joined(messages.errors()) + (fault.empty() ? "" : "; " + fault);
  if (!model || !fault.empty()) {
    throw InputError(fmt::format("{}: not a usable URDF file ({})", name,
                                 fault.empty() ? "no reason given" : fault));
  }
  return model;
}

Vec3d vector(const urdf::Vector3& v) {
  return {v.x, v.y, v.z};
}

Pose pose(const urdf::Pose& p) {
  const urdf::Rotation& r = p.rotation;
  return {vector(p.position), rotation_matrix(normalized(Quaternion{r.w, r.x, r.y, r.z}))};
}

/// Links own their children: a loop of links would own itself.
struct BreakLoops {
  urdf::ModelInterface& model;

  ~BreakLoops() {
    for (const auto& link : model.links_) link.second->child_links.clear();
  }
};

class Reader {
 public:
  Reader(const urdf::ModelInterface& model, std::string name, std::string folder,
         const UrdfOptions& options)
      : model_(model), name_(std::move(name)), folder_(std::move(folder)), options_(options) {}

  RobotDescription read() {
    robot_.name = model_.getName();
    check_tree();
    std::vector<const urdf::Link*> to_visit{model_.getRoot().get()};
    // Depth first, children in the order of their joints' names: the order does not depend on the
    // order in the file.
    while (!to_visit.empty()) {
      const urdf::Link& link = *to_visit.back();
      to_visit.pop_back();
      add_link(link);
      std::map<std::string, const urdf::Link*, std::greater<>> children;
      for (const auto& child : link.child_links) children[child->parent_joint->name] = child.get();
      for (const auto& child : children) to_visit.push_back(child.second);
    }
    connect_mimics();
    robot_.validate(name_);
    return std::move(robot_);
  }

 private:
  [[noreturn]] void fail(const std::string& owner, const std::string& key, const std::string& value,
                         const std::string& rule, const std::string& hint) const {
    throw_bad_value(name_ + ": " + owner + ": " + key, value, rule, hint);
  }
  void warn(const std::string& text) { robot_.warnings.push_back(name_ + ": " + text); }

  /// Every link but the root is the child of one joint, and the root reaches all of them.
  void check_tree() const {
    std::map<std::string, std::string> joint_of_child;
    for (const auto& [joint_name, joint] : model_.joints_) {
      const auto [other, first] = joint_of_child.emplace(joint->child_link_name, joint_name);
      if (!first) {
        fail("link '" + joint->child_link_name + "'", "joints to a parent",
             other->second + ", " + joint_name, "one",
             "a robot is a tree; loops are not supported");
      }
    }
    std::set<std::string> reached;
    std::vector<const urdf::Link*> to_visit{model_.getRoot().get()};
    while (!to_visit.empty()) {
      const urdf::Link& link = *to_visit.back();
      to_visit.pop_back();
      if (!reached.insert(link.name).second) continue;
      for (const auto& child : link.child_links) to_visit.push_back(child.get());
    }
    for (const auto& link : model_.links_) {
      if (!reached.count(link.first)) {
        fail("link '" + link.first + "'", "parent", "a loop",
             "reached from the root '" + model_.getRoot()->name + "'",
             "a robot is a tree; loops are not supported");
      }
    }
  }

  void add_link(const urdf::Link& source) {
    RobotLink link;
    link.name = source.name;
    const std::string owner = "link '" + source.name + "'";
    if (const auto parent = source.getParent()) {
      link.parent = index_.at(parent->name);
      link.joint = joint(*source.parent_joint);
    }
    if (source.inertial) {
      const urdf::Inertial& in = *source.inertial;
      const Pose frame = pose(in.origin);
      const Mat3d about_centre{
          {{in.ixx, in.ixy, in.ixz}, {in.ixy, in.iyy, in.iyz}, {in.ixz, in.iyz, in.izz}}};
      link.inertia = RigidInertia{in.mass, frame.position,
                                  frame.rotation * about_centre * transpose(frame.rotation)};
      if (link.parent < 0) warn("the inertia of the root " + owner + " is ignored: it is at rest");
    }
    for (const auto& collision : source.collision_array) add_collision(*collision, link);
    index_[link.name] = static_cast<std::int32_t>(robot_.links.size());
    robot_.links.push_back(std::move(link));
  }

  RobotJoint joint(const urdf::Joint& source) {
    RobotJoint joint;
    joint.name = source.name;
    const std::string owner = "joint '" + source.name + "'";
    switch (source.type) {
      case urdf::Joint::FIXED:
        joint.kind = JointKind::fixed;
        break;
      case urdf::Joint::REVOLUTE:
        joint.kind = JointKind::revolute;
        break;
      case urdf::Joint::CONTINUOUS:
        joint.kind = JointKind::continuous;
        break;
      case urdf::Joint::PRISMATIC:
        joint.kind = JointKind::prismatic;
        break;
      case urdf::Joint::FLOATING:
        fail(owner, "type", "floating", "fixed, revolute, continuous or prismatic",
             "three prismatic and three revolute joints in a row move freely");
      case urdf::Joint::PLANAR:
        fail(owner, "type", "planar", "fixed, revolute, continuous or prismatic",
             "two prismatic and a revolute joint in a row move in a plane");
      default:
        fail(owner, "type", "unknown", "fixed, revolute, continuous or prismatic", "");
    }
    joint.origin = pose(source.parent_to_joint_origin_transform);
    if (joint.kind == JointKind::fixed) {
      if (source.mimic) warn(owner + ": mimic is ignored: the joint is fixed");
      return joint;
    }
    joint.axis = vector(source.axis);
    if (source.limits) {
      if (joint.kind != JointKind::continuous) {
        joint.lower = source.limits->lower;
        joint.upper = source.limits->upper;
      }
      joint.max_effort = source.limits->effort;
      joint.max_velocity = source.limits->velocity;
    }
    if (source.dynamics) {
      joint.damping = source.dynamics->damping;
      if (source.dynamics->friction != 0)
        warn(fmt::format("{}: friction = {} is ignored", owner, source.dynamics->friction));
    }
    if (source.safety) warn(owner + ": safety_controller is ignored");
    if (source.calibration) warn(owner + ": calibration is ignored");
    if (source.mimic) {
      joint.mimic = JointMimic{-1, source.mimic->multiplier, source.mimic->offset};
      followed_[source.child_link_name] = source.mimic->joint_name;
    }
    return joint;
  }

  void connect_mimics() {
    for (const auto& [link_name, joint_name] : followed_) {
      RobotLink& link = robot_.links[index_.at(link_name)];
      const int target = robot_.find_joint(joint_name);
      if (target < 0 || robot_.links[target].joint.kind == JointKind::fixed) {
        fail("joint '" + link.joint.name + "'", "mimic joint", "'" + joint_name + "'",
             "a joint of this robot that moves", "");
      }
      link.joint.mimic->link = target;
    }
  }

  void add_collision(const urdf::Collision& source, RobotLink& link) {
    LinkCollision collision;
    collision.name = source.name;
    collision.pose = pose(source.origin);
    const std::string owner = "link '" + link.name + "' collision '" + source.name + "'";
    if (!source.geometry) fail(owner, "geometry", "missing", "given", "");
    switch (source.geometry->type) {
      case urdf::Geometry::SPHERE:
        collision.shape.kind = ShapeKind::sphere;
        collision.shape.radius = static_cast<const urdf::Sphere&>(*source.geometry).radius;
        break;
      case urdf::Geometry::BOX:
        collision.shape.kind = ShapeKind::box;
        collision.shape.size = vector(static_cast<const urdf::Box&>(*source.geometry).dim);
        break;
      case urdf::Geometry::CYLINDER: {
        const auto& cylinder = static_cast<const urdf::Cylinder&>(*source.geometry);
        collision.shape.kind =
            source.name.rfind("capsule", 0) == 0 ? ShapeKind::capsule : ShapeKind::cylinder;
        collision.shape.radius = cylinder.radius;
        collision.shape.length = cylinder.length;
        break;
      }
      case urdf::Geometry::MESH: {
        const auto& mesh = static_cast<const urdf::Mesh&>(*source.geometry);
        if (options_.meshes == UrdfMeshes::ignore) {
          warn(owner + ": mesh '" + mesh.filename + "' is ignored");
          return;
        }
        collision.mesh_path = mesh_path(owner, mesh.filename);
        collision.mesh_scale = vector(mesh.scale);
        break;
      }
    }
    link.collisions.push_back(std::move(collision));
  }

  /// The file NAME/PATH in the nearest folder above the URDF file; empty where there is none.
  std::filesystem::path in_package(const std::filesystem::path& given) const {
    std::error_code ignored;
    std::filesystem::path folder = folder_.empty() ? "." : folder_;
    folder = std::filesystem::absolute(folder, ignored).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    for (;; folder = folder.parent_path()) {
      if (std::filesystem::is_regular_file(folder / given, ignored)) return folder / given;
      if (folder == folder.root_path()) return {};
    }
  }

  /// What to write for a package's file that no folder above has.
  /// @param given  NAME/PATH
  std::string hint_for_package(std::string given) const {
    std::error_code ignored;
    for (std::size_t slash; (slash = given.find('/')) != std::string::npos;) {
      given = given.substr(slash + 1);
      if (std::filesystem::is_regular_file(std::filesystem::path(folder_) / given, ignored))
        return fmt::format("write filename=\"{}\", which is there", given);
    }
    return fmt::format(
        "no folder above '{}' has it; filename=\"{}\" names a file beside the URDF file", folder_,
        given);
  }

  std::string mesh_path(const std::string& owner, std::string given) const {
    if (given.rfind("file://", 0) == 0) given = given.substr(7);
    std::filesystem::path path = std::filesystem::path(folder_) / given;
    if (given.rfind("package://", 0) == 0) {
      path = in_package(given.substr(10));
      if (path.empty())
        fail(owner, "mesh filename", "'" + given + "'", "a file of a package above the URDF file",
             hint_for_package(given.substr(10)));
    } else if (given.find("://") != std::string::npos) {
      fail(owner, "mesh filename", "'" + given + "'",
           "a path relative to the URDF file, or of a package", "e.g. filename=\"meshes/arm.stl\"");
    }
    std::error_code ignored;
    if (given.empty() || !std::filesystem::is_regular_file(path, ignored) ||
        !std::ifstream(path, std::ios::binary)) {
      fail(owner, "mesh filename", "'" + path.string() + "'", "a file that can be read",
           "names are relative to the URDF file; a link without <collision> touches nothing");
    }
    return path.string();
  }

  const urdf::ModelInterface& model_;
  std::string name_, folder_;
  UrdfOptions options_;
  RobotDescription robot_;
  std::map<std::string, std::int32_t> index_;
  std::map<std::string, std::string> followed_;  // joint that the joint to a link mimics
};

}  // namespace

RobotDescription parse_urdf(const std::string& text, const std::string& name,
                            const std::string& folder, const UrdfOptions& options) {
  const urdf::ModelInterfaceSharedPtr model = parse(text, name);
  const BreakLoops guard{*model};
  return Reader(*model, name, folder, options).read();
}

RobotDescription read_urdf(const std::string& path, const UrdfOptions& options) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status))
    throw InputError(fmt::format("{}: is a folder (must be a URDF file)", path));
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw InputError(fmt::format("{}: is not a regular file", path));
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw InputError(fmt::format("{}: cannot be read (no such file, or no permission)", path));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return parse_urdf(text, path, std::filesystem::path(path).parent_path().string(), options);
}

}  // namespace nodia
