/// The keys of a scenario file, each with its meaning, unit, default and range: the one table
/// behind the reader, the writer of resolved scenarios and the JSON schema. Defaults are those of
/// the structs.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "host/solvers/solver_options.hpp"
#include "kernels/core/key.hpp"
#include "scenarios/loader/document.hpp"

namespace nodia {

/// The values of a choice by their words.
template <class E>
using Choices = std::vector<std::pair<std::string, E>>;

/// Shows a visitor of this table's kind to what is declared for a KeyVisitor.
template <class V>
class VisitorOf final : public KeyVisitor {
 public:
  explicit VisitorOf(V& v) : v_(v) {}

  void real(const Key& key, double& value, const Range& range) override {
    v_.real(key, value, range);
  }
  void optional_real(const Key& key, std::optional<double>& value, const Range& range) override {
    v_.optional(key, value, [&](const Key& k, double& x) { v_.real(k, x, range); });
  }
  void integer(const Key& key, int& value, int low, int high) override {
    v_.integer(key, value, low, high);
  }
  void boolean(const Key& key, bool& value) override { v_.boolean(key, value); }
  void text(const Key& key, std::string& value) override { v_.text(key, value); }
  void word(const Key& key, std::string& value, const std::vector<std::string>& words) override {
    Choices<std::string> choices;
    for (const std::string& word : words) choices.emplace_back(word, word);
    v_.choice(key, value, choices);
  }
  void names(const Key& key, std::string& value, const std::vector<std::string>&) override {
    v_.text(key, value);
  }
  void group(const Key& key, const std::function<void(KeyVisitor&)>& visit) override;

