#include "host/simulation/bodies/soft_bodies.hpp"

#include <algorithm>

#include "kernels/core/node_motion.hpp"
#include "kernels/cpu/chunk_sum.hpp"
#include "kernels/cpu/over_items.hpp"
#include "kernels/step/assemble_row.hpp"
#include "kernels/step/free_velocity.hpp"

namespace nodia {

SoftBodies::SoftBodies(const Scene& scene, BodyLayout* layout) : scene_(scene) {
  for (const SoftBodyDescription& body : scene.soft_bodies) {
    const auto n = static_cast<std::int32_t>(body.mesh.nodes.size());
    bodies_.push_back({model_.add_body(body.mesh, body.material), n});
    layout->add(BodyKind::soft, n);
  }
}

void SoftBodies::add_couplings(Couplings* couplings) const {
  const Couplings own = model_.couplings();
  couplings->insert(couplings->end(), own.begin(), own.end());
}

void SoftBodies::add_rest(std::vector<Vec3d>* rest) const {
  for (const SoftBodyDescription& body : scene_.soft_bodies)
    for (const Vec3d& node : body.mesh.nodes) rest->push_back(body.pose.rotation * node);
}

void SoftBodies::add_mass(std::vector<double>* mass) {
  mass->insert(mass->end(), model_.mass().begin(), model_.mass().end());
}

void SoftBodies::add_initial(State* state) const {
  for (const SoftBodyDescription& body : scene_.soft_bodies) {
    for (const Vec3d& p : body.mesh.nodes) {
      state->x.push_back(body.pose.to_world(p));
      state->v.push_back(body.velocity);
    }
  }
}

void SoftBodies::fall(Vec3d* v) const {
  for (int i = 0; i < model_.n_node(); ++i)
    v[i] = fallen(v[i], scene_.time.step_s, scene_.gravity_m_s2);
}

void SoftBodies::assemble(const AssemblyInput& in, double* value, Vec3d* b) {
  if (model_.n_node() == 0) return;
  const TimeStep& time = scene_.time;
  model_.assemble({in.state.x.data(), time, in.soft_diagonal.data(), in.n_thread,
                   turned_.empty() ? nullptr : turned_.data()},
                  value, b);
  for_items(model_.n_node(), in.n_thread, [&](int i) {
    b[i] = right_hand_side(time, model_.mass()[i], b[i], in.soft_force[i], scene_.gravity_m_s2,
                           in.state.v[i]);
    if (in.external_force) b[i] += (*in.external_force)[i];
  });
  for (TurningBody& body : bodies_)
    if (body.rotation.turns()) add_rotation(&body, in, value, b);
}

void SoftBodies::begin_step(const SoftStep& step) {
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    TurningBody& body = bodies_[k];
    const bool follows = !step.turns.empty() && step.turns[k] != 0;
    body.rotation.start(scene_.time, nodes_of(body, step.state, step.n_thread),
                        &step.state.v[body.first], follows);
  }
  set_turned(step);
}

/// Predicts the positions of the nodes after the share 1 - theta of the step, by the velocities of
/// the last step: those at the start of this one contain stiff vibrations. Bodies that turn remain
/// at the start.
void SoftBodies::set_turned(const SoftStep& step) {
  const double share = (1 - scene_.time.theta) * scene_.time.step_s;
  const bool is_later = share > 0 && !step.turns.empty();
  turned_.assign(step.state.x.begin(), is_later ? step.state.x.end() : step.state.x.begin());
  if (!is_later) return;
  for (const TurningBody& body : bodies_)
    for_items(body.rotation.turns() ? 0 : body.n, step.n_thread, [&](int k) {
      const std::int32_t i = body.first + k;
      turned_[i] += share * step.v_hat[i];
    });
}

BodyNodes SoftBodies::nodes_of(const TurningBody& body, const State& state, int n_thread) const {
  return {model_.mass().data() + body.first, state.x.data() + body.first, body.n, n_thread};
}

