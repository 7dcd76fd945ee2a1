#include "scenarios/build/usual_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

#include "kernels/core/number.hpp"
#include "scenarios/format/yaml_path.hpp"

namespace nodia {
namespace {

struct UsualRange {
  std::string_view key;  ///< last name of the dotted path
  double low = 0, high = 0;
  const char* unit = "";
  const char* cure = "";
  bool is_norm = false;  ///< the range is of the norm of a list, not of each number
};

constexpr const char* kMetres = "lengths are in metres";

// Without is_norm each number of a list must lie in the range.
constexpr std::array kRanges{
    UsualRange{"youngs_modulus_Pa", 1e2, 1e12, "Pa", "1 MPa is 1e6, 1 GPa is 1e9"},
    UsualRange{"density_kg_m3", 50, 25000, "kg/m^3", "1 g/cm^3 is 1000"},
    UsualRange{"poissons_ratio", 0, 0.495, "", "rubber is 0.45 to 0.49"},
    UsualRange{"friction", 0, 5, "", "a coefficient: 80 % is 0.8"},
    UsualRange{"friction_1", 0, 5, "", "a coefficient: 80 % is 0.8"},
    UsualRange{"friction_2", 0, 5, "", "a coefficient: 80 % is 0.8"},
    UsualRange{"step_s", 1e-6, 0.05, "s", "1 ms is 0.001"},
    UsualRange{"mass_kg", 1e-6, 1e5, "kg", "1 g is 0.001"},
    UsualRange{"radius_m", 1e-5, 100, "m", kMetres},
    UsualRange{"tube_radius_m", 1e-5, 100, "m", kMetres},
    UsualRange{"length_m", 1e-5, 1000, "m", kMetres},
    UsualRange{"size_m", 1e-5, 1000, "m", kMetres},
    UsualRange{"position_m", -1000, 1000, "m", kMetres},
    UsualRange{"margin_m", 0, 0.1, "m", kMetres},
    UsualRange{"velocity_m_s", 0, 100, "m/s", "velocities are in metres per second", true},
    UsualRange{"angular_velocity_rad_s", 0, 1000, "rad/s", "1 rpm is 0.105", true},
    UsualRange{"force_N", 0, 1e5, "N", "1 mN is 0.001", true},
    UsualRange{"rayleigh_mass_1_s", 0, 1e3, "1/s", ""},
    UsualRange{"rayleigh_stiffness_s", 0, 1, "s", "1 ms is 0.001"},
    UsualRange{"damping_s", 0, 10, "s", "1 ms is 0.001"},
    UsualRange{"recovery_speed_m_s", 0, 10, "m/s", "velocities are in metres per second"},
    UsualRange{"rest_speed_m_s", 0, 1, "m/s", "velocities are in metres per second"},
    UsualRange{"bounds_rad", 0, 2 * std::numbers::pi, "rad", "180 degrees are 3.1416"},
    UsualRange{"control_hz", 0.1, 2000, "Hz", ""},
};

std::string in_words(const std::string& key, const std::string& value, double low, double high,
                     const char* unit, const char* cure) {
  return fmt::format("{} = {} (usually {:.4g} to {:.4g}{}{}{}{})", key, value, low, high,
                     *unit ? " " : "", unit, *cure ? "; " : "", cure);
}

/// Numbers of a scalar or of a flat list. Empty if one of the values is not a number.
std::vector<double> numbers_of(const YamlNode& node) {
  std::vector<double> numbers;
  const auto take = [&](const YamlNode& scalar) {
    const std::optional<double> value =
        scalar.kind == YamlKind::scalar && !scalar.quoted ? parse_real(scalar.text) : std::nullopt;
    if (value) numbers.push_back(*value);
    return value.has_value();
  };
  if (!node.is_sequence()) return take(node) ? numbers : std::vector<double>{};
  for (const YamlNode& child : node.children)
    if (!take(child)) return {};
  return numbers;
}

bool is_usual(const UsualRange& range, const std::vector<double>& numbers) {
  if (range.is_norm) {
    double squared = 0;
    for (const double x : numbers) squared += x * x;
    return std::sqrt(squared) <= range.high;
  }
  return std::all_of(numbers.begin(), numbers.end(),
                     [&](double x) { return x == 0 || (x >= range.low && x <= range.high); });
}

class UnusualValueFinder {
 public:
  explicit UnusualValueFinder(const Scene& scene) : scene_(scene) {}

  std::vector<UnusualValue> find(const YamlNode& root) {
    for (const YamlNode& group : root.children) {
      // The other groups use some of these names for quantities that do not belong to the scene.
      const auto is = [&](const char* name) { return group.key == name; };
      if (!is("solver") && !is("checks") && !is("randomize") && !is("output"))
        look(group, group.key);
    }
    look_at_gravity();
    look_at_densities();
    look_at_paths();
    look_at_drives();
    return std::move(found_);
  }

 private:
  void add(const std::string& key, std::string text) { found_.push_back({key, std::move(text)}); }

