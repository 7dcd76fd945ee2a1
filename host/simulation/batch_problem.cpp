#include "host/simulation/batch_problem.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "host/base/threads.hpp"
#include "kernels/core/stopwatch.hpp"

namespace nodia {

BatchProblem::BatchProblem(std::vector<Environment*> envs, int threads)
    : envs_(std::move(envs)), threads_(threads) {
  const TimeOptions& time = envs_.front()->model().scene.time;
  problem_.theta = time.theta;
  problem_.step_s = time.step_s;
  merge();
}

void BatchProblem::replace(int env, Environment* other) {
  envs_[env] = other;
  const BodySystem& own = other->model().system;
  if (own.topology() != problem_.topology[env]) return merge();
  const std::vector<double>& mass = own.mass();
  std::copy(mass.begin(), mass.end(), problem_.mass.begin() + first_row_[env]);
}

bool BatchProblem::has_place_for(int env, Environment* other) const {
  if (other->model().system.topology() != problem_.topology[env]) return false;
  const ObstacleContacts *own = envs_[env]->device_end().obstacle_contacts().get(),
                         *theirs = other->device_end().obstacle_contacts().get();
  return own != nullptr && theirs != nullptr && own->surface.size() == theirs->surface.size() &&
         own->shape.size() == theirs->shape.size() && own->body.size() == theirs->body.size() &&
         own->n_tet == theirs->n_tet;
}

/// Merges the data that are constant over all steps: topologies, masses, ranges.
void BatchProblem::merge() {
  std::vector<std::shared_ptr<const BlockPattern>> patterns;
  first_row_.assign(1, 0);
  first_block_.assign(1, 0);
  problem_.topology.clear();
  problem_.mass.clear();
  for (const Environment* env : envs_) {
    const BodySystem& system = env->model().system;
    problem_.topology.push_back(system.topology());
    patterns.push_back(system.pattern());
    first_row_.push_back(first_row_.back() + system.pattern()->n_row());
    first_block_.push_back(first_block_.back() + system.pattern()->n_block());
    problem_.mass.insert(problem_.mass.end(), system.mass().begin(), system.mass().end());
  }
  const bool has_soft = std::any_of(envs_.begin(), envs_.end(), [](const Environment* env) {
    return env->model().system.soft_bodies().model().n_node() > 0;
  });
  problem_.soft.resize(has_soft ? envs_.size() : 0);
  problem_.A = BlockMatrix(n_env() == 1 ? patterns.front() : BlockPattern::concatenate(patterns));
  problem_.b.resize(first_row_.back());
  problem_.position.resize(first_row_.back());
  problem_.env_node_begin.assign(first_row_.begin(), first_row_.end());
  problem_.env_contact_begin.assign(envs_.size() + 1, 0);
  initial_guess_.v.resize(first_row_.back());
  dynamics_ms_.resize(envs_.size());
}

double* BatchProblem::blocks_of(int e) {
  return problem_.A.value.data() + 9 * static_cast<std::size_t>(first_block_[e]);
}

Vec3d* BatchProblem::rows_of(int e) {
  return problem_.b.data() + first_row_[e];
}

int BatchProblem::threads_of(int e) const {
  return thread_count(threads_, first_row_[e + 1] - first_row_[e], n_env());
}

/// Writes the parts of the problem that depend on the state at the start of the step.
void BatchProblem::put_state(int e) {
  const Environment& env = *envs_[e];
  const std::vector<double>& mass = env.model().system.mass();
  const std::int32_t first_robot_row = env.model().system.layout().first_robot_row();
  std::copy(mass.begin() + first_robot_row, mass.end(),
            problem_.mass.begin() + first_row_[e] + first_robot_row);
  Vec3d* position = problem_.position.data() + first_row_[e];
  if (env.failed())  // its positions may not be finite
    std::fill_n(position, first_row_[e + 1] - first_row_[e], Vec3d{});
  else
    env.model().system.positions(env.state(), position);
  env.step().put_velocities(initial_guess_.v.data() + first_row_[e]);
}

/// Calls stage(e) for every environment and adds its time to the record's.
template <class Stage>
void BatchProblem::run(const Stage& stage) {
  for_each_environment(n_env(), threads_, [&](int e) {
    const Stopwatch watch;
    stage(e);
    dynamics_ms_[e] += watch.milliseconds();
  });
}

void BatchProblem::start() {
  for (const Environment* env : envs_) env->device_end().download();
  std::fill(dynamics_ms_.begin(), dynamics_ms_.end(), 0.0);
  run([&](int e) { envs_[e]->step().start(threads_of(e)); });
}

void BatchProblem::assemble() {
  run([&](int e) { assemble(e); });
}

void BatchProblem::assemble(int e) {
  envs_[e]->step().assemble(blocks_of(e), rows_of(e));
  put_state(e);
  if (!problem_.soft.empty()) envs_[e]->step().describe(&problem_.soft[e]);
}

bool BatchProblem::assemble_again(const Solution& solution, double share,
                                  std::vector<char>* changed) {
  changed->assign(envs_.size(), 0);
  run([&](int e) {
    if (solution.env[e].status == SolveStatus::not_a_number ||
        !envs_[e]->step().expect(solution.v.data() + first_row_[e], share))
      return;
    (*changed)[e] = 1;
    assemble(e);
  });
  if (std::find(changed->begin(), changed->end(), 1) == changed->end()) return false;
  initial_guess_.v = solution.v;
  initial_guess_.lambda = solution.lambda;
  return true;
}

void BatchProblem::predict() {
  run([&](int e) { envs_[e]->step().predict(blocks_of(e), rows_of(e)); });
}

void BatchProblem::detect() {
  run([&](int e) { envs_[e]->step().detect(); });
}

void BatchProblem::make_contacts() {
  run([&](int e) { envs_[e]->step().make_contacts(); });
  put_contacts();
  initial_guess_.lambda.resize(problem_.contacts.size());
  run([&](int e) {
    envs_[e]->step().put_forces(initial_guess_.lambda.data() + problem_.env_contact_begin[e]);
  });
}

bool BatchProblem::make_contacts_again(const Solution& solution) {
  if (solution.env.front().status == SolveStatus::not_a_number) return false;
  bool is_new = false;
  run([&](int e) {
    is_new = envs_[e]->step().detect_again(solution.v.data(), solution.lambda.data());
  });
  if (!is_new) return false;
  InitialGuess solved;
  for (std::size_t m = 0; m < problem_.contacts.size(); ++m)
    solved.force_by_key.emplace_back(problem_.contacts[m].key, solution.lambda[m]);
  solved.sort_forces();
  make_contacts();
  initial_guess_.v = solution.v;
  for (std::size_t m = 0; m < problem_.contacts.size(); ++m)
    initial_guess_.lambda[m] = solved.force(problem_.contacts[m].key);
  return true;
}

bool BatchProblem::can_solver_make_contacts() const {
  double most_nodes = 0, most_obstacles = 0;
  for (Environment* env : envs_) {
    const ObstacleContacts* contacts = env->device_end().obstacle_contacts().get();
    if (contacts == nullptr) return false;
    most_nodes = std::max(most_nodes, static_cast<double>(contacts->surface.size()));
    most_obstacles = std::max(most_obstacles, static_cast<double>(contacts->shape.size()));
  }
  return n_env() * most_nodes * most_obstacles <= std::numeric_limits<std::int32_t>::max();
}

bool BatchProblem::has_soft_searches() const {
  return std::any_of(envs_.begin(), envs_.end(), [](Environment* env) {
    return env->device_end().obstacle_contacts()->soft_searches != nullptr;
  });
}

bool BatchProblem::has_soft_pairs() const {
  return std::any_of(envs_.begin(), envs_.end(), [](const Environment* env) {
    return env->step().contacts().has_soft_pairs();
  });
}

void BatchProblem::prepare(const std::vector<char>& restarts) {
  for (const Environment* env : envs_)
    if (env->device_end().must_download()) env->device_end().download();
  std::fill(dynamics_ms_.begin(), dynamics_ms_.end(), 0.0);
  run([&](int e) {
    envs_[e]->step().prepare(threads_of(e), restarts[e] != 0, blocks_of(e), rows_of(e));
    if (!is_on_device(e)) put_state(e);
    envs_[e]->step().describe_all(&problem_.soft[e]);
  });
  put_contacts();
  initial_guess_.lambda.clear();
}

/// Merges the contacts of the environments.
void BatchProblem::put_contacts() {
  for (int e = 0; e < n_env(); ++e)
    problem_.env_contact_begin[e + 1] =
        problem_.env_contact_begin[e] + envs_[e]->step().contacts().size();
  merge_points();
  problem_.contacts.resize(problem_.env_contact_begin.back());
  run([&](int e) {
    envs_[e]->step().put_contacts(first_row_[e], problem_.n_node() + problem_.first_point(e),
                                  problem_.contacts.data() + problem_.env_contact_begin[e]);
  });
}

void BatchProblem::merge_points() {
  ContactPoints& all = problem_.points;
  std::vector<std::int32_t>& first_point = problem_.env_point_begin;
  first_point.resize(envs_.size() + 1);
  first_part_.resize(envs_.size() + 1);
  first_point[0] = first_part_[0] = 0;
  for (int e = 0; e < n_env(); ++e) {
    const ContactPoints& own = envs_[e]->step().contacts().found.points;
    first_point[e + 1] = first_point[e] + own.size();
    first_part_[e + 1] = first_part_[e] + static_cast<std::int32_t>(own.row.size());
  }
  all.begin.resize(static_cast<std::size_t>(first_point.back()) + 1);
  all.row.resize(static_cast<std::size_t>(first_part_.back()));
  all.J.resize(all.row.size());
  if (first_point.back() == 0) {
    first_point.assign(1, 0);
    return;
  }
  for_each_environment(n_env(), threads_, [&](int e) {
    const ContactPoints& own = envs_[e]->step().contacts().found.points;
    const std::int32_t first = first_part_[e];
    for (int k = 1; k <= own.size(); ++k) all.begin[first_point[e] + k] = first + own.begin[k];
    std::transform(own.row.begin(), own.row.end(), all.row.begin() + first,
                   [&](std::int32_t row) { return row + first_row_[e]; });
    std::copy(own.J.begin(), own.J.end(), all.J.begin() + first);
  });
}

void BatchProblem::finish(const ContactProblem& p, const Solution& s, StepRecord* records,
                          char* stepped) {
  for_each_environment(n_env(), threads_, [&](int e) {
    stepped[e] = 0;
    if (envs_[e]->failed()) return;
    const int first = p.env_contact_begin[e];
    StepRecord& record = records[e];
    envs_[e]->step().finish(
        {s.env[e], s.v.data() + first_row_[e], p.contacts.data() + first, s.lambda.data() + first,
         p.env_contact_begin[e + 1] - first, first_row_[e], p.n_node() + p.first_point(e)},
        &record);
    set_times(e, s.env[e], &record);
    stepped[e] = 1;
  });
}

void BatchProblem::set_times(int e, const SolveReport& report, StepRecord* record) const {
  record->dynamics_ms = dynamics_ms_[e];
  record->solver_ms = 1e3 * report.time_s;
}

DownloadedStep BatchProblem::downloaded(int e, const DeviceSolution& s) const {
  return {s.start_x.data() + first_row_[e], s.start_v.data() + first_row_[e], s.contacts[e].near,
          s.contacts[e].pair};
}

void BatchProblem::finish_on_device(const DeviceSolution& s,
                                    const std::function<void(const std::vector<char>&)>& download,
                                    StateDownloader* downloader, StepRecord* records,
                                    char* stepped) {
  std::vector<char> needed(envs_.size(), 0);
  for_each_environment(n_env(), threads_, [&](int e) {
    stepped[e] = 0;
    if (envs_[e]->failed()) return;
    const auto part = [&](const auto& all, const std::vector<std::int32_t>& begin) {
      const auto first = static_cast<std::size_t>(begin[e]);
      return std::span(all.data() + first, static_cast<std::size_t>(begin[e + 1]) - first);
    };
    const DeviceReport report{s.env[e],
                              s.reports.end[e],
                              part(s.reports.depth, s.reports.depth_begin),
                              part(s.reports.pair_depth, s.reports.pair_depth_begin),
                              part(s.reports.attachment_sums, s.reports.attachment_begin),
                              downloader,
                              e};
    needed[e] = !envs_[e]->device_end().keep_on_device(report, &records[e]);
    set_times(e, s.env[e], &records[e]);
    stepped[e] = 1;
  });
  if (std::find(needed.begin(), needed.end(), 1) == needed.end()) return;
  download(needed);
  for_each_environment(n_env(), threads_, [&](int e) {
    if (!needed[e]) return;
    const DownloadedStep own = downloaded(e, s);
    envs_[e]->device_end().download_start(own);
    envs_[e]->step().finish(
        {s.env[e], s.v.data() + first_row_[e], nullptr, s.contacts[e].lambda.data(),
         static_cast<int>(own.near.size() + own.pairs.size()), 0, 0},
        &records[e]);
  });
}

void BatchProblem::download_ends(EnvironmentRange range, const DeviceSolution& s) {
  for_each_environment(range.end - range.begin, threads_, [&](int k) {
    const int e = range.begin + k;
    if (is_on_device(e))
      envs_[e]->device_end().download_end(downloaded(e, s), s.v.data() + first_row_[e],
                                          s.contacts[e].lambda.data());
  });
}

void BatchProblem::roll_back(EnvironmentRange range, const DeviceSolution& s) {
  for_each_environment(range.end - range.begin, threads_, [&](int k) {
    const int e = range.begin + k;
    envs_[e]->device_end().roll_back(downloaded(e, s), s.v.data() + first_row_[e],
                                     s.contacts[e].lambda.data());
  });
}

}  // namespace nodia
