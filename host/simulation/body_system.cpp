#include "host/simulation/body_system.hpp"

namespace nodia {

BodySystem::BodySystem(const Scene& scene)
    : layout_(std::make_unique<BodyLayout>()),
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

void BodySystem::link_jacobians(int robot, int link, Vec3d point, std::vector<Mat3d>* linear,
                                std::vector<Mat3d>* angular) const {
  *linear = this->robot(robot).point_jacobian(link, point);
  *angular = this->robot(robot).angular_jacobian(link);
}

}  // namespace nodia
