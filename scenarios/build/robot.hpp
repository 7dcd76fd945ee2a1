/// Robots of a scenario.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fem/robot/urdf.hpp"
#include "host/scene/keys.hpp"
#include "host/scene/scene.hpp"
#include "scenarios/build/build_context.hpp"
#include "scenarios/build/path.hpp"
#include "scenarios/build/shape.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

struct JointKeyEntry {
  double time_s = 0;
  double target = 0;
};

struct JointDriveEntry {
  static constexpr bool kHasForeignName = true;

  std::string name;  ///< name of the joint, from the URDF file
  double stiffness = JointDriveDescription{}.stiffness;
  double damping = JointDriveDescription{}.damping;
  std::vector<JointKeyEntry> path;
  PathProfile ease = JointDriveDescription{}.profile;
};

/// Values that the first keyframe leaves out equal those of the driven frame's pose at t = 0.
struct PoseDriveEntry {
  std::string name;
  std::string link;
  Vec3d frame_position_m{};
  Quaternion frame_orientation_wxyz{};
  std::vector<PathEntry> path;
  PathProfile ease = Path{}.profile;
  std::optional<std::string> track;  ///< file of positions [m], one row per time step
  double stiffness_N_m = PoseDriveDescription{}.stiffness_N_m;
  double damping_N_s_m = PoseDriveDescription{}.damping_N_s_m;
  double stiffness_Nm_rad = PoseDriveDescription{}.stiffness_Nm_rad;
  double damping_Nms_rad = PoseDriveDescription{}.damping_Nms_rad;
};

struct ForceSensorEntry {
  std::string name;
  std::string link;
};

struct LinkPairEntry {
  std::string link, other;
};

enum class RobotBase : std::uint8_t { fixed, free };

constexpr auto words_of(RobotBase) {
  return std::array{Word{RobotBase::fixed, "fixed"}, Word{RobotBase::free, "free"}};
}

struct RobotEntry {
  std::string name;
  std::string urdf;
  RobotRepair repair = UrdfOptions{}.repair;
  ColladaUpAxis collada_up_axis = UrdfOptions{}.collada_up_axis;
  RobotBase base = RobotBase::fixed;
  Vec3d position_m{};
  Quaternion orientation_wxyz{};
  std::vector<NamedNumber> q;  ///< positions at t = 0, by joint [rad] or [m]
  std::vector<JointDriveEntry> joint_drives;
  std::vector<PoseDriveEntry> pose_drives;
  bool gravity_compensation = RobotSceneDescription{}.gravity_compensation;
  bool collides = RobotSceneDescription{}.collides;
  bool self_contact = RobotSceneDescription{}.self_contact;
  std::vector<LinkPairEntry> self_contact_exclude;
  double friction = RobotSceneDescription{}.friction;
  std::vector<ForceSensorEntry> force_sensors;
  std::optional<double> mesh_grid_spacing_m;  ///< absent: default_grid_spacing()
};

inline void visit_keys(DocumentVisitor& v, JointKeyEntry& k) {
  v.real({"time_s", "[s]", "ascending", true}, k.time_s, Range::any());
  v.real({"target", "of the joint [rad] or [m]", "", true}, k.target, Range::any());
}

inline void visit_keys(DocumentVisitor& v, JointDriveEntry& d) {
  visit_gains(v, d.stiffness, d.damping);
  v.list({"path", "targets over time; left out: where the joint starts"}, d.path);
  visit_ease(v, d.ease);
}

