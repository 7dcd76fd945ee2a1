#include "host/simulation/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "host/collision/detection.hpp"
#include "host/errors/errors.hpp"
#include "host/simulation/attachments.hpp"
#include "host/simulation/contact_terms.hpp"
#include "host/solvers/threads.hpp"
#include "kernels/assembly/assemble_row.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Identity of a contact over time steps.
std::uint64_t contact_key(std::int32_t node, std::int32_t obstacle) {
  return (static_cast<std::uint64_t>(node) << 32) | static_cast<std::uint32_t>(obstacle);
}

struct Environment {
  Scene scene;
  TetModel model;
  std::vector<int> body_first_node;
  std::vector<std::int32_t> body_of_node;
  std::vector<PairFriction> friction;  ///< [body * n_obstacle + obstacle]
  Attachments attachments;
  State state;
  double time_origin_s = 0;  ///< time of step 0
  bool failed = false;

  std::vector<Vec3d> v_hat;  ///< of the last step, empty before the first
  std::vector<std::pair<std::uint64_t, Vec3d>> lambda_by_key;  ///< of the last step, ascending

  std::vector<Shape> shapes;
  std::vector<ProximityPair> pairs;
  std::vector<std::int32_t> contact_obstacle;
  std::vector<Vec3d> force;
  std::vector<double> diagonal;

  explicit Environment(Scene s) : scene(std::move(s)) {
    scene.validate();
    for (const SoftBodyDescription& body : scene.soft_bodies) {
      const auto index = static_cast<std::int32_t>(body_first_node.size());
      body_first_node.push_back(model.add_body(body.mesh, body.material));
      for (const Vec3d& p : body.mesh.nodes) {
        state.x.push_back(body.pose.to_world(p));
        state.v.push_back(body.velocity);
        body_of_node.push_back(index);
      }
      for (const ObstacleDescription& obstacle : scene.obstacles)
        friction.push_back(scene.friction_of(body, obstacle));
    }
    model.finish();
    attachments = Attachments(scene, body_first_node, state.x);
    for (const ObstacleDescription& obstacle : scene.obstacles) shapes.push_back(obstacle.shape);
  }

  std::vector<Pose> obstacle_poses(double time_s) const {
    std::vector<Pose> poses;
    for (const ObstacleDescription& obstacle : scene.obstacles)
      poses.push_back(obstacle.path.at(time_s));
    return poses;
  }

  /// b without contacts, and A's values for this environment's rows.
  void assemble(double* A_value, Vec3d* b, int n_thread) {
    const TimeOptions& time = scene.time;
    const int n = model.n_node();
    diagonal.assign(n, 0.0);
    force.assign(n, Vec3d{});
    attachments.add_to_system(state.time_s, time.step_s, time.theta, state.x, &diagonal, &force);
    model.assemble({state.x.data(), time.step_s, time.theta, diagonal.data(), n_thread}, A_value,
                   b);
    for (int i = 0; i < n; ++i) {
      b[i] = right_hand_side({time.step_s, time.theta}, model.mass()[i], b[i], force[i],
                             scene.gravity_m_s2, state.v[i]);
    }
  }

  void detect_contacts(int n_thread) {
    std::vector<ObstaclePose> obstacles;
    const std::vector<Pose> now = obstacle_poses(state.time_s);
    const std::vector<Pose> next = obstacle_poses(state.time_s + scene.time.step_s);
    for (std::size_t o = 0; o < shapes.size(); ++o)
      obstacles.push_back({shapes[o], now[o], next[o]});
    detect(obstacles, state.x.data(), state.v.data(), model.n_node(), scene.contact.margin_m,
           scene.time.step_s, n_thread, &pairs);
  }

  /// Nodes are contact nodes already: every pair becomes an S-contact with the obstacle's surface.
  void nodalize(std::int32_t first_node, std::vector<Contact<double>>* contacts) {
    contact_obstacle.clear();
    for (const ProximityPair& pair : pairs) {
      const ObstacleDescription& obstacle = scene.obstacles[pair.obstacle];
      const PairFriction& mu =
          friction[body_of_node[pair.node] * scene.obstacles.size() + pair.obstacle];
      const Mat3d R = frame_from_normal(pair.normal);
      Contact<double> c;
      c.node_i = first_node + pair.node;
      c.R = R;
      c.phi =
          contact_phi(pair, R, state.v[pair.node], obstacle.restitution, scene.time, scene.contact);
      c.mu1 = mu.friction_1;
      c.mu2 = mu.friction_2;
      c.key = contact_key(pair.node, pair.obstacle);
      contacts->push_back(c);
      contact_obstacle.push_back(pair.obstacle);
    }
  }

  Vec3d warm_lambda(std::uint64_t key) const {
    const auto found =
        std::lower_bound(lambda_by_key.begin(), lambda_by_key.end(), key,
                         [](const auto& entry, std::uint64_t k) { return entry.first < k; });
    return found != lambda_by_key.end() && found->first == key ? found->second : Vec3d{};
  }
};

}  // namespace

