/// Values of a scene with their names in files: meaning, unit, range. Scene::validate() checks
/// them, the loader reads scenario files with them, and the schema is generated from them.
#pragma once

#include <optional>

#include "host/scene/scene.hpp"
#include "kernels/core/key.hpp"

namespace nodia {

void visit_keys(KeyVisitor& v, TimeOptions& t);
void visit_keys(KeyVisitor& v, ContactOptions& c);

void visit_friction(KeyVisitor& v, double& friction);
void visit_restitution(KeyVisitor& v, double& restitution);
void visit_thickness(KeyVisitor& v, double& thickness_m);

void visit_mass(KeyVisitor& v, std::optional<double>& mass_kg);
void visit_links(KeyVisitor& v, int& links);
void visit_rod_radius(KeyVisitor& v, double& radius_m);
/// Stiffness per node of an attachment.
void visit_node_stiffness(KeyVisitor& v, double& stiffness_N_m);
/// Springs of a mount, and the force at which they break.
void visit_springs(KeyVisitor& v, std::optional<double>& stiffness_N_m,
                   std::optional<double>& stiffness_Nm_rad, double& stiffness_links,
                   double& damping_s, std::optional<double>& breaks_at_N);
/// Gains of a joint drive.
void visit_gains(KeyVisitor& v, double& stiffness, double& damping);
/// Gains of a pose drive.
void visit_gains(KeyVisitor& v, double& stiffness_N_m, double& damping_N_s_m,
                 double& stiffness_Nm_rad, double& damping_Nms_rad);
/// Start and duration of an external force.
void visit_span(KeyVisitor& v, double& from_s, double& duration_s);
/// Friction of a pair: in all directions, or along t1 and t2.
void visit_pair_friction(KeyVisitor& v, std::optional<double>& friction,
                         std::optional<double>& friction_1, std::optional<double>& friction_2);

}  // namespace nodia