inline void visit_keys(DocumentVisitor& v, PoseDriveEntry& d) {
  v.text({"link", "name of a link", "", true}, d.link);
  v.vector({"frame_position_m", "of the driven frame in the link's [m]"}, d.frame_position_m,
           Range::any());
  v.quaternion({"frame_orientation_wxyz", "of the driven frame in the link's, unit quaternion",
                "[1, 0, 0, 0] is no rotation"},
               d.frame_orientation_wxyz);
  v.list({"path", "keyframes in the world; what the first leaves out is as at the start"}, d.path);
  visit_ease(v, d.ease);
  v.optional(
      {"track",
       "text file of the driven frame's positions in the world instead of a path: x y z a "
       "row [m], row k (from 0) at k time steps, linear between them; turned as at the start"},
      d.track, [&](const Key& key, std::string& file) { v.file(key, file); });
  visit_gains(v, d.stiffness_N_m, d.damping_N_s_m, d.stiffness_Nm_rad, d.damping_Nms_rad);
}

inline void visit_keys(DocumentVisitor& v, ForceSensorEntry& s) {
  v.text({"link",
          "name of a link: the sensor reads what it and all that hangs on it exert on its parent, "
          "torque about the link's frame's origin, world axes",
          "", true},
         s.link);
}

inline void visit_keys(DocumentVisitor& v, LinkPairEntry& p) {
  v.text({"link", "name of a link", "", true}, p.link);
  v.text({"other", "name of another link", "", true}, p.other);
}

inline void visit_keys(DocumentVisitor& v, RobotEntry& r) {
  v.file({"urdf",
          "file of its links and joints, or package://NAME/PATH, which is PATH in the folder of a "
          "package in `packages`",
          "", true},
         r.urdf);
  v.choice({"repair",
            "of the file and its meshes: auto, impossible inertias become possible ones and open "
            "meshes closed ones, with a warning each; none, they are errors"},
           r.repair, choices_of<RobotRepair>());
  v.choice({"collada_up_axis",
            "of .dae meshes: as_written, the coordinates in the file are those of the link, as in "
            "RViz; z_up, the file's up axis becomes z"},
           r.collada_up_axis, choices_of<ColladaUpAxis>());
  v.choice({"base",
            "of the robot: fixed, the root link is part of the world; free, it hangs by a floating "
            "joint with the coordinates base.x, base.y, base.z, base.rx, base.ry, base.rz"},
           r.base, choices_of<RobotBase>());
  v.vector({"position_m", "of the root link [m]"}, r.position_m, Range::any());
  v.quaternion(
      {"orientation_wxyz", "of the root link, unit quaternion", "[1, 0, 0, 0] is no rotation"},
      r.orientation_wxyz);
  v.numbers_by_name({"q",
                     "joint: position at the start; others: zero inside the limits [rad] or "
                     "[m]",
                     "e.g. {joint_1: 0.5}"},
                    r.q);
  v.named({"joint_drives", "PD control of joints, by joint"}, r.joint_drives);
  v.named({"pose_drives", "spring and damper from frames of links to moving frames, by name"},
          r.pose_drives);
  v.boolean({"gravity_compensation", "actuators carry the links' weight"}, r.gravity_compensation);
  v.boolean({"collides", "links touch other bodies"}, r.collides);
  v.boolean(
      {"self_contact",
       "links touch each other, too; not those that a joint connects, nor links fixed to them"},
      r.self_contact);
  v.list({"self_contact_exclude", "pairs of links that do not touch each other"},
         r.self_contact_exclude);
  visit_friction(v, r.friction);
  v.named({"force_sensors", "of force and torque across joints, by name"}, r.force_sensors);
  visit_grid_spacing(v, "mesh_grid_spacing_m", r.mesh_grid_spacing_m);
}

/// Replaces the URDF file `package://NAME/PATH` by PATH in the folder of the package.
/// @throws InputError if `packages` lacks the package
void find_urdf(const YamlNode& root, const std::map<std::string, std::string>& packages,
               RobotEntry* robot);

/// Reads the URDF file and converts the entry to the scene's description. Adds the robot's model to
/// the context.
/// @throws InputError if a file cannot be read, or if an entry names an unknown joint
RobotSceneDescription description_of(const RobotEntry& entry, BuildContext* context);

}  // namespace nodia
