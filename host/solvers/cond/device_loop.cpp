#include "host/solvers/cond/device_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "host/solvers/threads.hpp"
#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "kernels/soft_step/device/device_soft_step.hpp"
#include "kernels/vfpi/device/device_answers.hpp"
#include "kernels/vfpi/device/device_planes.hpp"
#include "kernels/vfpi/device/run_loop.hpp"

namespace nodia {

namespace {
constexpr const char* kWhat = "V-FPI loop";

bool same_facts(const EnvironmentFacts& a, const EnvironmentFacts& b) {
  const auto words = [](const EnvironmentFacts& facts) {
    const auto& [cancels, in_phases, share, contacts, load, rate] = facts;
    return std::tuple(cancels, in_phases, share, contacts, load, rate);
  };
  return words(a) == words(b);
}

bool any_left(const ContactProblem& p) {
  for (int e = 0; !p.soft.empty() && e < p.n_env(); ++e)
    if (p.soft[static_cast<std::size_t>(e)].is_left) return true;
  return false;
}

/// Whether two environments lie in the same places, and are the same to the host.
template <class Precision>
bool same_environment(const VfpiEnvironment<Precision>& a, const VfpiEnvironment<Precision>& b) {
  static_assert(std::has_unique_object_representations_v<LoopCounts>);
  const LoopCounts &counts_a = a, &counts_b = b;
  bool same = std::memcmp(&counts_a, &counts_b, sizeof(LoopCounts)) == 0 && same_facts(a, b) &&
              a.block_value == b.block_value;
  LoopArrays<Precision, Views>::each(
      [&](const auto&, const auto& p, const auto& q) { same = same && p == q; }, a, b);
  return same;
}

}  // namespace

template <class Precision>
DeviceLoop<Precision>::DeviceLoop(const CondOptions& own)
    : device_(own.device), launcher_(resolve(own.loop).launcher), stream_([&own] {
        const DeviceScope scope(own.device);
        return OwnedStream(kWhat);
      }()) {
  if (own.product == Product::ours) return;
  if (launcher_ == LoopLauncher::graph)
    throw_bad_value("--loop", name_of(launcher_),
                    std::string("launches or checked with --product ") + name_of(own.product), "");
  library_.emplace(stream_.get(), is_checked());
}

template <class Precision>
VfpiTimes DeviceLoop<Precision>::run(LoopProblem<Precision>* problem) {
  const DeviceScope scope(device_);
  acceleration_ = problem->options().acceleration;
  launch_as(kWhat, launcher_, stream_.get(), [&] {
    upload(problem);
    start_on_device(carry(), stream_.get(), is_checked());
    if (problem->has_sources()) assemble();
    if (problem->leaves_contacts()) make_contacts(problem);
  });
  const auto n_env = static_cast<int>(problem->environments().size());
  ScheduleKey key = problem->key(0, n_env);
  key.fills_matrix = !problem->has_sources();
  const VfpiTimes times =
      vfpi_.run(launcher_, stream_.get(), key, batch_.data(), queue_.data(),
                static_cast<int>(work_.size()), library_ ? &library_->set(*problem) : nullptr);
  const LoopCondition ended = queue_.download(stream_.get()).front().loop;
  if (ended.running != 0)
    throw RuntimeError(fmt::format(
        "{}: the device has not decided after {} tests, {} iterations apart (max_iterations = {})",
        kWhat, ended.n_body, problem->options().check_every, problem->options().max_iterations));
  launch_as(kWhat, launcher_, stream_.get(), [&] { download(problem); });
  return times;
}

/// Of the environments that are there.
template <class Precision>
StateCarry<Precision> DeviceLoop<Precision>::carry() {
  StateCarry<Precision> c;
  c.n_env = static_cast<int>(carried_on_host_.size());
  c.n_chunk = most_chunks_;
  c.env = env_.data();
  c.soft = soft_rows_.environments();
  c.carried = carried_.data();
  c.control = arrays_.control.data();
  c.acceleration = acceleration_;
  return c;
}

/// What goes on there, and the end of the last step while what it was solved with is there.
template <class Precision>
void DeviceLoop<Precision>::carry_state(LoopProblem<Precision>* problem) {
  const std::size_t n_env = problem->environments().size();
  if (problem->has_sources()) soft_rows_.gather(problem->problem(), problem->rows());
  carried_on_host_.resize(n_env);
  std::size_t n_other = 0;
  for (std::size_t e = 0; e < n_env; ++e)
    n_other += problem->starts_from_answer(static_cast<int>(e)) ? 0 : 1;
  // Of some that are left the host may not know the start.
  brings_all_starts_ = !any_left(problem->problem()) && are_many(n_other, n_env);
  bool any = false;
  for (std::size_t e = 0; e < n_env; ++e) {
    const int env = static_cast<int>(e);
    Carried& c = carried_on_host_[e];
    c.advances = problem->has_sources() && soft_rows_.advances(env) ? 1 : 0;
    c.start = !brings_all_starts_ && problem->starts_from_answer(env) ? c.answer : 0;
    c.control = problem->control_start(env);
    any = any || c.advances != 0;
  }
  carried_.assign(carried_on_host_, stream_.get());
  if (!any) return;
  advance_on_device(carry(), stream_.get(), is_checked());
}

/// The starting velocities of all environments, or of those that do not go on from their last
/// answer.
template <class Precision>
void DeviceLoop<Precision>::upload_start(LoopProblem<Precision>* problem) {
  const DeviceStream stream = stream_.get();
  if (brings_all_starts_) {
    arrays_.node[0].upload(problem->arrays().node[0], stream);
    return;
  }
  for (std::size_t e = 0; e < carried_on_host_.size(); ++e) {
    if (problem->starts_from_answer(static_cast<int>(e))) continue;
    const LoopRange& range = problem->ranges()[e];
    copy_to_device(arrays_.node[0].data() + kNodeStride * range.first_row,
                   problem->environments()[e].node[0], node_bytes(range), stream);
  }
}

template <class Precision>
void DeviceLoop<Precision>::upload(LoopProblem<Precision>* problem) {
  const DeviceStream stream = stream_.get();
  auto& host = problem->arrays();
  const bool new_rows = problem->new_rows(), has_sources = problem->has_sources(),
             leaves_contacts = problem->leaves_contacts();
  const LoopOffsets& end = problem->ranges().back();
  carry_state(problem);
  LoopArrays<Precision, HostMemory>::each(
      [&](const auto& field, const auto& from, auto& to) {
        const bool needed = is_needed(field, problem->needs());
        const std::size_t size = needed ? size_of(field, end) : from.size();
        if (new_rows)
          to.renew(size, stream);
        else
          to.resize(size, stream);
        if (field.written == Written::every_problem ||
            (field.written == Written::assembled && !has_sources) ||
            (field.written == Written::contacts && !leaves_contacts) ||
            (field.written == Written::with_rows && new_rows))
          to.upload(from, stream);
      },
      host, arrays_);
  if (!new_rows && problem->new_weights()) arrays_.inverse_mass.upload(host.inverse_mass, stream);
  upload_start(problem);
  if (has_sources) {
    block_value_ = {};
    soft_rows_.upload(problem->problem(), problem->rows(), new_rows, stream);
  } else {
    soft_rows_ = {};
    block_value_.assign(problem->problem().A.value, stream);
  }

  if (new_rows) soft_contacts_ = {};
  if (leaves_contacts)
    soft_contacts_.upload(problem->problem(), problem->rows(), problem->ranges(), soft_rows_,
                          stream, is_checked());
  set_environments(*problem);
  const auto n_env = static_cast<int>(env_here_.size());
  if (!new_rows) upload_power(*problem);
  const auto n_chunk = problem->ranges().back().first_row / kBlockLanes;
  if (new_rows) first_row_of_A_.assign(problem->first_row_of_A(), stream);
  answers_there_.resize(3 * static_cast<std::size_t>(problem->first_row_of_A().back()), stream);
  work_.resize(static_cast<std::size_t>(n_chunk), stream);
  queue_.assign(std::array{waiting_queue(problem->options(), n_env, n_env)}, stream);
  batch_.assign(std::array{VfpiBatch<Precision>{problem->options(), n_env, n_env, env_.data(),
                                                work_.data(), queue_.data()}},
                stream);
}

/// The environments as they lie there.
template <class Precision>
void DeviceLoop<Precision>::set_environments(const LoopProblem<Precision>& problem) {
  const auto n_env = static_cast<int>(problem.environments().size());
  // What makes contacts writes facts.
  std::atomic<bool> same = env_here_.size() == static_cast<std::size_t>(n_env) &&
                           (!wrote_facts_ || problem.leaves_contacts());
  wrote_facts_ = problem.leaves_contacts();
  env_here_.resize(static_cast<std::size_t>(n_env));
  for_each_environment(n_env, 0, [&](int e) {
    VfpiEnvironment<Precision> env =
        environment_of(&arrays_, problem.ranges()[e], block_value_.data());
    static_cast<EnvironmentFacts&>(env) = problem.environments()[e];
    if (!same_environment(env, env_here_[e])) same = false;
    env_here_[e] = env;
  });
  if (same) return;
  most_chunks_ = 0;
  for (const auto& env : env_here_) most_chunks_ = std::max(most_chunks_, env.n_chunk);
  env_.assign(env_here_, stream_.get());
}

/// The vectors that power iterations start anew from, those of neighbours in one copy.
template <class Precision>
void DeviceLoop<Precision>::upload_power(const LoopProblem<Precision>& problem) {
  const LoopRanges& ranges = problem.ranges();
  const auto n_env = static_cast<int>(problem.environments().size());
  for (int e = 0; e < n_env; ++e) {
    if (!problem.new_power_vector(e)) continue;
    const int begin = e;
    while (e < n_env && problem.new_power_vector(e)) ++e;
    const std::int64_t first = kNodeStride * ranges[begin].first_row;
    copy_to_device(arrays_.power.data() + first, problem.environments()[begin].power,
                   sizeof(Real) * (kNodeStride * ranges[e].first_row - first), stream_.get());
  }
}

template <class Precision>
void DeviceLoop<Precision>::assemble() {
  assemble_planes_on_device(soft_rows_.assembly<Precision>(env_.data()), stream_.get(),
                            is_checked());
}

/// Where the room for rows with several contacts is too small, it grows, and the contacts are
/// placed again.
template <class Precision>
void DeviceLoop<Precision>::make_contacts(LoopProblem<Precision>* problem) {
  const DeviceStream stream = stream_.get();
  const auto batch = [&] {
    return soft_contacts_.batch(soft_rows_, problem->options(), env_.data());
  };
  make_contacts_on_device(batch(), stream, is_checked());
  const auto& envs = problem->environments();
  if (std::all_of(envs.begin(), envs.end(),
                  [](const EnvironmentFacts& env) { return env.contacts == ContactCase::common; }))
    return;
  const std::vector<std::int32_t> asked = soft_contacts_.rare_slots(stream);
  std::vector<std::int32_t> room;
  bool fits = true;
  for (std::size_t e = 0; e < envs.size(); ++e) {
    const LoopRange& range = problem->ranges()[e];
    const std::int32_t has = range.n_slot - range.first_virtual_row;
    fits = fits && asked[e] <= has;
    const std::int32_t slices = (asked[e] + asked[e] / 2) / kSliceRows + 1;
    room.push_back(asked[e] <= has ? has : slices * kSliceRows);
  }
  if (fits) return;
  problem->make_rare_room(std::move(room));
  const LoopOffsets& end = problem->ranges().back();
  LoopArrays<Precision, Owned<DeviceBuffer>>::each(
      [&](const auto& field, auto& array) {
        const std::size_t size = size_of(field, end);
        if (is_needed(field, problem->needs()) && size != array.size()) array.resize(size, stream);
      },
      arrays_);
  set_environments(*problem);
  soft_contacts_.point(problem->problem(), problem->ranges(), soft_rows_, stream);
  place_contacts_on_device(batch(), stream, is_checked());
}

template <class Precision>
void DeviceLoop<Precision>::download(LoopProblem<Precision>* problem) {
  const DeviceStream stream = stream_.get();
  auto& host = problem->arrays();
  const auto n_env = static_cast<int>(carried_on_host_.size());
  ends_.resize(carried_on_host_.size(), stream);
  take_ends_on_device(arrays_.control.data(), ends_.data(), n_env, stream);
  const std::vector<ControlEnd> ends = ends_.download(stream);
  for (int e = 0; e < n_env; ++e) {
    ends[e].put(&host.control[e]);
    carried_on_host_[e].answer = ends[e].answer;
  }
  if (problem->leaves_contacts()) {
    end_step_on_device(soft_contacts_.batch(soft_rows_, problem->options(), env_.data()), stream,
                       is_checked());
    soft_contacts_.download_totals(stream);
    return;
  }
  copy_to_host(host.lambda.data(), arrays_.lambda.data(), host.lambda.size() * sizeof(Real),
               stream);
  download_answers(*problem);
}

/// Into answers(); the host's states go to the end of the step.
template <class Precision>
void DeviceLoop<Precision>::download_answers(const LoopProblem<Precision>& problem) {
  const DeviceStream stream = stream_.get();
  int most_rows = 0;
  for (const auto& env : env_here_) most_rows = std::max(most_rows, env.n_row);
  take_answers_on_device<Precision>({{std::max(1, item_count(most_rows))},
                                     env_.data(),
                                     first_row_of_A_.data(),
                                     answers_there_.data()},
                                    static_cast<int>(env_here_.size()), stream);
  answers_.resize(answers_there_.size());
  copy_to_host(answers_.data(), answers_there_.data(), answers_.size() * sizeof(Real), stream);
  if (!problem.has_sources()) return;
  soft_rows_.advance(problem.problem(), [&](int e, std::int32_t node) {
    const std::int64_t row = std::int64_t{problem.first_row_of_A()[static_cast<std::size_t>(e)]} +
                             problem.rows().local_row(node);
    const Real* v = answers_.data() + 3 * row;
    return cast<double>(Vec3<Real>{v[0], v[1], v[2]});
  });
}

template <class Precision>
SoftAnswers DeviceLoop<Precision>::bring(const LoopProblem<Precision>& problem) {
  const DeviceScope scope(device_);
  SoftAnswers answers;
  launch_as(kWhat, launcher_, stream_.get(), [&] {
    soft_rows_.take_starts(stream_.get());
    soft_rows_.put_starts(problem.problem(), &answers.start_x, &answers.start_v);
    soft_contacts_.download_contacts(stream_.get(), is_checked(), &answers);
    download_answers(problem);
  });
  return answers;
}

template <class Precision>
void DeviceLoop<Precision>::fetch_kept(LoopProblem<Precision>* problem) const {
  const DeviceScope scope(device_);
  auto& host = problem->arrays();
  const auto fetch = [this](auto& to, const auto& from) {
    copy_to_host(to.data(), from.data(), to.size() * sizeof(*to.data()), stream_.get());
  };
  fetch(host.power, arrays_.power);
  fetch(host.w, arrays_.w);
  fetch(host.w_unguarded, arrays_.w_unguarded);
}

template class DeviceLoop<DoublePrecision>;
template class DeviceLoop<MixedPrecision>;
template class DeviceLoop<FloatPrecision>;

}  // namespace nodia
