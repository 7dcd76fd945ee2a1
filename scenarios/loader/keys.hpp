/// The keys of a scenario file, each with its meaning, unit, default and range: the one table
/// behind the reader, the writer of resolved scenarios and the JSON schema. Defaults are those of
/// the structs.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/loader/document.hpp"

namespace nodia {

struct Key {
  const char* name;
  const char* meaning;
  const char* hint = "";
  bool required = false;
};

/// Numbers a key may have; always finite.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;

  static Range any() { return {}; }
  static Range positive() { return above(0); }
  static Range not_negative() { return between(0, std::numeric_limits<double>::infinity()); }
  static Range above(double low) {
    return {low, std::numeric_limits<double>::infinity(), true, false};
  }
  static Range between(double low, double high) { return {low, high, false, false}; }
  static Range above_to(double low, double high) { return {low, high, true, false}; }
  static Range open(double low, double high) { return {low, high, true, true}; }

  bool contains(double value) const {
    return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
  }
};

template <class E>
using Choices = std::vector<std::pair<std::string, E>>;

/// Choices named by the library's name_of.
template <class E>
Choices<E> choices_of(std::initializer_list<E> values) {
  Choices<E> choices;
  for (const E value : values) choices.emplace_back(name_of(value), value);
  return choices;
}

template <class V>
void visit_keys(V& v, TimeOptions& t) {
  v.real({"step_s", "length of a time step [s]", "try 0.01"}, t.step_s, Range::above_to(0, 1));
  v.real({"theta", "time scheme: 1/2 passive midpoint, 1 linearised implicit Euler [-]", "try 1"},
         t.theta, Range::between(0.5, 1));
  v.real({"duration_s", "length of the simulation [s]", "try 1"}, t.duration_s, Range::positive());
}

