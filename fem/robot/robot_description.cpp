#include "fem/robot/robot_description.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "fem/matrix/eigen_block.hpp"
#include "fem/matrix/symmetric_eigen.hpp"
#include "fem/robot/joint_axes.hpp"
#include "fem/robot/moments_of_inertia.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/input_file.hpp"
#include "kernels/core/plain_name.hpp"

namespace nodia {

namespace {

struct Checker {
  std::string prefix;

  void operator()(bool good, const std::string& owner, const std::string& key,
                  const std::string& value, const std::string& rule,
                  const std::string& hint) const {
    if (good) return;
    throw_bad_value((prefix.empty() ? "" : prefix + ": ") + owner + ": " + key, value, rule, hint);
  }
  void operator()(bool good, const std::string& owner, const std::string& key, double value,
                  const std::string& rule, const std::string& hint) const {
    (*this)(good, owner, key, fmt::format("{:.6g}", value), rule, hint);
  }
};

void check_name(const Checker& check, const std::string& kind, const std::string& name) {
  check(is_plain_name(name), kind + " '" + printable(name) + "'", "name", printable(name),
        kPlainName, "");
}

bool is_finite_matrix(const Mat3d& m) {
  return is_finite(m.row[0]) && is_finite(m.row[1]) && is_finite(m.row[2]);
}

bool is_rotation(const Mat3d& m) {
  if (!is_finite_matrix(m) || determinant(m) < 0) return false;
  const Mat3d e = m * transpose(m) - Mat3d::identity();
  return squared_norm(e.row[0]) + squared_norm(e.row[1]) + squared_norm(e.row[2]) < 1e-12;
}

void check_inertia(const Checker& check, const std::string& owner, const RigidInertia& inertia) {
  check(inertia.mass > 0 && std::isfinite(inertia.mass), owner, "mass", inertia.mass,
        "finite and > 0", "a link that moves has mass; one of mass 0 can be fixed to another");
  check(is_finite(inertia.centre), owner, "centre of mass", "not finite", "finite", "");
  check(is_finite_matrix(inertia.rotation), owner, "inertia", "not finite", "finite", "");
  const Eigen::Matrix3d m = to_eigen(inertia.rotation);
  check((m - m.transpose()).norm() <= 1e-9 * m.norm(), owner, "inertia", "not symmetric",
        "symmetric", "");
  const Eigen::Vector3d p = symmetric_eigenvalues(m);
  check(p[0] > 0, owner, "least principal moment of inertia", p[0], "> 0",
        "a small ball of radius r has 2/5 m r^2 [kg m^2] on the diagonal");
  check(are_moments_of_a_body({p[0], p[1], p[2]}), owner, "greatest principal moment of inertia",
        p[2], fmt::format("<= {}, the sum of the other two", p[0] + p[1]),
        "no body has such moments; about the centre of mass, in kg m^2?");
}

void check_joint(const Checker& check, const RobotJoint& joint) {
  const std::string owner = "joint '" + joint.name + "'";
  check(is_finite(joint.origin.position) && is_rotation(joint.origin.rotation), owner, "origin",
        "not a pose", "a finite position and a rotation", "");
  if (joint.kind == JointKind::fixed) return;
  const double length = norm(joint.axis);
  check(length > 1e-12 && std::isfinite(length), owner, "axis",
        fmt::format("{} {} {}", joint.axis.x, joint.axis.y, joint.axis.z), "finite and not zero",
        "the z axis: 0 0 1");
  if (joint.kind != JointKind::revolute && joint.kind != JointKind::prismatic) {
    check(std::isinf(joint.lower) && std::isinf(joint.upper), owner, "lower", joint.lower,
          fmt::format("infinite for a {} joint", name_of(joint.kind)),
          joint.kind == JointKind::continuous ? "with limits it is revolute" : "");
  }
  check(joint.lower <= joint.upper, owner, "lower", joint.lower,
        fmt::format("<= upper = {}", joint.upper), "");
  check(joint.max_velocity >= 0, owner, "velocity", joint.max_velocity, ">= 0", "");
  check(joint.max_effort >= 0, owner, "effort", joint.max_effort, ">= 0", "");
  check(joint.damping >= 0 && std::isfinite(joint.damping), owner, "damping", joint.damping,
        "finite and >= 0", "");
  if (joint.mimic) {
    check(!has_several_coordinates(joint.kind), owner, "mimic", name_of(joint.kind),
          "of a joint with one coordinate", "");
    check(std::isfinite(joint.mimic->multiplier), owner, "mimic multiplier",
          joint.mimic->multiplier, "finite", "");
    check(std::isfinite(joint.mimic->offset), owner, "mimic offset", joint.mimic->offset, "finite",
          "");
  }
}

void check_collision(const Checker& check, const std::string& owner, const LinkCollision& c) {
  const auto positive = [&](const std::string& key, double value) {
    check(value > 0 && std::isfinite(value), owner, key, value, "finite and > 0", "");
  };
  check(is_finite(c.pose.position) && is_rotation(c.pose.rotation), owner, "origin", "not a pose",
        "a finite position and a rotation", "");
  if (!c.mesh_path.empty()) {
    check(is_finite(c.mesh_scale) && c.mesh_scale.x * c.mesh_scale.y * c.mesh_scale.z != 0, owner,
          "mesh scale", fmt::format("{} {} {}", c.mesh_scale.x, c.mesh_scale.y, c.mesh_scale.z),
          "finite and not zero", "");
    return;
  }
  for (const ShapeSize& size : sizes_of(c.shape.kind)) {
    const std::string name(size.name);
    const std::string key =
        std::string(name_of(c.shape.kind)) + " " + name.substr(0, name.rfind("_m"));
    if (size.real) positive(key, c.shape.*size.real);
    for (int axis = 0; size.vector && axis < 3; ++axis)
      positive(key + " " + "xyz"[axis], (c.shape.*size.vector)[axis]);
  }
}

}  // namespace

int RobotDescription::find_link(const std::string& link_name) const {
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].name == link_name) return static_cast<int>(i);
  return -1;
}