struct Simulation::Impl {
  SolverOptions options;
  std::unique_ptr<ContactSolver> solver;
  std::vector<Environment> envs;
  std::shared_ptr<const BlockPattern> pattern;
  std::vector<int> first_node;   ///< [n_env + 1]
  std::vector<int> first_block;  ///< [n_env + 1]
  ContactProblem problem;
  WarmStart warm;
  Solution solution;
  std::vector<StepRecord> records;
  double dynamics_ms = 0, solver_ms = 0;

  Impl(std::vector<Scene> scenes, const SolverOptions& o) : options(o), solver(make_solver(o)) {
    if (scenes.empty())
      throw InputError("simulation: no scene (at least one environment is needed)");
    std::vector<std::shared_ptr<const BlockPattern>> patterns;
    first_node.push_back(0);
    first_block.push_back(0);
    envs.reserve(scenes.size());
    for (Scene& scene : scenes) {
      envs.emplace_back(std::move(scene));
      const Environment& env = envs.back();
      const TimeOptions& first = envs.front().scene.time;
      require(env.scene.time.step_s == first.step_s && env.scene.time.theta == first.theta,
              "time.step_s", env.scene.time.step_s,
              "the same in every environment, like time.theta", "");
      patterns.push_back(env.model.pattern());
      first_node.push_back(first_node.back() + env.model.n_node());
      first_block.push_back(first_block.back() + env.model.pattern()->n_block());
    }
    pattern = patterns.size() == 1 ? patterns.front() : BlockPattern::concatenate(patterns);
    problem.A = BlockMatrix(pattern);
    problem.b.resize(first_node.back());
    problem.theta = envs.front().scene.time.theta;
    problem.step_s = envs.front().scene.time.step_s;
    problem.env_node_begin.assign(first_node.begin(), first_node.end());
    for (const Environment& env : envs)
      problem.mass.insert(problem.mass.end(), env.model.mass().begin(), env.model.mass().end());
    records.resize(envs.size());
  }

  void build() {
    const Clock::time_point start = Clock::now();
    const int n_thread = thread_count(options.threads, first_node.back());
    problem.contacts.clear();
    problem.env_contact_begin.assign(1, 0);
    warm.v.resize(first_node.back());
    warm.lambda.clear();
    for (std::size_t e = 0; e < envs.size(); ++e) {
      Environment& env = envs[e];
      env.assemble(problem.A.value.data() + 9 * static_cast<std::size_t>(first_block[e]),
                   problem.b.data() + first_node[e], n_thread);
      if (env.failed) {
        env.contact_obstacle.clear();
      } else {
        env.detect_contacts(n_thread);
        env.nodalize(first_node[e], &problem.contacts);
      }
      problem.env_contact_begin.push_back(problem.n_contact());
      const std::vector<Vec3d>& v = env.v_hat.empty() ? env.state.v : env.v_hat;
      std::copy(v.begin(), v.end(), warm.v.begin() + first_node[e]);
      for (int c = problem.env_contact_begin[e]; c < problem.n_contact(); ++c)
        warm.lambda.push_back(env.warm_lambda(problem.contacts[c].key));
    }
    dynamics_ms = milliseconds_since(start);
  }

  void integrate(const ContactProblem& p, const Solution& s,
                 const std::function<void(const StepView&)>& each) {
    const std::vector<ContactState> states = contact_states(p, s.lambda);
    for (std::size_t e = 0; e < envs.size(); ++e) {
      Environment& env = envs[e];
      if (env.failed) continue;
      env.failed = s.env[e].status == SolveStatus::not_a_number;
      if (!env.failed) advance_state(&env, s.v.data() + first_node[e]);
      const std::vector<Contact<double>> contacts = local_contacts(p, e);
      const auto begin = s.lambda.begin() + p.env_contact_begin[e];
      const auto end = s.lambda.begin() + p.env_contact_begin[e + 1];
      const std::vector<Vec3d> lambda(begin, end);
      const std::vector<ContactState> state(states.begin() + p.env_contact_begin[e],
                                            states.begin() + p.env_contact_begin[e + 1]);
      env.lambda_by_key.clear();
      for (std::size_t c = 0; c < contacts.size(); ++c)
        env.lambda_by_key.emplace_back(contacts[c].key, lambda[c]);
      std::sort(env.lambda_by_key.begin(), env.lambda_by_key.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
      record(&env, static_cast<int>(e), s.env[e], contacts, lambda, state);
      if (each) each({records[e], env.state, contacts, lambda, state, env.contact_obstacle});
    }
  }

  /// v_next = (v_hat - (1-theta) v)/theta, q_next = q + t v_hat.
  void advance_state(Environment* env, const Vec3d* v_hat) {
    State& state = env->state;
    const double theta = problem.theta, t = problem.step_s;
    env->v_hat.assign(v_hat, v_hat + state.x.size());
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      state.v[i] = (1 / theta) * (v_hat[i] - (1 - theta) * state.v[i]);
      state.x[i] += t * v_hat[i];
    }
    ++state.step;
    state.time_s = env->time_origin_s + state.step * t;
    env->failed =
        !std::all_of(state.x.begin(), state.x.end(), [](Vec3d x) { return is_finite(x); });
  }