template <class V>
void visit_keys(V& v, ContactOptions& c) {
  v.real(
      {"margin_m", "nodes closer than this, plus twice their approach in a step, are contacts [m]",
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
void visit_keys(V& v, SolverOptions& s) {
  v.text({"solver", "name in the catalogue (nodia info lists them)", "try cond"}, s.solver);
  v.choice({"stop", "rule that ends the iteration"}, s.stop,
           choices_of({StopRule::residual, StopRule::paper}));
  v.real(
      {"tolerance", "of the rule: residual relative [-], paper |v_new - v_old| [m/s]", "try 1e-4"},
      s.tolerance, Range::open(0, 1));
  v.integer({"max_iterations", "per step", "try 2000"}, s.max_iterations, 1, 10'000'000);
  v.integer({"check_every", "iterations between tests of the residual rule", "try 8"},
            s.check_every, 1, 1000);
  v.choice({"projection", "strict: Coulomb exactly; proximal: its convex relaxation"}, s.projection,
           choices_of({Projection::strict, Projection::proximal}));
  v.choice({"w", "diagonal preconditioner W"}, s.w,
           choices_of({WKind::frobenius, WKind::bb1, WKind::bb2, WKind::bb_alternating,
                       WKind::alpha_identity, WKind::inf_norm}));
  v.integer({"w_recycle_steps", "steps for which W and its spectral estimate are kept", "try 1"},
            s.w_recycle_steps, 1, 1000);
  v.choice({"acceleration", "of the fixed-point iteration"}, s.acceleration,
           choices_of({Acceleration::none, Acceleration::chebyshev, Acceleration::nesterov}));
  v.real({"under_relaxation", "u of Chebyshev's step (38) [-]", "try 0.95"}, s.under_relaxation,
         Range::above_to(0, 1));
  v.integer({"slow_start", "iterations before Chebyshev starts, ls of (38)", "try 5"}, s.slow_start,
            2, 1000);
  v.choice({"precision",
            "of COND's iteration; mixed: float matrix, refined to double accuracy"},
           s.precision,
           choices_of({Precision::double_, Precision::mixed, Precision::float_}));
  v.integer({"threads", "0: chosen from the problem's size and the machine", "try 0"}, s.threads, 0,
            1024);
  v.choice({"factoriser", "Cholesky factor of A, for solvers on the Delassus operator"},
           s.factoriser, choices_of({Factoriser::simplicial, Factoriser::cholmod}));
  v.boolean({"sparse_rhs",
             "sparse right-hand sides of the Delassus operator, dense as in the paper otherwise"},
            s.sparse_rhs);
  v.boolean({"full_errors", "exact Delassus diagonal in the error measures"}, s.full_errors);
}

template <class V>
void visit_keys(V& v, OutputOptions& o) {
  v.integer({"every_steps", "steps between frames of the trajectory", "try 1"}, o.every_steps, 1,
            1'000'000'000);
  v.integer({"part_frames", "frames in one part of the trajectory file", "try 100"}, o.part_frames,
            1, 1'000'000);
  v.text({"record_envs", "environments with a trajectory: all, none, or e.g. 0,3,17"},
         o.record_envs);
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
void visit_keys(V& v, BodyEntry& b) {
  v.group({"mesh", "rest shape", "give file, box, mat or ball", true}, b.mesh);
  visit_keys(v, b.material);
  v.vector({"position_m", "of the mesh's origin at the start [m]"}, b.position_m, Range::any());
  v.quaternion({"orientation_wxyz", "of the mesh at the start, unit quaternion",
                "[1, 0, 0, 0] is no rotation"},
               b.orientation_wxyz);
  v.vector({"velocity_m_s", "at the start [m/s]"}, b.velocity_m_s, Range::any());
  v.real({"friction", "Coulomb coefficient; a pair takes the larger of body's and obstacle's [-]",
          "try 0.3"},
         b.friction, Range::not_negative());
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
void visit_keys(V& v, MeshShape& s) {
  v.file({"file", "closed triangle mesh, OBJ or STL", "", true}, s.file);
  v.real({"grid_spacing_m", "of the signed-distance grid [m]", "a tenth of its smallest feature",
          true},
         s.grid_spacing_m, Range::positive());
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
  v.real({"friction", "Coulomb coefficient; a pair takes the larger of body's and obstacle's [-]",
          "try 0.3"},
         o.friction, Range::not_negative());
  v.real({"restitution", "Newton's coefficient [-]", "try 0"}, o.restitution, Range::between(0, 1));
}

template <class V>
void visit_keys(V& v, AttachmentEntry& a) {
  v.text({"body", "name of a body", "", true}, a.body);
  v.text({"node_set", "named nodes of its mesh that the frame holds", "", true}, a.node_set);
  v.real({"stiffness_N_m", "per node [N/m]", "try 1000"}, a.stiffness_N_m, Range::positive());
  v.vector({"position_m", "of the frame [m]"}, a.position_m, Range::any());
  v.quaternion({"orientation_wxyz", "of the frame, unit quaternion", "[1, 0, 0, 0] is no rotation"},
               a.orientation_wxyz);
  v.list({"path", "keyframes of the frame; nodes keep the place they have in its first pose"},
         a.path);
  v.optional({"release_time_s", "the nodes are free from then on; left out: never [s]", "try 1"},
             a.release_time_s,
             [&](const Key& key, double& value) { v.real(key, value, Range::not_negative()); });
}

template <class V>
void visit_keys(V& v, FrictionPairEntry& p) {
  const auto coefficient = [&](const Key& key, double& value) {
    v.real(key, value, Range::not_negative());
  };
  v.text({"body", "name of a body", "", true}, p.body);
  v.text({"obstacle", "name of an obstacle", "", true}, p.obstacle);
  v.optional({"friction", "of this pair, all directions [-]", "try 0.3"}, p.friction, coefficient);
  v.optional({"friction_1", "along the contact frame's t1 [-]", "try 0.3"}, p.friction_1,
             coefficient);
  v.optional({"friction_2", "along the contact frame's t2 [-]", "try 0.3"}, p.friction_2,
             coefficient);
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
template <class V>
void visit_keys(V& v, NodePosition& c) {
  const auto number = [&](const Key& key, double& value) { v.real(key, value, Range::any()); };
  v.text({"body", "name of a body", "", true}, c.body);
  v.text({"node_set", "named nodes of its mesh; empty: all"}, c.node_set);
  v.choice({"axis", "of the world"}, c.axis,
           Choices<Axis>{{"x", Axis::x}, {"y", Axis::y}, {"z", Axis::z}});
  v.choice({"of", "over the nodes"}, c.of,
           Choices<Statistic>{{"mean", Statistic::mean},
                              {"lowest", Statistic::lowest},
                              {"highest", Statistic::highest}});
  v.optional({"at_s", "left out: at the end [s]"}, c.at_s,
             [&](const Key& key, double& value) { v.real(key, value, Range::positive()); });
  v.optional({"above_m", "[m]"}, c.above_m, number);
  v.optional({"below_m", "[m]"}, c.below_m, number);
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
           std::array<const char*, 7>{"weight_on_obstacle", "max_penetration", "friction_in_cone",
                                      "all_steps_converged", "energy_non_increasing",
                                      "node_position", "sticks_and_slips"});
}

template <class V>
void visit_keys(V& v, ScenarioDocument& d) {
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
  v.named({"bodies", "soft bodies by name", "give at least one", true}, d.bodies);
  v.named({"obstacles", "rigid obstacles by name, fixed or moving along paths"}, d.obstacles);
  v.named({"attachments", "nodes held by moving frames, by name"}, d.attachments);
  v.list({"friction_pairs", "friction of pairs in place of the larger of both"}, d.friction_pairs);
  v.ranges({"randomize", "dotted key: [low, high], drawn uniformly where a seed is given"},
           d.randomize);
  v.named({"checks", "answers known beforehand, by name"}, d.checks);
  v.group({"output", "trajectory"}, d.output);
}

}  // namespace nodia
