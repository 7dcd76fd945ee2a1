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
    model_.add_body(body.mesh, body.material);
    layout->add(BodyKind::soft, static_cast<std::int32_t>(body.mesh.nodes.size()));
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
  model_.assemble({in.state.x.data(), time, in.soft_diagonal.data(), in.n_thread}, value, b);
  for_items(model_.n_node(), in.n_thread, [&](int i) {
    b[i] = right_hand_side(time, model_.mass()[i], b[i], in.soft_force[i], scene_.gravity_m_s2,
                           in.state.v[i]);
    if (in.external_force) b[i] += (*in.external_force)[i];
  });
}

void SoftBodies::positions(const State& state, Vec3d* position) const {
  std::copy_n(state.x.begin(), model_.n_node(), position);
}

bool SoftBodies::advance(const Vec3d* v_hat, const State& state, int n_thread, State* next) const {
  const TimeStep& time = scene_.time;
  return all_items(model_.n_node(), n_thread, [&](int i) {
    const NodeMotion end = end_of_step(time, {state.x[i], state.v[i]}, v_hat[i]);
    next->x[i] = end.x;
    next->v[i] = end.v;
    return is_finite(end);
  });
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
