#include "host/simulation/body_system.hpp"

namespace nodia {

BodySystem::BodySystem(const Scene& scene)
    : objects_(scene),
      layout_(std::make_unique<BodyLayout>()),
      soft_(scene, layout_.get()),
      frames_(scene, layout_.get()),
      robots_(scene, layout_.get()) {}

void BodySystem::finish(const Couplings& extra, TopologyPool* pool) {
  Couplings couplings;
  std::vector<Body> bodies;
  std::vector<Vec3d> rest;
  for (BodyModel* model : models()) {
    model->add_couplings(&couplings);
    model->add_bodies(&bodies);
    model->add_rest(&rest);
  }
  couplings.insert(couplings.end(), extra.begin(), extra.end());
  topology_ = pool->shared({std::move(couplings), std::move(bodies), std::move(rest)});
  pattern_ = pattern_of(topology_);
  for (BodyModel* model : models()) model->bind(pattern_);
  for (BodyModel* model : models()) model->add_mass(&mass_);
}

State BodySystem::initial_state() const {
  State state;
  for (const BodyModel* model : models()) model->add_initial(&state);
  return state;
}

void BodySystem::update_kinematics(const State& state) {
  for (BodyModel* model : models()) model->update_kinematics(state, &mass_);
}

void BodySystem::assemble(const AssemblyInput& in, double* value, Vec3d* b) {
  for (BodyModel* model : models()) model->assemble(in, value, b);
}

void BodySystem::positions(const State& state, Vec3d* position) const {
  for (const BodyModel* model : models()) model->positions(state, position);
}

bool BodySystem::advance(const Vec3d* v_hat, State* state) {
  next_ = *state;
  for (const BodyModel* model : models())
    if (!model->advance(v_hat, *state, &next_)) return false;
  std::swap(*state, next_);
  return true;
}

double BodySystem::kinetic_energy(const State& state) const {
  double energy = 0;
  for (const BodyModel* model : models()) energy += model->kinetic_energy(state);
  return energy;
}

double BodySystem::potential_energy(const State& state) {
  double energy = 0;
  for (BodyModel* model : models()) energy += model->potential_energy(state);
  return energy;
}

void BodySystem::add_surfaces(SurfaceList* surfaces) const {
  std::int32_t first = 0;
  for (const BodyModel* model : models()) {
    model->add_surfaces(first, surfaces);
    first += model->n_frame();
  }
}

std::int32_t BodySystem::n_frame() const {
  std::int32_t n = 0;
  for (const BodyModel* model : models()) n += model->n_frame();
  return n;
}

void BodySystem::poses(const State& state, Pose* pose) const {
  for (const BodyModel* model : models()) {
    model->poses(state, pose);
    pose += model->n_frame();
  }
}

void BodySystem::twists(const Pose* pose, const std::vector<Vec3d>& v, FrameTwist* twist) const {
  for (const BodyModel* model : models()) {
    model->twists(pose, v, twist);
    pose += model->n_frame();
    twist += model->n_frame();
  }
}

void BodySystem::add_point(const State& state, std::int32_t frame, Vec3d point,
                           ContactPoints* points) const {
  for (const BodyModel* model : models()) {
    if (frame < model->n_frame()) return model->add_point(state, frame, point, points);
    frame -= model->n_frame();
  }
}

}  // namespace nodia