/// Adds SoftRotation::force() to b.
/// @param value  A of the soft bodies, from which the terms of mass and attachments are subtracted
void SoftBodies::add_rotation(TurningBody* body, const AssemblyInput& in, const double* value,
                              Vec3d* b) const {
  const BlockPattern& pattern = *model_.pattern();
  const TimeStep& time = scene_.time;
  const std::int32_t first = body->first, end = first + body->n;
  const double drag = scene_.soft_bodies[static_cast<std::size_t>(body - bodies_.data())]
                          .material.rayleigh_mass_1_s;
  SoftRotation& rotation = body->rotation;
  for_items(body->n, in.n_thread, [&](int i) {
    const std::int32_t row = first + i;
    const double m = model_.mass()[row];
    Mat3d stiffness = -(time.mass_rate(m) + m * drag + in.soft_diagonal[row]) *
                      rotation.velocity_by_omega(in.state.x[row]);
    for (std::int32_t k = pattern.row_begin[row]; k < pattern.row_begin[row + 1]; ++k) {
      const std::int32_t j = pattern.column[k];
      if (j < first || j >= end) continue;
      stiffness += load_block(value + 9 * static_cast<std::ptrdiff_t>(k)) *
                   rotation.velocity_by_omega(in.state.x[j]);
    }
    rotation.set_stiffness(i, stiffness);
    b[row] += rotation.force(i);
  });
}

Vec3d SoftBodies::shift(Shift of, std::int32_t node) const {
  const auto is_after = [](std::int32_t i, const TurningBody& body) { return i < body.first; };
  const TurningBody& body = *(std::upper_bound(bodies_.begin(), bodies_.end(), node, is_after) - 1);
  return body.rotation.shift(of, node - body.first);
}

void SoftBodies::set_solved(const State& start, const Vec3d* v_hat, const State& end,
                            int n_thread) {
  for (TurningBody& body : bodies_)
    body.rotation.set_solved(scene_.time, nodes_of(body, start, n_thread), v_hat + body.first,
                             end.x.data() + body.first);
}

void SoftBodies::positions(const State& state, Vec3d* position) const {
  std::copy_n(state.x.begin(), model_.n_node(), position);
}

bool SoftBodies::advance(const Vec3d* v_hat, const State& state, int n_thread, State* next) const {
  bool finite = true;
  for (const TurningBody& body : bodies_) {
    const std::int32_t first = body.first;
    finite =
        body.rotation.advance(scene_.time, nodes_of(body, state, n_thread), state.v.data() + first,
                              v_hat + first, next->x.data() + first, next->v.data() + first) &&
        finite;
  }
  return finite;
}

void SoftBodies::add_surfaces(std::int32_t, SurfaceList* surfaces) const {
  int first_node = 0;
  for (std::size_t b = 0; b < scene_.soft_bodies.size(); ++b) {
    const SoftBodyDescription& body = scene_.soft_bodies[b];
    const ObjectId id{ObjectKind::soft_body, static_cast<std::int32_t>(b), 0};
    const int n_node = static_cast<int>(body.mesh.nodes.size());
    surfaces->add_soft({id, surface_material(body)}, surface_of(body.mesh), first_node,
                       {body.thickness_m, body.self_contact, 0, 0, n_node});
    first_node += n_node;
  }
}

double SoftBodies::kinetic_energy(const State& state, int n_thread) const {
  return chunk_sum(model_.n_node(), n_thread, 0.0, [&](int i, double* energy) {
    *energy += nodia::kinetic_energy(model_.mass()[i], state.v[i]);
  });
}

double SoftBodies::potential_energy(const State& state, int n_thread) {
  if (model_.n_node() == 0) return 0;
  return chunk_sum(model_.n_node(), n_thread, model_.elastic_energy(state.x.data(), n_thread),
                   [&](int i, double* energy) {
                     *energy += gravity_energy(model_.mass()[i], scene_.gravity_m_s2, state.x[i]);
                   });
}

}  // namespace nodia
