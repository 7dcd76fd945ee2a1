#include "host/simulation/body_system.hpp"

namespace nodia {

BodySystem::BodySystem(const Scene& scene)
    : objects_(scene), layout_(std::make_unique<BodyLayout>()) {
  soft_ = add<SoftBodies>(scene);
  frames_ = add<Frames>(scene);
  robots_ = add<Robots>(scene);
}

template <class Model>
Model* BodySystem::add(const Scene& scene) {
  auto model = std::make_unique<Model>(scene, layout_.get());
  Model* const added = model.get();
  models_.push_back(std::move(model));
  return added;
}

void BodySystem::fix_topology(const Couplings& extra, TopologyPool* pool) {
  Couplings couplings;
  std::vector<Body> bodies;
  std::vector<Vec3d> rest;
  for (const BodyRange& body : layout_->bodies())
    if (body.n_row > 0) bodies.push_back({body.kind, body.first_row, body.n_row});
  for (const auto& model : models_) {
    model->add_couplings(&couplings);
    model->add_rest(&rest);
  }
  couplings.insert(couplings.end(), extra.begin(), extra.end());
  topology_ = pool->shared({std::move(couplings), std::move(bodies), std::move(rest)});
  pattern_ = pattern_of(topology_);
  for (const auto& model : models_) model->bind(pattern_);
  for (const auto& model : models_) model->add_mass(&mass_);
}

State BodySystem::initial_state() const {
  State state;
  for (const auto& model : models_) model->add_initial(&state);
  return state;
}

void BodySystem::fall(Vec3d* v) const {
  for (const auto& model : models_) model->fall(v);
}

void BodySystem::update_kinematics(const State& state) {
  for (const auto& model : models_) model->update_kinematics(state, &mass_);
}

void BodySystem::assemble(const AssemblyInput& in, double* value, Vec3d* b) {
  for (const auto& model : models_) model->assemble(in, value, b);
}

void BodySystem::positions(const State& state, Vec3d* position) const {
  for (const auto& model : models_) model->positions(state, position);
}

bool BodySystem::advance(const Vec3d* v_hat, int n_thread, State* state) {
  // Copies all parts that advance() of the models does not overwrite: all but the soft nodes.
  const auto n_soft = state->x.size();
  next_.x.resize(n_soft);
  next_.v.resize(state->v.size());
  std::copy(state->v.begin() + n_soft, state->v.end(), next_.v.begin() + n_soft);
  next_.frames = state->frames;
  next_.q = state->q;
  next_.time_s = state->time_s;
  next_.step = state->step;
  for (const auto& model : models_)
    if (!model->advance(v_hat, *state, n_thread, &next_)) return false;
  std::swap(*state, next_);
  return true;
}

BodyEnergies BodySystem::energies(const State& state, int n_thread) {
  BodyEnergies sum;
  for (const auto& model : models_) {
    const double kinetic = model->kinetic_energy(state, n_thread);
    const double potential = model->potential_energy(state, n_thread);
    sum.kinetic_J += kinetic;
    sum.potential_J += potential;
    if (model.get() != robots_) continue;
    sum.robots_kinetic_J = kinetic;
    sum.robots_potential_J = potential;
  }
  return sum;
}

void BodySystem::add_surfaces(SurfaceList* surfaces) const {
  std::int32_t first = 0;
  for (const auto& model : models_) {
    model->add_surfaces(first, surfaces);
    first += model->n_frame();
  }
}

std::int32_t BodySystem::n_frame() const {
  std::int32_t n = 0;
  for (const auto& model : models_) n += model->n_frame();
  return n;
}

void BodySystem::poses(const State& state, Pose* pose) const {
  for (const auto& model : models_) {
    model->poses(state, pose);
    pose += model->n_frame();
  }
}

void BodySystem::twists(const Pose* pose, const std::vector<Vec3d>& v, FrameTwist* twist) const {
  for (const auto& model : models_) {
    model->twists(pose, v, twist);
    pose += model->n_frame();
    twist += model->n_frame();
  }
}

void BodySystem::add_point(const State& state, std::int32_t frame, Vec3d point,
                           ContactPoints* points) const {
  for (const auto& model : models_) {
    if (frame < model->n_frame()) return model->add_point(state, frame, point, points);
    frame -= model->n_frame();
  }
}

}  // namespace nodia