 private:
  V& v_;
};

/// A group of keys that a KeyVisitor is shown.
struct ShownGroup {
  const std::function<void(KeyVisitor&)>& visit;
};

template <class V>
void visit_keys(V& v, ShownGroup& group) {
  VisitorOf<V> visitor(v);
  group.visit(visitor);
}

template <class V>
void VisitorOf<V>::group(const Key& key, const std::function<void(KeyVisitor&)>& visit) {
  ShownGroup members{visit};
  v_.group(key, members);
}

template <class V>
void visit_keys(V& v, SolverOptions& s) {
  VisitorOf<V> visitor(v);
  visit_keys(static_cast<KeyVisitor&>(visitor), s);
}

template <class V>
void visit_keys(V& v, TimeOptions& t) {
  v.real({"step_s", "length of a time step [s]", "try 0.01"}, t.step_s, Range::above_to(0, 1));
  v.real({"theta", "time scheme: 1/2 passive midpoint, 1 linearised implicit Euler [-]", "try 1"},
         t.theta, Range::between(0.5, 1));
  v.real({"duration_s", "length of the simulation [s]", "try 1"}, t.duration_s, Range::positive());
  v.boolean({"geometric_stiffness",
             "of the joints of cables and rigid bodies: keeps tight cables stable at large steps, "
             "damps turns in proportion to the step"},
            t.geometric_stiffness);
}

template <class V>
void visit_keys(V& v, ContactOptions& c) {
  v.real(
      {"margin_m", "what is closer than this, plus twice its approach in a step, is a contact [m]",
       "try 2e-3"},
      c.margin_m, Range::not_negative());
  v.real({"rest_speed_m_s", "slower approaches have no restitution [m/s]", "try 0.01"},
         c.rest_speed_m_s, Range::not_negative());
  v.real({"penetration_recovery", "share of a penetration removed per step [-]", "try 0.2"},
         c.penetration_recovery, Range::between(0, 1));
  v.real({"recovery_speed_m_s", "largest speed of the recovery [m/s]", "try 0.5"},
         c.recovery_speed_m_s, Range::positive());
}

template <class V>
void visit_keys(V& v, OutputOptions& o) {
  v.integer({"every_steps", "steps between frames of the trajectory", "try 1"}, o.every_steps, 1,
            1'000'000'000);
  v.integer({"part_frames", "frames in one part of the trajectory file", "try 100"}, o.part_frames,
            1, 1'000'000);
  v.text({"record_envs", "environments with a trajectory: all, none, or e.g. 0,3,17"},
         o.record_envs);
  v.choice({"contact_columns",
            "contact forces in steps.csv: of every pair of objects that can touch and of every "
            "object, of objects alone, or none; auto: pairs where there are at most 64"},
           o.contact_columns,
           Choices<ContactGroups>{{"auto", ContactGroups::automatic},
                                  {"pairs", ContactGroups::pairs},
                                  {"bodies", ContactGroups::bodies},
                                  {"none", ContactGroups::none}});
}

inline constexpr int kMaxMeshNodes = 4'000'000;

template <class V>
void visit_keys(V& v, MeshBox& m) {
  v.vector({"size_m", "edges along x, y, z [m]", "try [0.3, 0.3, 0.006]", true}, m.size_m,
           Range::positive());
  v.cells({"cells", "cells along x, y, z, six tetrahedra each", "try [20, 20, 1]", true}, m.cells,
          1, kMaxMeshNodes);
}
template <class V>
void visit_keys(V& v, MeshMat& m) {
  v.vector({"size_m", "length, width, thickness [m]", "try [0.3, 0.3, 0.006]", true}, m.size_m,
           Range::positive());
  v.integer({"nodes", "about so many", "try 1477", true}, m.nodes, 8, kMaxMeshNodes);
  v.integer({"layers", "of elements through the thickness; 0: chosen", "try 0"}, m.layers, 0, 1000);
  v.unsigned_64({"seed", "of the jitter of its points", "try 1"}, m.seed);
}
template <class V>
void visit_keys(V& v, MeshBall& m) {
  v.real({"radius_m", "[m]", "try 0.05", true}, m.radius_m, Range::positive());
  v.integer({"nodes", "about so many", "try 500", true}, m.nodes, 8, kMaxMeshNodes);
}

template <class V>
void visit_keys(V& v, MeshSource& m) {
  v.exactly_one("file: NAME.msh, box, mat or ball");
  v.optional({"file", "Gmsh .msh file, 2.2 or 4.1"}, m.file,
             [&](const Key& key, std::string& file) { v.file(key, file); });
  v.optional_group({"box", "regular box, lower corner at the origin"}, m.box);
  v.optional_group({"mat", "unstructured sheet, lower corner at the origin"}, m.mat);
  v.optional_group({"ball", "ball about the origin"}, m.ball);
}

template <class V>
void visit_keys(V& v, Material& m) {
  v.real({"youngs_modulus_Pa", "[Pa]", "75e3 is a soft rubber"}, m.youngs_modulus_Pa,
         Range::positive());
  v.real({"poissons_ratio", "[-]", "try 0.35; 0.49 is nearly incompressible"}, m.poissons_ratio,
         Range::open(-1, 0.5));
  v.real({"density_kg_m3", "[kg/m^3]", "water has 1000"}, m.density_kg_m3, Range::positive());
  v.real({"rayleigh_mass_1_s", "alpha of D = alpha M + beta K [1/s]", "try 0"}, m.rayleigh_mass_1_s,
         Range::not_negative());
  v.real({"rayleigh_stiffness_s", "beta of D = alpha M + beta K [s]", "try 0"},
         m.rayleigh_stiffness_s, Range::not_negative());
}

template <class V>
void visit_friction(V& v, double& friction) {
  v.real(
      {"friction", "Coulomb coefficient; a pair takes the larger of both surfaces' [-]", "try 0.3"},
      friction, Range::not_negative());
}

template <class V>
void visit_keys(V& v, BodyEntry& b) {
  v.group({"mesh", "rest shape", "give file, box, mat or ball", true}, b.mesh);
  visit_keys(v, b.material);
  v.vector({"position_m", "of the mesh's origin at the start [m]"}, b.position_m, Range::any());
  v.quaternion({"orientation_wxyz", "of the mesh at the start, unit quaternion",
                "[1, 0, 0, 0] is no rotation"},
               b.orientation_wxyz);
  v.vector({"velocity_m_s", "at the start [m/s]"}, b.velocity_m_s, Range::any());
  visit_friction(v, b.friction);
  v.boolean({"self_contact", "contact of the body with itself"}, b.self_contact);
  v.real({"thickness_m", "the surface is this far outside the mesh, between moving bodies [m]",
          "try 0"},
         b.thickness_m, Range::not_negative());
}

template <class V>
void visit_keys(V& v, PathEntry& p) {
  v.real({"time_s", "[s]", "ascending", true}, p.time_s, Range::any());
  v.optional({"position_m", "[m]; left out: as before"}, p.position_m,
             [&](const Key& key, Vec3d& value) { v.vector(key, value, Range::any()); });
  v.optional(
      {"orientation_wxyz", "unit quaternion; left out: as before", "[1, 0, 0, 0] is no rotation"},
      p.orientation_wxyz, [&](const Key& key, Quaternion& value) { v.quaternion(key, value); });
}

template <class V>
void visit_keys(V&, HalfSpaceShape&) {}
template <class V>
void visit_keys(V& v, BoxShape& s) {
  v.vector({"size_m", "edges [m]", "try [0.1, 0.1, 0.1]", true}, s.size_m, Range::positive());
}
template <class V>
void visit_keys(V& v, SphereShape& s) {
  v.real({"radius_m", "[m]", "try 0.05", true}, s.radius_m, Range::positive());
}
template <class V>
void visit_keys(V& v, CylinderShape& s) {
  v.real({"radius_m", "[m]", "try 0.05", true}, s.radius_m, Range::positive());
  v.real({"length_m", "along its z axis [m]", "try 0.5", true}, s.length_m, Range::positive());
}
template <class V>
void visit_keys(V& v, CapsuleShape& s) {
  v.real({"radius_m", "[m]", "try 0.05", true}, s.radius_m, Range::positive());
  v.real({"length_m", "along its z axis, between the centres of its caps [m]", "try 0.5", true},
         s.length_m, Range::positive());
}
template <class V>
void visit_grid_spacing(V& v, const char* key, std::optional<double>& spacing_m) {
  v.optional({key,
              "of the signed-distance grids of meshes (OBJ or STL, closed), at most half of a "
              "mesh's smallest extent; left out: a 64th of its longest side or a quarter of its "
              "smallest extent, whichever is less [m]",
              "a tenth of the smallest feature"},
             spacing_m, [&](const Key& k, double& value) { v.real(k, value, Range::positive()); });
}
template <class V>
void visit_keys(V& v, MeshShape& s) {
  v.file({"file", "closed triangle mesh, OBJ or STL", "", true}, s.file);
  visit_grid_spacing(v, "grid_spacing_m", s.grid_spacing_m);
}

template <class V>
void visit_keys(V& v, ObstacleEntry& o) {
  v.tagged(
      {"shape",
       "in its own frame; half_space: z <= 0 is solid; box, sphere: about the origin; cylinder, "
       "capsule: axis z",
       "", true},
      o.shape,
      std::array<const char*, 6>{"half_space", "box", "sphere", "cylinder", "capsule", "mesh"});
  v.vector({"position_m", "of its frame [m]"}, o.position_m, Range::any());
  v.quaternion({"orientation_wxyz", "of its frame, unit quaternion", "[1, 0, 0, 0] is no rotation"},
               o.orientation_wxyz);
  v.list({"path", "keyframes of its frame; minimum jerk between them, at rest before and behind"},
         o.path);
  visit_friction(v, o.friction);
  v.real({"restitution", "Newton's coefficient [-]", "try 0"}, o.restitution, Range::between(0, 1));
}

template <class V>
void visit_keys(V& v, RigidBodyEntry& b) {
  const auto positive = [&](const Key& key, double& value) {
    v.real(key, value, Range::positive());
  };
  v.tagged({"shape",
            "in its own frame; box, sphere: about the origin; cylinder, capsule: axis z; mesh: as "
            "in its file",
            "", true},
           b.shape, std::array<const char*, 5>{"box", "sphere", "cylinder", "capsule", "mesh"});
  v.vector({"shape_position_m", "of the shape's frame in the body's [m]"}, b.shape_position_m,
           Range::any());
  v.quaternion({"shape_orientation_wxyz", "of the shape's frame in the body's, unit quaternion",
                "[1, 0, 0, 0] is no rotation"},
               b.shape_orientation_wxyz);
  v.optional({"mass_kg", "instead of a density [kg]", "try 1"}, b.mass_kg, positive);
  v.optional({"density_kg_m3", "of the shape's volume; 1000 where no mass is given [kg/m^3]",
              "water has 1000"},
             b.density_kg_m3, positive);
  v.optional({"inertia_kg_m2",
              "about the centre of mass, which is then the frame's origin: [xx, yy, zz] or [xx, "
              "yy, zz, xy, xz, yz]; left out: the homogeneous solid's, the frame's origin moves to "
              "its centre of mass [kg m^2]"},
             b.inertia_kg_m2, [&](const Key& key, std::vector<double>& value) {
               v.numbers(key, value, {3, 6}, Range::any());
             });
  v.vector({"position_m", "of its frame at the start [m]"}, b.position_m, Range::any());
  v.quaternion({"orientation_wxyz", "of its frame at the start, unit quaternion",
                "[1, 0, 0, 0] is no rotation"},
               b.orientation_wxyz);
  v.vector({"velocity_m_s", "of the centre of mass at the start [m/s]"}, b.velocity_m_s,
           Range::any());
  v.vector({"angular_velocity_rad_s", "at the start, world axes [rad/s]"}, b.angular_velocity_rad_s,
           Range::any());
  v.vector({"force_N", "on the centre of mass all the time, world axes [N]"}, b.force_N,
           Range::any());
  visit_friction(v, b.friction);
  v.real({"restitution", "Newton's coefficient [-]", "try 0"}, b.restitution, Range::between(0, 1));
}

inline constexpr int kMaxLinks = 1'000'000;

template <class V>
void visit_keys(V& v, RodMaterial& m) {
  v.real({"youngs_modulus_Pa", "[Pa]", "1e7 is rubber"}, m.youngs_modulus_Pa, Range::positive());
  v.real({"poissons_ratio", "[-]", "try 0.3"}, m.poissons_ratio, Range::above_to(-1, 0.5));
  v.real({"density_kg_m3", "[kg/m^3]", "water has 1000"}, m.density_kg_m3, Range::positive());
  v.real({"shear_correction", "k of the shear stiffness k G A [-]", "try 1"}, m.shear_correction,
         Range::positive());
  v.real({"damping_s", "beta of D = beta K in the joints [s]", "try 0"}, m.damping_s,
         Range::not_negative());
  v.real({"drag_translation_N_s_m", "viscous drag on every link [N s/m]", "try 0"},
         m.drag_translation_N_s_m, Range::not_negative());
  v.real({"drag_rotation_Nms_rad", "viscous drag on every link [N m s/rad]", "try 0"},
         m.drag_rotation_Nms_rad, Range::not_negative());
}

template <class V>
void visit_keys(V& v, CableEntry& c) {
  v.points({"points_m", "polyline from the rear to the front, at rest and at the start [m]",
            "[[0, 0, 1], [1, 0, 1]]", true},
           c.points_m);
  v.integer({"links", "of equal length", "try 100"}, c.links, 1, kMaxLinks);
  v.real({"radius_m", "of its circular section [m]", "try 2e-3"}, c.radius_m, Range::positive());
  visit_keys(v, c.material);
  visit_friction(v, c.friction);
  v.choice({"contact", "where contact forces act"}, c.contact,
           Choices<RodContact>{{"link_centres", RodContact::link_centres},
                               {"segments", RodContact::segments}});
  v.boolean({"self_contact", "contact of the cable with itself; needs contact: segments"},
            c.self_contact);
}

template <class V>
void visit_keys(V& v, JointKeyEntry& k) {
  v.real({"time_s", "[s]", "ascending", true}, k.time_s, Range::any());
  v.real({"target", "of the joint [rad] or [m]", "", true}, k.target, Range::any());
}

template <class V>
void visit_keys(V& v, JointDriveEntry& d) {
  v.real({"stiffness", "[N m/rad] or [N/m]", "try 100"}, d.stiffness, Range::not_negative());
  v.real({"damping", "[N m s/rad] or [N s/m]", "try 10"}, d.damping, Range::not_negative());
  v.list({"path", "targets over time, minimum jerk between them; left out: where the joint starts"},
         d.path);
}

template <class V>
void visit_keys(V& v, PoseDriveEntry& d) {
  v.text({"link", "name of a link", "", true}, d.link);
  v.vector({"frame_position_m", "of the driven frame in the link's [m]"}, d.frame_position_m,
           Range::any());
  v.quaternion({"frame_orientation_wxyz", "of the driven frame in the link's, unit quaternion",
                "[1, 0, 0, 0] is no rotation"},
               d.frame_orientation_wxyz);
  v.list({"path", "keyframes in the world; what the first leaves out is as at the start"}, d.path);
  v.optional(
      {"track",
       "text file of the driven frame's positions in the world instead of a path: x y z a "
       "row [m], row k (from 0) at k time steps, linear between them; turned as at the start"},
      d.track, [&](const Key& key, std::string& file) { v.file(key, file); });
  v.real({"stiffness_N_m", "[N/m]", "try 1000"}, d.stiffness_N_m, Range::not_negative());
  v.real({"damping_N_s_m", "[N s/m]", "try 100"}, d.damping_N_s_m, Range::not_negative());
  v.real({"stiffness_Nm_rad", "[N m/rad]", "try 50"}, d.stiffness_Nm_rad, Range::not_negative());
  v.real({"damping_Nms_rad", "[N m s/rad]", "try 5"}, d.damping_Nms_rad, Range::not_negative());
}

template <class V>
void visit_keys(V& v, ForceSensorEntry& s) {
  v.text({"link",
          "name of a link: the sensor reads what it and all that hangs on it exert on its parent, "
          "torque about the link's frame's origin, world axes",
          "", true},
         s.link);
}

template <class V>
void visit_keys(V& v, RobotEntry& r) {
  v.file({"urdf", "file of its links and joints", "", true}, r.urdf);
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
  v.boolean({"collides", "links touch other bodies, not each other"}, r.collides);
  visit_friction(v, r.friction);
  v.named({"force_sensors", "of force and torque across joints, by name"}, r.force_sensors);
  visit_grid_spacing(v, "mesh_grid_spacing_m", r.mesh_grid_spacing_m);
}

template <class V>
void visit_keys(V& v, HolderEntry& h) {
  v.text({"robot", "whose link holds; left out: a frame along the path"}, h.robot);
  v.text({"link", "of the robot"}, h.link);
  v.vector({"position_m", "of the frame [m]"}, h.position_m, Range::any());
  v.quaternion({"orientation_wxyz", "of the frame, unit quaternion", "[1, 0, 0, 0] is no rotation"},
               h.orientation_wxyz);
  v.list({"path", "keyframes of the frame; what is held keeps its place in the first pose"},
         h.path);
  v.optional({"track",
              "text file of the frame's positions instead of a path: x y z a row [m], row k (from "
              "0) at k time steps, linear between them; a mount is then at the frame's origin"},
             h.track, [&](const Key& key, std::string& file) { v.file(key, file); });
}

template <class V>
void visit_release(V& v, std::optional<double>& release_time_s) {
  v.optional({"release_time_s", "free from then on; left out: never [s]", "try 1"}, release_time_s,
             [&](const Key& key, double& value) { v.real(key, value, Range::not_negative()); });
}

template <class V>
void visit_keys(V& v, AttachmentEntry& a) {
  v.text({"body", "name of a soft body", "", true}, a.body);
  v.text({"node_set", "named nodes of its mesh that are held", "", true}, a.node_set);
  v.real({"stiffness_N_m", "per node [N/m]", "try 1000"}, a.stiffness_N_m, Range::positive());
  visit_keys(v, a.holder);
  visit_release(v, a.release_time_s);
}

inline Choices<MountPoint> mount_points() {
  return {{"rear", MountPoint::rear}, {"front", MountPoint::front}, {"body", MountPoint::body}};
}

template <class V>
void visit_keys(V& v, MountEntry& m) {
  const auto stiffness = [&](const Key& key, double& value) {
    v.real(key, value, Range::not_negative());
  };
  v.text({"body", "name of a cable or a rigid body", "", true}, m.body);
  v.choice({"at", "rear or front end of a cable, body: a point of a rigid body"}, m.at,
           mount_points());
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

template <class V>
void visit_keys(V& v, FrictionPairEntry& p) {
  const auto coefficient = [&](const Key& key, double& value) {
    v.real(key, value, Range::not_negative());
  };
  v.text({"body", "name of a body", "", true}, p.body);
  v.text({"obstacle", "name of an obstacle or another body", "", true}, p.obstacle);
  v.optional({"friction", "of this pair, all directions [-]", "try 0.3"}, p.friction, coefficient);
  v.optional({"friction_1", "along the contact frame's t1 [-]", "try 0.3"}, p.friction_1,
             coefficient);
  v.optional({"friction_2", "along the contact frame's t2 [-]", "try 0.3"}, p.friction_2,
             coefficient);
  v.vector({"axis",
            "world direction whose part in the contact plane is t1; zero: chosen from the normal"},
           p.axis, Range::any());
}

template <class V, class Check>
void visit_window(V& v, Check& c) {
  v.real({"from_s", "steps that end after it count [s]", "", true}, c.from_s,
         Range::not_negative());
  v.real({"to_s", "the last step that counts ends here [s]", "", true}, c.to_s, Range::positive());
}
template <class V>
void visit_keys(V& v, WeightOnObstacle& c) {
  v.text({"obstacle", "name of an obstacle", "", true}, c.obstacle);
  visit_window(v, c);
  v.real({"relative_tolerance", "of |force/weight - 1| [-]", "try 0.01"}, c.relative_tolerance,
         Range::positive());
}
template <class V>
void visit_keys(V& v, MaxPenetration& c) {
  v.real({"bound_m", "[m]", "try 1e-5"}, c.bound_m, Range::positive());
}
template <class V>
void visit_keys(V& v, FrictionInCone& c) {
  v.real({"tolerance", "of the excess relative to the cone [-]", "try 1e-9"}, c.tolerance,
         Range::positive());
}
template <class V>
void visit_keys(V&, AllStepsConverged&) {}
template <class V>
void visit_keys(V& v, EnergyNonIncreasing& c) {
  visit_window(v, c);
  v.real({"tolerance_J", "of the largest rise [J]", "try 1e-6"}, c.tolerance_J, Range::positive());
}
template <class V, class Check>
void visit_bounds(V& v, Check& c, const char* over) {
  const auto number = [&](const Key& key, double& value) { v.real(key, value, Range::any()); };
  v.choice({"axis", "of the world"}, c.axis,
           Choices<Axis>{{"x", Axis::x}, {"y", Axis::y}, {"z", Axis::z}});
  v.choice({"of", over}, c.of,
           Choices<Statistic>{{"mean", Statistic::mean},
                              {"lowest", Statistic::lowest},
                              {"highest", Statistic::highest}});
  v.optional({"at_s", "left out: at the end [s]"}, c.at_s,
             [&](const Key& key, double& value) { v.real(key, value, Range::positive()); });
  v.optional({"above_m", "[m]"}, c.above_m, number);
  v.optional({"below_m", "[m]"}, c.below_m, number);
}
template <class V>
void visit_keys(V& v, NodePosition& c) {
  v.text({"body", "name of a soft body", "", true}, c.body);
  v.text({"node_set", "named nodes of its mesh; empty: all"}, c.node_set);
  visit_bounds(v, c, "over the nodes");
}
template <class V>
void visit_keys(V& v, BodyPosition& c) {
  v.text({"body", "name of a rigid body or a cable", "", true}, c.body);
  v.choice({"at", "rear or front end of a cable; body: centre of mass, centres of links"}, c.at,
           mount_points());
  visit_bounds(v, c, "over the links of a cable");
}
template <class V, class Check>
void visit_tolerance(V& v, Check& c, const char* of) {
  const auto positive = [&](const Key& key, double& value) {
    v.real(key, value, Range::positive());
  };
  v.optional({"relative_tolerance", of, "try 0.01"}, c.relative_tolerance, positive);
  v.optional({"tolerance_N", "[N]", "try 0.01"}, c.tolerance_N, positive);
}
template <class V>
void visit_keys(V& v, ReferenceCsv& c) {
  const auto positive = [&](const Key& key, double& value) {
    v.real(key, value, Range::positive());
  };
  v.text({"sensor", "name of a mount, an attachment or a force sensor of a robot", "", true},
         c.sensor);
  v.text({"cable", "name of a cable; empty: the only one"}, c.cable);
  v.optional({"reference",
              "table of another program: step, time, force, 3 unused, nine link centres; left "
              "out: nothing is compared"},
             c.reference, [&](const Key& key, std::string& file) { v.file(key, file); });
  v.optional({"reference_links", "links of the cable in the table; left out: as many as it has",
              "try 160"},
             c.reference_links,
             [&](const Key& key, int& value) { v.integer(key, value, 1, kMaxLinks); });
  v.optional({"force_rms_bound_N", "root mean square of the difference of forces [N]", "try 0.1"},
             c.force_rms_bound_N, positive);
  v.optional({"position_bound_m", "mean distance of any of the nine links [m]", "try 1e-3"},
             c.position_bound_m, positive);
}
template <class V>
void visit_keys(V& v, SensorForce& c) {
  v.text({"sensor", "name of a mount, an attachment or a force sensor of a robot", "", true},
         c.sensor);
  v.choice({"axis", "of the world, or the norm"}, c.axis,
           Choices<ForcePart>{{"x", ForcePart::x},
                              {"y", ForcePart::y},
                              {"z", ForcePart::z},
                              {"norm", ForcePart::norm}});
  visit_window(v, c);
  v.real({"value_N", "of the held body on its holder, mean over the steps [N]", "", true},
         c.value_N, Range::any());
  visit_tolerance(v, c, "of |mean - value| by |value| [-]");
}
template <class V>
void visit_keys(V& v, ContactForce& c) {
  v.text({"on", "name of a body, cable, robot or obstacle", "", true}, c.on);
  v.text({"by", "name of another; empty: by everything else"}, c.by);
  v.choice({"part", "of the sum, along the world's axes; its norm; normal: sum of normal forces"},
           c.part,
           Choices<ContactForcePart>{{"x", ContactForcePart::x},
                                     {"y", ContactForcePart::y},
                                     {"z", ContactForcePart::z},
                                     {"norm", ContactForcePart::norm},
                                     {"normal", ContactForcePart::normal}});
  visit_window(v, c);
  v.real({"value_N", "mean over the steps [N]", "", true}, c.value_N, Range::any());
  visit_tolerance(v, c, "of |mean - value| by |value| [-]");
}
template <class V>
void visit_keys(V& v, ForceBalance& c) {
  visit_window(v, c);
  visit_tolerance(v, c, "of what is missing by weight and applied forces [-]");
}
template <class V>
void visit_keys(V& v, Drift& c) {
  v.text({"body", "name of a soft body, a rigid body or a cable", "", true}, c.body);
  visit_window(v, c);
  v.real({"bound_m_s", "of the mean position's speed [m/s]", "try 1e-4"}, c.bound_m_s,
         Range::positive());
}
template <class V>
void visit_keys(V& v, SticksAndSlips& c) {
  visit_window(v, c);
  v.integer({"nodes", "so many stick and so many slip at one time", "try 1"}, c.nodes, 1,
            kMaxMeshNodes);
}

template <class V>
void visit_keys(V& v, CheckDescription& c) {
  v.tagged({"check", "what is compared", "", true}, c.kind,
           std::array<const char*, 13>{
               "weight_on_obstacle", "max_penetration", "friction_in_cone", "all_steps_converged",
               "energy_non_increasing", "node_position", "sticks_and_slips", "reference_csv",
               "body_position", "sensor_force", "force_balance", "drift", "contact_force"});
}

template <class V>
void visit_keys(V& v, ScenarioDocument& d) {
  v.integer({"format_version", "of scenario files", "a larger one is of a newer nodia"},
            d.format_version, 1, kScenarioVersion);
  v.text({"name", "of the scenario", "", true}, d.name);
  v.text({"description", "what it shows"}, d.description);
  v.optional({"seed", "draws the values of randomize, as --seed does; left out: nothing is drawn"},
             d.seed, [&](const Key& key, std::uint64_t& value) { v.unsigned_64(key, value); });
  v.integer(
      {"environments",
       "of a batch, as --envs sets it; environment e draws with seed + e, and with seed 0 + e "
       "where no seed is given",
       "try 1"},
      d.environments, 1, kMaxEnvironments);
  v.vector({"gravity_m_s2", "[m/s^2]"}, d.gravity_m_s2, Range::any());
  v.group({"time", "time stepping"}, d.time);
  v.group({"contact", "detection and penetration recovery"}, d.contact);
  v.group({"solver", "contact solver"}, d.solver);
  v.named({"bodies", "soft bodies by name"}, d.bodies);
  v.named({"rigid_bodies", "dynamic rigid bodies by name"}, d.rigid_bodies);
  v.named({"cables", "Cosserat rods of circular section by name"}, d.cables);
  v.named({"robots", "articulated robots by name"}, d.robots);
  v.named({"obstacles", "rigid obstacles by name, fixed or moving along paths"}, d.obstacles);
  v.named({"mounts", "elastic joints that hold cables and rigid bodies, each a sensor, by name"},
          d.mounts);
  v.named({"attachments", "nodes of soft bodies held by moving frames, each a sensor, by name"},
          d.attachments);
  v.list({"friction_pairs", "friction of pairs in place of the larger of both"}, d.friction_pairs);
  v.ranges({"randomize", "dotted key: [low, high], drawn uniformly where a seed is given"},
           d.randomize);
  v.named({"checks", "answers known beforehand, by name"}, d.checks);
  v.group({"output", "trajectory"}, d.output);
}

}  // namespace nodia