int RobotDescription::find_joint(const std::string& joint_name) const {
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].parent >= 0 && links[i].joint.name == joint_name) return static_cast<int>(i);
  return -1;
}

bool RobotDescription::are_neighbours(int link, int other) const {
  const auto parent_of = [&](int k) { return links[static_cast<std::size_t>(k)].parent; };
  const auto body_of = [&](int k) {
    while (parent_of(k) >= 0 && links[static_cast<std::size_t>(k)].joint.kind == JointKind::fixed)
      k = parent_of(k);
    return k;
  };
  const auto hangs_on = [&](int body, int on) {
    return parent_of(body) >= 0 && body_of(parent_of(body)) == on;
  };
  const int a = body_of(link), b = body_of(other);
  return a == b || hangs_on(a, b) || hangs_on(b, a);
}

void RobotDescription::validate(const std::string& prefix) const {
  const Checker check{prefix};
  const int n_link = static_cast<int>(links.size());
  check_name(check, "robot", name);
  check(n_link > 0, "robot '" + name + "'", "number of links", 0.0, "> 0", "");
  std::unordered_set<std::string> link_names, joint_names;
  std::vector<int> carrier(links.size());    // the moving link that a link is fixed to, or the root
  std::vector<bool> has_mass(links.size());  // of a carrier
  for (int i = 0; i < n_link; ++i) {
    const RobotLink& link = links[i];
    const std::string owner = "link '" + link.name + "'";
    check_name(check, "link", link.name);
    check(link_names.insert(link.name).second, owner, "name", link.name, "unique", "");
    check(i == 0 ? link.parent == -1 : link.parent >= 0 && link.parent < i, owner, "parent",
          fmt::format("link {}", link.parent),
          i == 0 ? "none for the root" : "a link before this one", "a robot is one tree");
    if (i > 0) {
      check_name(check, "joint", link.joint.name);
      check(joint_names.insert(link.joint.name).second, "joint '" + link.joint.name + "'", "name",
            link.joint.name, "unique", "");
      check_joint(check, link.joint);
    }
    const bool moves = i > 0 && link.joint.kind != JointKind::fixed;
    carrier[i] = i == 0 || moves ? i : carrier[link.parent];
    if (link.inertia) {
      check_inertia(check, owner, *link.inertia);
      has_mass[carrier[i]] = true;
    }
    for (const LinkCollision& c : link.collisions)
      check_collision(check, owner + " collision '" + c.name + "'", c);
  }
  for (int i = 1; i < n_link; ++i) {
    const RobotJoint& joint = links[i].joint;
    if (joint.kind == JointKind::fixed) continue;
    check(has_mass[i], "link '" + links[i].name + "'", "inertia", "missing",
          "given for a link that moves", "joint '" + joint.name + "' is " + name_of(joint.kind));
    // A chain of mimics longer than the number of links is a circle.
    int at = i, steps = 0;
    while (links[at].joint.mimic && steps <= n_link) {
      const int next = links[at].joint.mimic->link;
      check(next > 0 && next < n_link && links[next].joint.kind != JointKind::fixed &&
                !has_several_coordinates(links[next].joint.kind),
            "joint '" + links[at].joint.name + "'", "mimic", fmt::format("link {}", next),
            "the joint of a link that moves by one coordinate", "");
      at = next;
      ++steps;
    }
    check(steps <= n_link, "joint '" + joint.name + "'", "mimic", "a circle",
          "a chain that ends at a joint without mimic", "");
  }
}

}  // namespace nodia
