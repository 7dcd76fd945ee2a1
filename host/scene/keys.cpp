#include "host/scene/keys.hpp"

#include "host/scene/limits.hpp"

namespace nodia {

void visit_keys(KeyVisitor& v, TimeOptions& t) {
  v.real({"step_s", "length of a time step [s]", "try 0.01"}, t.step_s, Range::above_to(0, 1));
  v.real({"theta", "time scheme: 1/2 midpoint, 1 linearised implicit Euler [-]", "try 1"}, t.theta,
         Range::between(0.5, 1));
  v.real({"duration_s", "length of the simulation [s]", "try 1"}, t.duration_s, Range::positive());
  v.choice({"joint_directions",
            "directions of joints; middle: of the motion in the step; start: as published"},
           t.joint_directions);
  v.boolean(
      {"geometric_stiffness",
       "of the links of cables: keeps taut cables stable at large steps; false: as published"},
      t.geometric_stiffness);
}

void visit_keys(KeyVisitor& v, ContactOptions& c) {
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
  v.boolean({"edges_at_obstacles",
             "edges and faces of soft bodies touch obstacles that are finer than their meshes; "
             "false: only nodes do, as in the papers, and a GPU generates these contacts itself"},
            c.edges_at_obstacles);
}

void visit_friction(KeyVisitor& v, double& friction) {
  v.real(
      {"friction", "Coulomb coefficient; a pair takes the larger of both surfaces' [-]", "try 0.3"},
      friction, Range::not_negative());
}

void visit_restitution(KeyVisitor& v, double& restitution) {
  v.real({"restitution", "Newton's coefficient [-]", "try 0"}, restitution, Range::between(0, 1));
}

void visit_thickness(KeyVisitor& v, double& thickness_m) {
  v.real({"thickness_m", "the surface is this far outside the mesh, between moving bodies [m]",
          "try 0"},
         thickness_m, Range::not_negative());
}

void visit_mass(KeyVisitor& v, std::optional<double>& mass_kg) {
  // Within these bounds, squares of forces neither overflow nor vanish.
  v.optional_real({"mass_kg", "instead of a density [kg]", "try 1"}, mass_kg,
                  Range::between(1e-30, 1e30));
}

void visit_links(KeyVisitor& v, int& links) {
  v.integer({"links", "of equal length", "try 100"}, links, 1, kMaxLinks);
}

void visit_rod_radius(KeyVisitor& v, double& radius_m) {
  v.real({"radius_m", "of its circular section [m]", "try 2e-3"}, radius_m, Range::positive());
}

void visit_node_stiffness(KeyVisitor& v, double& stiffness_N_m) {
  v.real({"stiffness_N_m", "per node [N/m]", "try 1000"}, stiffness_N_m, Range::positive());
}

void visit_springs(KeyVisitor& v, std::optional<double>& stiffness_N_m,
                   std::optional<double>& stiffness_Nm_rad, double& stiffness_links,
                   double& damping_s, std::optional<double>& breaks_at_N) {
  v.optional_real(
      {"stiffness_N_m", "along all axes; left out of a cable's: its section's [N/m]", "try 1000"},
      stiffness_N_m, Range::not_negative());
  v.optional_real({"stiffness_Nm_rad",
                   "about all axes; left out of a cable's: its section's [N m/rad]", "try 10"},
                  stiffness_Nm_rad, Range::not_negative());
  v.real({"stiffness_links",
          "length of cable that gives its section's stiffness, in links; half a link continues the "
          "rod [-]",
          "try 0.5"},
         stiffness_links, Range::positive());
  v.real({"damping_s", "beta of D = beta K [s]", "try 0"}, damping_s, Range::not_negative());
  v.optional_real(
      {"breaks_at_N", "free after a step whose mean force exceeds this; left out: never [N]",
       "try 100"},
      breaks_at_N, Range::positive());
}

void visit_gains(KeyVisitor& v, double& stiffness, double& damping) {
  v.real({"stiffness", "[N m/rad] or [N/m]", "try 100"}, stiffness, Range::not_negative());
  v.real({"damping", "[N m s/rad] or [N s/m]", "try 10"}, damping, Range::not_negative());
}

void visit_gains(KeyVisitor& v, double& stiffness_N_m, double& damping_N_s_m,
                 double& stiffness_Nm_rad, double& damping_Nms_rad) {
  v.real({"stiffness_N_m", "[N/m]", "try 1000"}, stiffness_N_m, Range::not_negative());
  v.real({"damping_N_s_m", "[N s/m]", "try 100"}, damping_N_s_m, Range::not_negative());
  v.real({"stiffness_Nm_rad", "[N m/rad]", "try 50"}, stiffness_Nm_rad, Range::not_negative());
  v.real({"damping_Nms_rad", "[N m s/rad]", "try 5"}, damping_Nms_rad, Range::not_negative());
}

void visit_span(KeyVisitor& v, double& from_s, double& duration_s) {
  v.real({"from_s", "it begins [s]", "", true}, from_s, Range::not_negative());
  v.real({"duration_s", "it lasts [s]", "", true}, duration_s, Range::positive());
}

void visit_pair_friction(KeyVisitor& v, std::optional<double>& friction,
                         std::optional<double>& friction_1, std::optional<double>& friction_2) {
  v.optional_real({"friction", "of this pair, all directions [-]", "try 0.3"}, friction,
                  Range::not_negative());
  v.optional_real({"friction_1", "along the contact frame's t1 [-]", "try 0.3"}, friction_1,
                  Range::not_negative());
  v.optional_real({"friction_2", "along the contact frame's t2 [-]", "try 0.3"}, friction_2,
                  Range::not_negative());
}

}  // namespace nodia
