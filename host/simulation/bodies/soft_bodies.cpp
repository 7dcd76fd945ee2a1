#include "host/simulation/bodies/soft_bodies.hpp"

#include <algorithm>

#include "kernels/assembly/assemble_row.hpp"

namespace nodia {

SoftBodies::SoftBodies(const Scene& scene, BodyLayout* layout) : scene_(scene), layout_(*layout) {
  for (const SoftBodyDescription& body : scene.soft_bodies) {
    model_.add_body(body.mesh, body.material);
    layout->soft_node.push_back(model_.n_node());
  }
  layout->first_frame_row = model_.n_node();
}

void SoftBodies::add_couplings(Couplings* couplings) const {
  const Couplings own = model_.couplings();
  couplings->insert(couplings->end(), own.begin(), own.end());
}

void SoftBodies::add_bodies(std::vector<Body>* bodies) const {
  for (std::size_t k = 0; k + 1 < layout_.soft_node.size(); ++k) {
    const std::int32_t first = layout_.soft_node[k], end = layout_.soft_node[k + 1];
    if (end > first) bodies->push_back({BodyKind::soft, first, end - first});
  }
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

void SoftBodies::assemble(const AssemblyInput& in, double* value, Vec3d* b) {
  if (model_.n_node() == 0) return;
  const TimeStep& time = scene_.time;
  model_.assemble({in.state.x.data(), time, in.soft_diagonal.data(), in.n_thread}, value, b);
  for (int i = 0; i < model_.n_node(); ++i)
    b[i] = right_hand_side(time, model_.mass()[i], b[i], in.soft_force[i], scene_.gravity_m_s2,
                           in.state.v[i]);
}

void SoftBodies::positions(const State& state, Vec3d* position) const {
  std::copy(state.x.begin(), state.x.end(), position);
}

bool SoftBodies::advance(const Vec3d* v_hat, const State& state, State* next) const {
  const TimeStep& time = scene_.time;
  bool finite = true;
  for (int i = 0; i < model_.n_node(); ++i) {
    next->v[i] = time.next_velocity(v_hat[i], state.v[i]);
    next->x[i] = state.x[i] + time.step_s * v_hat[i];
    finite = finite && is_finite(next->v[i]) && is_finite(next->x[i]);
  }
  return finite;
}

void SoftBodies::add_surfaces(std::int32_t, SurfaceList* surfaces) const {
  for (std::size_t b = 0; b < scene_.soft_bodies.size(); ++b) {
    const SoftBodyDescription& body = scene_.soft_bodies[b];
    const SurfaceId id{SurfaceId::Kind::soft_body, static_cast<std::int32_t>(b), 0};
    surfaces->add_soft(
        {id, surface_material(body)}, surface_of(body.mesh), layout_.soft_node[b],
        {body.thickness_m, body.self_contact, 0, 0, static_cast<int>(body.mesh.nodes.size())});
  }
}

double SoftBodies::kinetic_energy(const State& state) const {
  double energy = 0;
  for (int i = 0; i < model_.n_node(); ++i)
    energy += 0.5 * model_.mass()[i] * squared_norm(state.v[i]);
  return energy;
}

double SoftBodies::potential_energy(const State& state) {
  double energy = model_.n_node() > 0 ? model_.elastic_energy(state.x.data()) : 0;
  for (int i = 0; i < model_.n_node(); ++i)
    energy -= model_.mass()[i] * dot(scene_.gravity_m_s2, state.x[i]);
  return energy;
}

}  // namespace nodia
