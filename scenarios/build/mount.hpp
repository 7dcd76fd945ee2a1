/// Mounts of a scenario.
#pragma once

#include <optional>
#include <string>

#include "host/scene/scene.hpp"
#include "scenarios/build/holder.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

struct MountEntry {
  std::string name;
  std::string body;
  MountPoint at = MountDescription{}.at;
  Vec3d point_m{};
  HolderEntry holder;
  bool moment = MountDescription{}.moment;
  std::optional<double> stiffness_N_m, stiffness_Nm_rad;
  double stiffness_links = MountDescription{}.stiffness_links;
  double damping_s = MountDescription{}.damping_s;
  std::optional<double> release_time_s;
};

template <class V>
void visit_keys(V& v, MountEntry& m) {
  const auto stiffness = [&](const Key& key, double& value) {
    v.real(key, value, Range::not_negative());
  };
  v.text({"body", "name of a cable or a rigid body", "", true}, m.body);
  v.choice({"at", "rear or front end of a cable, body: a point of a rigid body"}, m.at,
           choices_of<MountPoint>());
  v.vector({"point_m", "of a rigid body, in the frame that position_m places [m]"}, m.point_m,
           Range::any());
  visit_keys(v, m.holder);
  v.boolean({"moment", "false: a ball joint"}, m.moment);
  v.optional(
      {"stiffness_N_m", "along all axes; left out of a cable's: its section's [N/m]", "try 1000"},
      m.stiffness_N_m, stiffness);
  v.optional({"stiffness_Nm_rad", "about all axes; left out of a cable's: its section's [N m/rad]",
              "try 10"},
             m.stiffness_Nm_rad, stiffness);
  v.real({"stiffness_links",
          "length of cable that gives its section's stiffness, in links; half a link continues the "
          "rod [-]",
          "try 0.5"},
         m.stiffness_links, Range::positive());
  v.real({"damping_s", "beta of D = beta K [s]", "try 0"}, m.damping_s, Range::not_negative());
  visit_release(v, m.release_time_s);
}

/// @param root    the tree the entry was read from, for messages
/// @param scene   with its robots
/// @param origin  of the body, where it is rigid, in the frame it is given in [m]
MountDescription mount_of(const YamlNode& root, const MountEntry& entry, const Scene& scene,
                          Vec3d origin, SceneFiles* files);

}  // namespace nodia