  std::vector<Contact<double>> local_contacts(const ContactProblem& p, std::size_t e) const {
    std::vector<Contact<double>> contacts(p.contacts.begin() + p.env_contact_begin[e],
                                          p.contacts.begin() + p.env_contact_begin[e + 1]);
    for (Contact<double>& c : contacts) {
      c.node_i -= first_node[e];
      if (c.node_j != kWorld) c.node_j -= first_node[e];
    }
    return contacts;
  }

  void record(Environment* env, int index, const SolveReport& report,
              const std::vector<Contact<double>>& contacts, const std::vector<Vec3d>& lambda,
              const std::vector<ContactState>& state) {
    StepRecord r;
    r.env = index;
    r.step = env->state.step;
    r.time_s = env->state.time_s;
    r.solve = report;
    if (env->failed) r.solve.status = SolveStatus::not_a_number;
    r.n_contact = static_cast<int>(contacts.size());
    r.n_stick = static_cast<int>(std::count(state.begin(), state.end(), ContactState::stick));
    r.n_slip = static_cast<int>(std::count(state.begin(), state.end(), ContactState::slip));
    r.energy_error_J = report.energy_error_J;
    r.dynamics_ms = dynamics_ms / static_cast<double>(envs.size());
    r.solver_ms = solver_ms / static_cast<double>(envs.size());
    for (std::size_t c = 0; c < contacts.size(); ++c)
      r.obstacle_force_N += transpose_times(contacts[c].R, lambda[c]);
    const State& s = env->state;
    r.max_penetration_m = max_penetration(env->shapes, env->obstacle_poses(s.time_s), s.x.data(),
                                          env->model.n_node());
    const Attachments::Totals held =
        env->attachments.totals(s.time_s - problem.step_s, s.time_s, s.x);
    r.attachment_force_N = held.force_N;
    r.attachment_work_J = held.work_J;
    double kinetic = 0, gravity = 0;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      const double m = env->model.mass()[i];
      kinetic += 0.5 * m * squared_norm(s.v[i]);
      gravity -= m * dot(env->scene.gravity_m_s2, s.x[i]);
    }
    r.kinetic_energy_J = kinetic;
    r.potential_energy_J = env->model.elastic_energy(s.x.data()) + gravity + held.energy_J;
    records[index] = r;
  }
};

Simulation::Simulation(std::vector<Scene> scenes, const SolverOptions& options)
    : impl_(std::make_unique<Impl>(std::move(scenes), options)) {}
Simulation::~Simulation() = default;

int Simulation::n_env() const {
  return static_cast<int>(impl_->envs.size());
}
const Scene& Simulation::scene(int env) const {
  return impl_->envs.at(env).scene;
}
const TetModel& Simulation::model(int env) const {
  return impl_->envs.at(env).model;
}
const State& Simulation::state(int env) const {
  return impl_->envs.at(env).state;
}
bool Simulation::failed(int env) const {
  return impl_->envs.at(env).failed;
}

void Simulation::set_state(int env, State state) {
  Environment& e = impl_->envs.at(env);
  if (state.x.size() != e.state.x.size() || state.v.size() != e.state.v.size())
    throw_bad_value("state.x", static_cast<double>(state.x.size()),
                    "one entry per node of the environment", "");
  e.state = std::move(state);
  e.time_origin_s = e.state.time_s - e.state.step * impl_->problem.step_s;
  e.v_hat.clear();
  e.lambda_by_key.clear();
  e.failed = false;
}

const std::vector<StepRecord>& Simulation::step() {
  return step({});
}

const std::vector<StepRecord>& Simulation::step(const std::function<void(const StepView&)>& each) {
  impl_->build();
  impl_->solver->solve(impl_->problem, impl_->warm, &impl_->solution);
  impl_->solver_ms = 0;
  for (const SolveReport& report : impl_->solution.env) impl_->solver_ms += 1e3 * report.time_s;
  impl_->integrate(impl_->problem, impl_->solution, each);
  return impl_->records;
}

ContactProblem Simulation::build_problem(WarmStart* warm) {
  impl_->build();
  if (warm) *warm = impl_->warm;
  return impl_->problem;
}

const std::vector<StepRecord>& Simulation::advance(
    const ContactProblem& problem, const Solution& solution,
    const std::function<void(const StepView&)>& each) {
  impl_->solver_ms = 0;
  for (const SolveReport& report : solution.env) impl_->solver_ms += 1e3 * report.time_s;
  impl_->integrate(problem, solution, each);
  return impl_->records;
}

}  // namespace nodia
