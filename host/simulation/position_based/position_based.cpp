#include "host/simulation/position_based/position_based.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/solvers/position_based/options.hpp"
#include "kernels/contact/contact_error.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"
#include "kernels/elements/rigid_body.hpp"

namespace nodia {
namespace {

bool is_covered(ObjectKind kind) {
  return kind == ObjectKind::soft_body || kind == ObjectKind::rigid_body ||
         kind == ObjectKind::cable || kind == ObjectKind::obstacle;
}

void require_covered(const Scene& scene, const Objects& objects, const TimeStep& time) {
  for (const SceneObject& object : objects.all())
    if (const std::string kind = name_of(object.id.kind); !is_covered(object.id.kind))
      throw InputError("solver = xpbd: " + kind + " '" + object.surface.name +
                       "' (must be a scene without " + kind +
                       "s; solve it with cond, pgs or apgd)");
  require(time.theta == 1, "time.theta", time.theta, "1 with the solver xpbd",
          "its substeps are implicit Euler's");
  for (const SceneObject& object : objects.all())
    require(object.surface.restitution == 0, object.surface.name + ".restitution",
            object.surface.restitution, "0 with the solver xpbd", "it has no law of impact");
  for (const AttachmentDescription& attachment : scene.attachments)
    if (!attachment.to.empty())
      throw_bad_value("attachments." + attachment.name + ".to", attachment.to,
                      "left out with the solver xpbd", "solve it with newton or cond");
}

}  // namespace

PositionBased::PositionBased(const Scene& scene, const BodySystem& system,
                             const SolverOptions& options)
    : scene_(scene),
      options_(options),
      n_substep_(options.of<PositionBasedOptions>().substeps),
      n_iteration_(options.of<PositionBasedOptions>().iterations),
      h_(scene.time.step_s / n_substep_) {
  require_covered(scene, system.objects(), scene.time);
  const AssemblyView soft = system.soft_bodies().model().view();
  mass_ = system.soft_bodies().model().mass();
  for (int i = 0; i < soft.n_node; ++i)
    mass_damping_.push_back(soft.body[soft.node_body[i]].rayleigh_mass_1_s);
  for (const CorotationalTet& tet : system.soft_bodies().model().tets()) {
    TetConstraint constraint;
    constraint.tet = tet;
    constraint.damping_s = soft.body[soft.node_body[tet.node[0]]].rayleigh_stiffness_s;
    tets_.push_back(constraint);
  }
  const FrameModel& frames = system.frames().model();
  for (int f = 0; f < frames.n_frame(); ++f) {
    const auto b = static_cast<std::size_t>(f);
    bodies_.push_back({frames.mass_kg(f), frames.inertia_body(f), frames.drag(f),
                       b < scene.rigid_bodies.size() ? scene.rigid_bodies[b].force_N : Vec3d{}});
  }
  for (int k = 0; k < frames.n_joint(); ++k) {
    JointConstraint constraint;
    constraint.joint = frames.joint(k);
    constraint.i = frames.side_i(k);
    constraint.j = frames.side_j(k);
    constraint.index = k;
    constraint.set_substep(h_);
    joints_.push_back(constraint);
  }
  const auto n_row = static_cast<std::size_t>(system.layout().n_row());
  motion_.n_node = soft.n_node;
  motion_.first_frame_row = system.layout().frame_row(0);
  motion_.inverse_mass.resize(n_row);
  motion_.inverse_inertia.resize(bodies_.size());
  prescribed_.resize(static_cast<std::size_t>(frames.n_prescribed()));
}

void PositionBased::begin_step(const State& start, const BodySystem& system,
                               const StepContacts& contacts) {
  motion_.x = start.x;
  motion_.frames = start.frames;
  motion_.displacement.assign(start.v.size(), Vec3d{});
  active_.clear();
  for (JointConstraint& joint : joints_) {
    active_.push_back(system.frames().model().joint_active(joint.index) ? 1 : 0);
    joint.mean_load = {};
  }
  contacts_.clear();
  const auto n_row = static_cast<std::int32_t>(start.v.size());
  const double t = scene_.time.step_s;
  for (std::size_t m = 0; m < contacts.contacts.size(); ++m) {
    const Contact<double>& c = contacts.contacts[m];
    PositionContact contact;
    const auto add = [&](std::int32_t side, double sign) {
      if (side < n_row) {
        contact.parts.push_back({side, sign * c.R});
        return;
      }
      const std::int32_t k = side - n_row;
      for (std::int32_t e = contacts.points.begin[k]; e < contacts.points.begin[k + 1]; ++e)
        contact.parts.push_back({contacts.points.row[e], sign * (c.R * contacts.points.J[e])});
    };
    add(c.side_i, 1);
    if (c.side_j != kWorld) add(c.side_j, -1);
    contact.gap = contacts.pairs[m].gap_m;
    contact.recovery_speed =
        std::min(scene_.contact.penetration_recovery * std::max(0.0, -contact.gap) / t,
                 scene_.contact.recovery_speed_m_s);
    contact.surface_velocity = c.R * contacts.pairs[m].surface_velocity;
    contact.mu1 = c.mu1;
    contact.mu2 = c.mu2;
    contacts_.push_back(std::move(contact));
  }
}

/// Sets the inertias of the rows at the step's start with drag, mass damping and attachments.
void PositionBased::set_inertia(const State& now, const Attachments& attachments, double start_s) {
  held_.assign(mass_.size(), 0.0);
  pull_.assign(mass_.size(), Vec3d{});
  attachments.add_targets(start_s, start_s, &held_, &pull_);
  for (std::size_t i = 0; i < mass_.size(); ++i)
    motion_.inverse_mass[i] = 1 / (mass_[i] * (1 + h_ * mass_damping_[i]) + h_ * h_ * held_[i]);
  for (std::size_t f = 0; f < bodies_.size(); ++f) {
    const Body& body = bodies_[f];
    const auto row = static_cast<std::size_t>(motion_.row(static_cast<std::int32_t>(f)));
    motion_.inverse_mass[row] = 1 / (body.mass + h_ * body.drag.translation_N_s_m);
    motion_.inverse_inertia[f] =
        inverse(world_inertia(rotation_matrix(now.frames[f].orientation), body.inertia) +
                (h_ * body.drag.rotation_Nms_rad) * Mat3d::identity());
  }
}

void PositionBased::set_prescribed(const FrameModel& frames, double end_s) {
  for (std::size_t k = 0; k < prescribed_.size(); ++k) {
    const PrescribedFrame& frame = frames.prescribed(static_cast<int>(k));
    prescribed_[k] = {frame.pose.position + end_s * frame.velocity,
                      turned(frame.pose.orientation, frame.angular_velocity, end_s)};
  }
}

/// Predicts positions without internal forces at the end of the substep that starts at `start_s`.
void PositionBased::predict(const State& now, double step_start_s, double end_s,
                            const Attachments& attachments, const ExternalForces& external_forces) {
  frames_old_ = motion_.frames;
  displacement_old_ = motion_.displacement;
  const Vec3d g = scene_.gravity_m_s2;
  const std::vector<Vec3d>* const external_force = external_forces.force();
  held_.assign(mass_.size(), 0.0);
  pull_.assign(mass_.size(), Vec3d{});
  attachments.add_targets(step_start_s, step_start_s + end_s, &held_, &pull_);
  for (std::int32_t i = 0; i < motion_.n_node; ++i) {
    const auto k = static_cast<std::size_t>(i);
    Vec3d force = mass_[k] * g + pull_[k] - held_[k] * motion_.x[k];
    if (external_force) force += (*external_force)[k];
    const Vec3d p = (h_ * mass_[k]) * now.v[k] + (h_ * h_) * force;
    motion_.shift_node(i, motion_.inverse_mass[k] * p);
  }
  free_turn_.resize(bodies_.size());
  for (std::size_t f = 0; f < bodies_.size(); ++f) {
    const Body& body = bodies_[f];
    const auto frame = static_cast<std::int32_t>(f);
    const auto row = static_cast<std::size_t>(motion_.row(frame));
    const Quaternion q = motion_.frames[f].orientation;
    const Mat3d inertia = world_inertia(rotation_matrix(q), body.inertia);
    motion_.inverse_inertia[f] =
        inverse(inertia + (h_ * body.drag.rotation_Nms_rad) * Mat3d::identity());
    free_turn_[f] = free_angular_velocity(body.inertia, q, now.v[row + 1], h_);
    Vec3d force = body.mass * g + body.force;
    if (external_force) force += (*external_force)[row];
    motion_.push_frame(frame, (h_ * body.mass) * now.v[row] + (h_ * h_) * force,
                       h_ * (inertia * free_turn_[f]));
  }
}

void PositionBased::sweep(double end_s) {
  for (std::size_t k = 0; k < joints_.size(); ++k)
    if (active_[k]) joints_[k].project(&motion_, prescribed_);
  for (TetConstraint& tet : tets_) tet.project(&motion_);
  for (PositionContact& contact : contacts_) contact.project(&motion_, end_s, h_);
}

/// Computes velocities from positions, and adds the substep to the mean loads.
void PositionBased::end_substep(State* now) {
  // Displacements of the step are small; positions may be large and lose digits.
  const auto rate = [&](std::size_t row) {
    return (1 / h_) * (motion_.displacement[row] - displacement_old_[row]);
  };
  for (std::size_t i = 0; i < mass_.size(); ++i) now->v[i] = rate(i);
  for (std::size_t f = 0; f < bodies_.size(); ++f) {
    const auto row = static_cast<std::size_t>(motion_.row(static_cast<std::int32_t>(f)));
    const Quaternion q_old = frames_old_[f].orientation, q = motion_.frames[f].orientation;
    const Vec3d turn = rotation_log(q * conjugate(q_old));
    motion_.displacement[row + 1] = displacement_old_[row + 1] + turn;
    now->v[row] = rate(row);
    now->v[row + 1] = next_angular_velocity(bodies_[f].inertia, q_old, q, now->v[row + 1],
                                            free_turn_[f], (1 / h_) * turn, 1);
  }
  const double weight = 1 / (h_ * h_ * n_substep_);
  for (std::size_t k = 0; k < joints_.size(); ++k)
    if (active_[k]) joints_[k].add_load(weight, motion_, prescribed_);
  for (PositionContact& contact : contacts_) contact.mean_force += weight * contact.lambda;
}

/// Evaluates the error after the last substep.
void PositionBased::evaluate(double end_s, SolveReport* report) {
  ConstraintError error;
  const auto add = [&](const Vector6& defect, const Vector6& mu) {
    error.squared_defect += defect.squaredNorm();
    error.squared_size += std::max(mu.squaredNorm(), (defect - mu).squaredNorm());
  };
  for (std::size_t k = 0; k < joints_.size(); ++k)
    if (active_[k]) add(joints_[k].defect(motion_, prescribed_), joints_[k].mu);
  for (TetConstraint& tet : tets_) add(tet.defect(motion_), tet.mu);
  report->relative_residual =
      error.squared_size > 0 ? std::sqrt(error.squared_defect / error.squared_size) : 0;
  ContactError contact_error;
  for (const PositionContact& c : contacts_) {
    const double d = h_ * std::max({c.G(0, 0), c.G(1, 1), c.G(2, 2)});
    const Vec3d force = (1 / (h_ * h_)) * c.lambda;
    const Vec3d u = (1 / h_) * c.violation(motion_, end_s, h_);
    contact_error.add(natural_map(force, u, d, c.mu1, c.mu2, Projection::strict), force, u, d);
  }
  const double scale = contact_error.scale();
  report->natural_map_error = scale > 0 ? contact_error.worst / scale : 0;
  if (!std::isfinite(error.squared_size + error.squared_defect + scale))
    report->relative_residual = report->natural_map_error =
        std::numeric_limits<double>::quiet_NaN();
}

PositionStep PositionBased::advance(const State& start, const BodySystem& system,
                                    const Attachments& attachments,
                                    const ExternalForces& external_forces,
                                    const StepContacts& contacts) {
  const Stopwatch watch;
  PositionStep step;
  State& end = step.end.state;
  end = start;
  begin_step(start, system, contacts);
  set_inertia(start, attachments, start.time_s);
  for (TetConstraint& tet : tets_) tet.set_substep(h_, motion_);
  for (PositionContact& contact : contacts_) contact.set_inertia(motion_);
  const double t = scene_.time.step_s;
  for (int s = 1; s <= n_substep_; ++s) {
    const double end_s = t * s / n_substep_;
    set_prescribed(system.frames().model(), end_s - h_);
    for (JointConstraint& joint : joints_) joint.begin(motion_, prescribed_);
    for (TetConstraint& tet : tets_) tet.begin(motion_);
    for (PositionContact& contact : contacts_) contact.begin(motion_);
    predict(end, start.time_s, end_s, attachments, external_forces);
    set_prescribed(system.frames().model(), end_s);
    for (int k = 0; k < n_iteration_; ++k) sweep(end_s);
    if (s == n_substep_) evaluate(end_s, &step.report);
    end_substep(&end);
  }
  end.x = motion_.x;
  end.frames = motion_.frames;
  for (const Vec3d& d : motion_.displacement) step.v_hat.push_back((1 / t) * d);
  for (const PositionContact& contact : contacts_) step.lambda.push_back(contact.mean_force);
  for (const JointConstraint& joint : joints_) step.end.joint_loads.push_back(joint.mean_load);

  SolveReport& report = step.report;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  report.certificate_J = report.energy_error_J = nan;
  report.iterations = n_substep_ * n_iteration_;
  const bool good = report.relative_residual <= options_.tolerance &&
                    report.natural_map_error <= options_.tolerance;
  report.status = good ? SolveStatus::converged : SolveStatus::iteration_limit;
  if (!good) report.reason = "a fixed number of substeps and iterations";
  if (std::isnan(report.relative_residual)) {
    report.status = SolveStatus::not_a_number;
    report.reason = "its errors are not finite: defects or forces are too large to be squared";
  }
  report.time_s = watch.seconds();
  return step;
}

}  // namespace nodia