  void look(const YamlNode& node, const std::string& path) {
    const std::string_view key = std::string_view(path).substr(path.rfind('.') + 1);
    const auto range = std::find_if(kRanges.begin(), kRanges.end(),
                                    [&](const UsualRange& r) { return r.key == key; });
    if (range != kRanges.end() && !is_usual(*range, numbers_of(node)))
      add(path, in_words(path, shown(node), range->low, range->high, range->unit, range->cure));
    for (std::size_t k = 0; k < node.children.size(); ++k) {
      const YamlNode& child = node.children[k];
      look(child, joined(path, node.is_map() ? child.key : std::to_string(k)));
    }
  }

  void look_at_gravity() {
    constexpr double kLargest = 30;
    const Vec3d g = scene_.gravity_m_s2;
    const std::string value = fmt::format("[{:.6g}, {:.6g}, {:.6g}]", g.x, g.y, g.z);
    if (g.z > 0)
      add("gravity_m_s2",
          fmt::format("gravity_m_s2 = {} points upward (usually [0, 0, -9.81]: z is up)", value));
    else if (norm(g) > kLargest)
      add("gravity_m_s2",
          in_words("gravity_m_s2", value, 0, kLargest, "m/s^2", "the earth's is [0, 0, -9.81]"));
  }

  void look_at_densities() {
    // A hollow body has a smaller density than its material.
    constexpr double kLeast = 5, kLargest = 25000;
    for (const RigidBodyDescription& body : scene_.rigid_bodies) {
      double volume = 0;
      for (const PlacedShape& placed : shapes_of(body))
        volume += with_row(placed.shape.kind, [&](auto row) { return row.volume(placed.shape); });
      if (!(volume > 0)) continue;  // a mesh
      const double density = body.mass_kg / volume;
      if (density >= kLeast && density <= kLargest) continue;
      const std::string key = joined("rigid_bodies", body.name) + ".mass_kg";
      add(key, fmt::format("{} = {:.6g} makes its density {:.3g} kg/m^3 (usually {:g} to {:g}; "
                           "check the unit of its mass and of its size)",
                           key, body.mass_kg, density, kLeast, kLargest));
    }
  }

  void look_at_paths() {
    const auto look_at = [&](const std::string& path_of_object, const Path& path) {
      constexpr double kFast_m_s = 20;
      for (std::size_t k = 1; k < path.keys.size(); ++k) {
        const Path::Key &from = path.keys[k - 1], &to = path.keys[k];
        const double speed = norm(to.position - from.position) / (to.time_s - from.time_s);
        if (!(speed > kFast_m_s)) continue;
        const std::string key = path_of_object + ".path";
        add(key, fmt::format("{} moves at {:.3g} m/s from {:.4g} to {:.4g} s (usually 0 to {:g} "
                             "m/s; positions are in metres, times in seconds)",
                             key, speed, from.time_s, to.time_s, kFast_m_s));
        return;
      }
    };
    for (const auto& obstacle : scene_.obstacles)
      look_at(joined("obstacles", obstacle.name), obstacle.path);
    for (const auto& mount : scene_.mounts) look_at(joined("mounts", mount.name), mount.path);
    for (const auto& attachment : scene_.attachments)
      look_at(joined("attachments", attachment.name), attachment.path);
  }

  void look_at_drives() {
    for (const RobotSceneDescription& robot : scene_.robots)
      for (const JointDriveDescription& drive : robot.joint_drives) {
        const int link = robot.robot.find_joint(drive.joint);
        if (link < 0) continue;
        const RobotJoint& joint = robot.robot.links[static_cast<std::size_t>(link)].joint;
        look_at_targets(
            joined(joined("robots", robot.name) + ".joint_drives", drive.joint) + ".path", drive,
            joint);
      }
  }

  /// Adds the first target that exceeds the joint's limits, or four turns if a rotating joint has
  /// no limits.
  void look_at_targets(const std::string& key, const JointDriveDescription& drive,
                       const RobotJoint& joint) {
    constexpr double kTurns = 8 * std::numbers::pi, kRounding = 1e-9;
    const bool turns = joint.kind != JointKind::prismatic;
    const char* const unit = turns ? "rad" : "m";
    double low = joint.lower, high = joint.upper;
    const bool is_limited = std::isfinite(low) && std::isfinite(high);
    if (!is_limited && turns) low = -kTurns, high = kTurns;
    const auto beyond = std::find_if(
        drive.path.begin(), drive.path.end(), [&](const JointDriveDescription::Key& k) {
          return k.target < low - kRounding || k.target > high + kRounding;
        });
    if (beyond == drive.path.end()) return;
    add(key,
        fmt::format("{} = {:.6g} {} at {:.4g} s ({} {:.4g} to {:.4g} {}{})", key, beyond->target,
                    unit, beyond->time_s, is_limited ? "the joint's limits are" : "usually", low,
                    high, unit, turns ? "; 180 degrees are 3.1416" : "; lengths are in metres"));
  }

  const Scene& scene_;
  std::vector<UnusualValue> found_;
};

}  // namespace

std::vector<UnusualValue> unusual_values(const YamlNode& root, const Scene& scene) {
  return UnusualValueFinder(scene).find(root);
}

}  // namespace nodia
