#include "host/solvers/cond/device_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "kernels/vfpi/device/device_planes.hpp"
#include "kernels/vfpi/device/device_solutions.hpp"
#include "kernels/vfpi/device/launch_step.hpp"

namespace nodia {

namespace {
constexpr const char* kWhat = "V-FPI loop";

/// True if an environment is device-resident.
bool any_on_device(const ContactProblem& p) {
  for (int e = 0; !p.soft.empty() && e < p.n_env(); ++e)
    if (p.soft[static_cast<std::size_t>(e)].is_on_device) return true;
  return false;
}

/// True if rows may have several contacts that the device makes.
template <class Precision>
bool may_lack_room(const LoopProblem<Precision>& problem) {
  const auto& envs = problem.environments();
  return problem.device_makes_contacts() &&
         std::any_of(envs.begin(), envs.end(), [](const EnvironmentFacts& env) {
           return env.contacts != ContactCase::common;
         });
}

OwnedStream stream_of(int device) {
  const DeviceScope scope(device);
  return OwnedStream(kWhat);
}

}  // namespace

template <class Precision>
DeviceLoop<Precision>::DeviceLoop(const ExecutionOptions& execution, const CondOptions& own)
    : device_(execution.device),
      launcher_(resolve(execution.loop).launcher),
      stream_(stream_of(execution.device)),
      download_stream_(stream_of(execution.device)),
      bodies_(own.coupling()) {}

template <class Precision>
std::optional<VfpiTimes> DeviceLoop<Precision>::run(LoopProblem<Precision>* problem,
                                                    const PrefetchedSteps& ahead) {
  const DeviceScope scope(device_);
  const DeviceStream stream = stream_.get();
  const bool is_launched = ring_.size() > 0;
  if (!is_launched) begin(problem);
  launch_prefetched(*problem, ahead);
  ring_.wait(kWhat);
  StepBlock<Precision>& block = now_->block;
  block.select_page(static_cast<std::size_t>(ring_.page(0)));
  if (is_launched) follow(problem);
  if (ring_.size() > 1 && *block.host(block.continues) == 0) {
    synchronize_loop(kWhat, stream);
    ring_.clear();
  } else {
    ring_.pop();
  }
  is_rejected_ = problem->device_makes_contacts() && bodies_.lacks_pair_room(&block);
  if (is_rejected_) return std::nullopt;
  while (make_room(problem)) {
    launch(parts(*problem));
    ring_.wait(kWhat);
    ring_.pop();
  }
  const LoopCondition ended = block.host(block.queue)->loop;
  if (ended.running != 0)
    throw RuntimeError(fmt::format(
        "{}: the device has not decided after {} tests, {} iterations apart (max_iterations = {})",
        kWhat, ended.n_body, problem->options().check_every, problem->options().max_iterations));
  launch_as(kWhat, launcher_, stream, [&] { read_report(problem); });
  const StepMoments& moments = *block.host(block.moments);
  const auto seconds = [](std::int64_t ns) { return 1e-9 * static_cast<double>(ns); };
  return VfpiTimes{seconds(moments.loop - moments.start), seconds(moments.end - moments.loop)};
}

/// Begins the step of a problem that was not prefetched.
template <class Precision>
void DeviceLoop<Precision>::begin(LoopProblem<Precision>* problem) {
  acceleration_ = problem->options().acceleration;
  launch_as(kWhat, launcher_, stream_.get(), [&] { upload(problem); });
  launch(parts(*problem));
}

/// Launches the step of the selected page.
template <class Precision>
void DeviceLoop<Precision>::launch(const StepParts<Precision>& step) {
  const DeviceStream stream = stream_.get();
  now_->graph.launch(launcher_, stream, step, static_cast<int>(work_.size()));
  launch_as(kWhat, launcher_, stream, [&] {
    now_->block.fetch(stream);
    ring_.push(kWhat, stream);
  });
}

/// Launches as many of the steps after the problem's as the ring has room for.
template <class Precision>
void DeviceLoop<Precision>::launch_prefetched(const LoopProblem<Precision>& problem,
                                              const PrefetchedSteps& ahead) {
  if (launcher_ != LoopLauncher::graph || !problem.device_makes_contacts()) return;
  StepBlock<Precision>& block = now_->block;
  for (int k = ring_.size(); k < StepRing::kSteps && k <= ahead.count; ++k) {
    StepParts<Precision> step = parts(problem);
    step.advances = true;
    // Contact nodes of pairs, which the host does not know yet, need a new W.
    step.loop.new_w = step.soft.pairs.capacity > 0;
    launch_as(kWhat, launcher_, stream_.get(), [&] {
      block.select_page(static_cast<std::size_t>(ring_.page(k)));
      put_block(problem);
      Carried* carried = block.host(block.carried);
      for (int e = 0; e < static_cast<int>(carried_.size()); ++e) {
        carried[e] = {1, 1, 1, problem.control_start_after(e, k)};
        step.loop.new_w = step.loop.new_w || carried[e].control.new_w != 0;
      }
      block.upload(true, bodies_.put_poses(ahead, k, &block), stream_.get());
    });
    launch(step);
  }
}

/// Takes over a problem whose prefetched step has ended: does the part of begin() on the host.
template <class Precision>
void DeviceLoop<Precision>::follow(LoopProblem<Precision>* problem) {
  StepBlock<Precision>& block = now_->block;
  bool follows = !problem->changes().new_rows && problem->device_makes_contacts() &&
                 choose_advances(problem) == 0;
  const Carried* carried = block.host(block.carried);
  for (std::size_t e = 0; follows && e < carried_.size(); ++e)
    follows = carried_[e] == carried[e] && problem->changes().renewed[e] == 0;
  follows = follows && !bodies_.put_poses(problem->problem(), false, &block);
  if (!follows)
    throw RuntimeError(std::string(kWhat) +
                       ": the problem of a prefetched step was changed after its launch");
  mark_advanced();
}

/// Returns the state to carry for the environments of the device.
template <class Precision>
StateCarry<Precision> DeviceLoop<Precision>::carry(const Carried* carried) {
  StateCarry<Precision> c;
  c.n_env = static_cast<int>(carried_.size());
  c.n_chunk = arrays_.most_chunks();
  c.env = arrays_.environments();
  c.soft = bodies_.environments();
  c.carried = carried;
  c.control = arrays_.control();
  c.acceleration = acceleration_;
  return c;
}

/// Returns the arguments of the step's launch.
template <class Precision>
StepParts<Precision> DeviceLoop<Precision>::parts(const LoopProblem<Precision>& problem) {
  StepBlock<Precision>& block = now_->block;
  StepParts<Precision> step;
  step.advances = advances_;
  step.assembles = !problem.problem().soft.empty();
  step.makes_contacts = problem.device_makes_contacts();
  step.carry = carry(block.device(block.carried));
  if (step.assembles) bodies_.add_assembly(arrays_.environments(), &step);
  if (step.makes_contacts) {
    bodies_.add_contacts(arrays_.environments(), problem.options(), &block, &step);
    if (!may_lack_room(problem) && !bodies_.may_have_pairs()) step.soft.can_be_taken = nullptr;
  }
  if (step.makes_contacts && launcher_ == LoopLauncher::graph)
    step.continues = block.device(block.continues);
  step.loop = problem.key(0, static_cast<int>(carried_.size()));
  step.loop.fills_matrix = !step.assembles;
  step.batch = block.device(block.batch);
  step.queue = block.device(block.queue);
  step.ends = block.device(block.control_end);
  step.moments = block.device(block.moments);
  return step;
}

/// Decides which environments advance on the device.
/// @return number of environments that do not start from their last solution
template <class Precision>
std::size_t DeviceLoop<Precision>::choose_advances(LoopProblem<Precision>* problem) {
  const std::size_t n_env = problem->environments().size();
  if (!problem->problem().soft.empty()) bodies_.gather(problem->laid_out());
  carried_.resize(n_env);
  std::size_t n_other = 0;
  for (std::size_t e = 0; e < n_env; ++e)
    n_other += problem->changes().starts_from_solution[e] != 0 ? 0 : 1;
  // The host may not know the start of device-resident environments.
  uploads_all_starts_ = !any_on_device(problem->problem()) && are_many(n_other, n_env);
  advances_ = false;
  for (std::size_t e = 0; e < n_env; ++e) {
    const int env = static_cast<int>(e);
    Carried& c = carried_[e];
    c.advances = !problem->problem().soft.empty() && bodies_.advances(env) ? 1 : 0;
    c.from_solution =
        !uploads_all_starts_ && problem->changes().starts_from_solution[env] != 0 ? 1 : 0;
    c.control = problem->changes().control_start[env];
    c.knows_w = problem->changes().knows_w[env] != 0 ? 1 : 0;
    advances_ = advances_ || c.advances != 0;
  }
  return n_other;
}

/// Same, and advances to the end of the last step while its data are on the device. A step that is
/// launched as a whole includes this.
template <class Precision>
void DeviceLoop<Precision>::carry_state(LoopProblem<Precision>* problem) {
  const std::size_t n_other = choose_advances(problem);
  if (!advances_ || (problem->device_makes_contacts() && n_other == 0)) return;
  device_carried_.assign(carried_, stream_.get());
  advance_on_device(carry(device_carried_.data()), queue());
  advances_ = false;
  mark_advanced();
}

/// Notes that the nodes have advanced to the end of the last step.
template <class Precision>
void DeviceLoop<Precision>::mark_advanced() {
  for (Carried& c : carried_) c.advances = 0;
}

template <class Precision>
void DeviceLoop<Precision>::upload(LoopProblem<Precision>* problem) {
  const DeviceStream stream = stream_.get();
  const ContactProblem& p = problem->problem();
  const bool new_rows = problem->changes().new_rows,
             device_makes_contacts = problem->device_makes_contacts();
  carry_state(problem);
  arrays_.upload(problem, stream);
  arrays_.upload_start(problem, uploads_all_starts_, stream);
  arrays_.upload_matrix(p, stream);
  if (p.soft.empty())
    bodies_.clear_rows();
  else
    bodies_.upload_rows(problem->laid_out(), stream);
  if (new_rows) bodies_.clear_contacts();
  if (device_makes_contacts) bodies_.reserve_contacts(problem->laid_out(), stream);
  now_ = &steps_[device_makes_contacts ? 1 : 0];
  const bool fresh = now_->block.lay_out(step_sizes(*problem), stream);
  now_->block.select_page(static_cast<std::size_t>(ring_.page(0)));
  if (device_makes_contacts)
    bodies_.upload_contacts(problem->laid_out(), &now_->block, problem->pair_rooms(), queue());
  arrays_.upload_environments(*problem, stream);
  if (!new_rows) arrays_.upload_power(*problem, stream);
  if (new_rows) first_row_of_A_.assign(p.env_node_begin, stream);
  device_solutions_.resize(3 * static_cast<std::size_t>(p.env_node_begin.back()), stream);
  work_.resize(static_cast<std::size_t>(problem->ranges().back().first_row / kBlockLanes), stream);
  upload_block(*problem, fresh);
}

template <class Precision>
StepSizes DeviceLoop<Precision>::step_sizes(const LoopProblem<Precision>& problem) const {
  StepSizes sizes;
  sizes.n_env = problem.environments().size();
  if (problem.device_makes_contacts()) bodies_.add_sizes(&sizes);
  return sizes;
}

/// Writes the initial queue and the batch to the block, with the poses of the last upload.
template <class Precision>
void DeviceLoop<Precision>::put_block(const LoopProblem<Precision>& problem) {
  StepBlock<Precision>& block = now_->block;
  const auto n_env = static_cast<int>(carried_.size());
  *block.host(block.continues) = 1;
  *block.host(block.queue) = waiting_queue(problem.options(), n_env, n_env);
  *block.host(block.batch) = {problem.options(),      n_env,        n_env,
                              arrays_.environments(), work_.data(), block.device(block.queue)};
  block.repeat_poses();
}

/// Uploads the block with carried states and changed poses.
template <class Precision>
void DeviceLoop<Precision>::upload_block(const LoopProblem<Precision>& problem, bool fresh) {
  StepBlock<Precision>& block = now_->block;
  put_block(problem);
  std::copy(carried_.begin(), carried_.end(), block.host(block.carried));
  const bool new_poses =
      problem.device_makes_contacts() && bodies_.put_poses(problem.problem(), fresh, &block);
  block.upload(false, new_poses, stream_.get());
}

/// Grows the arrays if the contacts did not fit, and prepares another launch of the step.
/// @return false if they fit
template <class Precision>
bool DeviceLoop<Precision>::make_room(LoopProblem<Precision>* problem) {
  StepBlock<Precision>& block = now_->block;
  if (!may_lack_room(*problem) || block.host(block.gates)->can_be_taken != 0) return false;
  const DeviceStream stream = stream_.get();
  const std::int32_t* asked = block.host(block.n_multi_contact);
  std::vector<std::int32_t> room;
  bool fits = true;
  for (std::size_t e = 0; e < carried_.size(); ++e) {
    const LoopRange& range = problem->ranges()[e];
    const std::int32_t has = range.first_coupled_slot - range.first_contact_node_row;
    fits = fits && asked[e] <= has;
    const std::int32_t slices = (asked[e] + asked[e] / 2) / kSliceRows + 1;
    room.push_back(asked[e] <= has ? has : slices * kSliceRows);
  }
  if (fits) throw RuntimeError(std::string(kWhat) + ": contacts that have room were not placed");
  problem->make_multi_contact_room(std::move(room));
  launch_as(kWhat, launcher_, stream, [&] {
    arrays_.grow(*problem, stream);
    arrays_.upload_environments(*problem, stream);
    bodies_.move_contacts(problem->laid_out(), &block, stream);
    mark_advanced();
    upload_block(*problem, false);
  });
  return true;
}

/// Reads the report of a step that has ended. If the host made the contacts, downloads solutions.
template <class Precision>
void DeviceLoop<Precision>::read_report(LoopProblem<Precision>* problem) {
  StepBlock<Precision>& block = now_->block;
  auto& host = problem->arrays();
  const ControlEnd* ends = block.host(block.control_end);
  for (std::size_t e = 0; e < carried_.size(); ++e) ends[e].put(&host.control[e]);
  if (problem->device_makes_contacts()) {
    bodies_.take_report(&block);
    if (bodies_.may_have_pairs()) problem->take_pairs(block.host(block.pairs));
    return;
  }
  const EnvironmentRange all{0, static_cast<int>(carried_.size())};
  fetches_.add(host.lambda.data(), arrays_.lambda(), host.lambda.size() * sizeof(Real),
               stream_.get());
  fetch_solutions(*problem, all, stream_.get());
  fetches_.take(kWhat, stream_.get());
  advance_here(*problem, all);
}

/// Begins a download into solutions().
template <class Precision>
void DeviceLoop<Precision>::fetch_solutions(const LoopProblem<Precision>& problem,
                                            EnvironmentRange range, DeviceStream stream) {
  const std::vector<std::int32_t>& first_row = problem.problem().env_node_begin;
  int most_rows = 0;
  for (int e = range.begin; e < range.end; ++e)
    most_rows = std::max(most_rows, arrays_.on_host()[e].n_row);
  take_solutions_on_device<Precision>({{std::max(1, item_count(most_rows))},
                                       arrays_.environments() + range.begin,
                                       first_row_of_A_.data() + range.begin,
                                       device_solutions_.data()},
                                      range.end - range.begin, stream);
  solutions_.resize(device_solutions_.size());
  const std::size_t first = 3 * static_cast<std::size_t>(first_row[range.begin]),
                    end = 3 * static_cast<std::size_t>(first_row[range.end]);
  fetches_.add(solutions_.data() + first, device_solutions_.data() + first,
               sizeof(Real) * (end - first), stream);
}

/// Advances the host's states to the end of the step with solutions().
template <class Precision>
void DeviceLoop<Precision>::advance_here(const LoopProblem<Precision>& problem,
                                         EnvironmentRange range) {
  if (problem.problem().soft.empty()) return;
  bodies_.advance_host(problem.problem(), range, [&](int e, std::int32_t node) {
    const std::int64_t row =
        std::int64_t{problem.problem().env_node_begin[static_cast<std::size_t>(e)]} +
        problem.rows().local_row(node);
    const Real* v = solutions_.data() + 3 * row;
    return cast<double>(Vec3<Real>{v[0], v[1], v[2]});
  });
}

template <class Precision>
void DeviceLoop<Precision>::begin_download(const LoopProblem<Precision>& problem,
                                           const std::vector<EnvironmentRange>& ranges) {
  const DeviceScope scope(device_);
  const DeviceStream stream = download_stream_.get();
  fetches_.drop();
  begun_ = ranges;
  launch_as(kWhat, launcher_, stream, [&] {
    for (const EnvironmentRange& range : ranges) fetch_solutions(problem, range, stream);
    bodies_.begin_download(ranges, is_rejected_, &fetches_, queue_of(launcher_, stream));
  });
}

template <class Precision>
std::vector<EnvironmentRange> DeviceLoop<Precision>::end_download(
    const LoopProblem<Precision>& problem, DeviceSolution* out) {
  const DeviceScope scope(device_);
  std::vector<EnvironmentRange> ranges = std::exchange(begun_, {});
  launch_as(kWhat, launcher_, download_stream_.get(),
            [&] { fetches_.take(kWhat, download_stream_.get()); });
  out->contacts.resize(arrays_.on_host().size());
  bodies_.end_download(problem.problem(), ranges, is_rejected_, &out->contacts, &out->start_x,
                       &out->start_v);
  for (const EnvironmentRange& range : ranges)
    if (!is_rejected_) advance_here(problem, range);
  return ranges;
}

template <class Precision>
DeviceNodes DeviceLoop<Precision>::gather(const WantedNodes& wanted) {
  const DeviceScope scope(device_);
  const std::size_t n_value = 3 * wanted.part.size() * static_cast<std::size_t>(wanted.n_node);
  DeviceNodes nodes{device_, DeviceBuffer<double>(n_value)};
  launch_as(kWhat, launcher_, stream_.get(), [&] {
    gather_.run(wanted, bodies_, arrays_.environments(), arrays_.on_host(), queue(),
                nodes.values.data());
  });
  synchronize_loop(kWhat, stream_.get());
  return nodes;
}

template <class Precision>
void DeviceLoop<Precision>::download_state(LoopProblem<Precision>* problem, int begin,
                                           int end) const {
  const DeviceScope scope(device_);
  arrays_.download_state(problem, begin, end, stream_.get());
}

template class DeviceLoop<DoublePrecision>;
template class DeviceLoop<MixedPrecision>;
template class DeviceLoop<FloatPrecision>;

}  // namespace nodia
