#include "host/solvers/cond/device_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "kernels/vfpi/device/device_planes.hpp"

namespace nodia {

namespace {
constexpr const char* kWhat = "V-FPI loop";
}  // namespace

template <class Precision>
DeviceLoop<Precision>::DeviceLoop(int device, std::optional<LoopLauncher> loop)
    : device_(device), launcher_(resolve(loop).launcher), stream_([device] {
        const DeviceScope scope(device);
        return OwnedStream(kWhat);
      }()) {}

template <class Precision>
VfpiTimes DeviceLoop<Precision>::run(LoopProblem<Precision>* problem) {
  const DeviceScope scope(device_);
  upload(problem);
  const auto n_env = static_cast<int>(problem->environments().size());
  ScheduleKey key = problem->key(0, n_env);
  key.fills_matrix = !problem->has_sources();
  start_on_device(carry(), stream_.get());
  if (problem->has_sources()) assemble();
  const VfpiTimes times = vfpi_.run(launcher_, stream_.get(), key, batch_.data(), queue_.data(),
                                    static_cast<int>(work_.size()));
  const LoopCondition ended = queue_.download(stream_.get()).front().loop;
  if (ended.running != 0)
    throw RuntimeError(fmt::format(
        "{}: the device has not decided after {} tests, {} iterations apart (max_iterations = {})",
        kWhat, ended.n_body, problem->options().check_every, problem->options().max_iterations));
  download(problem);
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
  return c;
}

/// The end of the last step, while what it was solved with is there.
template <class Precision>
void DeviceLoop<Precision>::carry_state(LoopProblem<Precision>* problem) {
  const std::size_t n_env = problem->environments().size();
  if (problem->has_sources()) soft_rows_.gather(problem->problem(), problem->rows());
  bool any = false;
  carried_on_host_.resize(n_env);
  for (std::size_t e = 0; e < n_env; ++e) {
    Carried& c = carried_on_host_[e];
    c.advances = problem->has_sources() && soft_rows_.advances(static_cast<int>(e)) ? 1 : 0;
    any = any || c.advances != 0;
  }
  if (!any) return;
  carried_.assign(carried_on_host_, stream_.get());
  advance_on_device(carry(), stream_.get());
}

/// The starting velocities of all environments, or of those that do not go on from their last
/// answer.
template <class Precision>
void DeviceLoop<Precision>::upload_start(LoopProblem<Precision>* problem) {
  const DeviceStream stream = stream_.get();
  const std::size_t n_env = problem->environments().size();
  std::size_t n_other = 0;
  for (std::size_t e = 0; e < n_env; ++e)
    n_other += problem->starts_from_answer(static_cast<int>(e)) ? 0 : 1;
  const bool all = are_many(n_other, n_env);
  for (std::size_t e = 0; e < n_env; ++e) {
    const bool goes_on = !all && problem->starts_from_answer(static_cast<int>(e));
    carried_on_host_[e].start = goes_on ? carried_on_host_[e].answer : 0;
    const LoopRange& range = problem->ranges()[e];
    if (!all && !goes_on)
      copy_to_device(arrays_.node[0].data() + kNodeStride * range.first_row,
                     problem->environments()[e].node[0], node_bytes(range), stream);
  }
  if (all) arrays_.node[0].upload(problem->arrays().node[0], stream);
  carried_.assign(carried_on_host_, stream);
}

template <class Precision>
void DeviceLoop<Precision>::upload(LoopProblem<Precision>* problem) {
  const DeviceStream stream = stream_.get();
  auto& host = problem->arrays();
  const bool new_rows = problem->new_rows(), has_sources = problem->has_sources();
  carry_state(problem);
  LoopArrays<Precision, HostMemory>::each(
      [&](const auto& field, const auto& from, auto& to) {
        if (new_rows)
          to.renew(from.size(), stream);
        else
          to.resize(from.size(), stream);
        if (field.written == Written::every_problem ||
            (field.written == Written::assembled && !has_sources) ||
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

  std::vector<VfpiEnvironment<Precision>> env;
  int n_chunk = 0;
  most_chunks_ = 0;
  for (std::size_t e = 0; e < problem->environments().size(); ++e) {
    const VfpiEnvironment<Precision>& on_host = problem->environments()[e];
    env.push_back(environment_of(&arrays_, problem->ranges()[e], block_value_.data()));
    static_cast<EnvironmentFacts&>(env.back()) = on_host;
    n_chunk += on_host.n_chunk;
    most_chunks_ = std::max(most_chunks_, on_host.n_chunk);
    if (!new_rows && problem->new_power_vector(static_cast<int>(e)))
      copy_to_device(env.back().power, on_host.power, node_bytes(on_host), stream);
  }
  env_.assign(env, stream);
  work_.resize(static_cast<std::size_t>(n_chunk), stream);
  active_.resize(env.size(), stream);
  const auto n_env = static_cast<int>(env.size());
  queue_.assign(std::array{waiting_queue(problem->options(), n_env, n_env)}, stream);
  batch_.assign(std::array{VfpiBatch<Precision>{problem->options(), n_env, n_env, env_.data(),
                                                work_.data(), active_.data(), queue_.data()}},
                stream);
}

template <class Precision>
void DeviceLoop<Precision>::assemble() {
  assemble_planes_on_device(soft_rows_.assembly<Precision>(env_.data()), stream_.get());
  if (launcher_ == LoopLauncher::checked)
    synchronize_device("assembly into the planes", stream_.get());
}

template <class Precision>
void DeviceLoop<Precision>::download(LoopProblem<Precision>* problem) {
  const DeviceStream stream = stream_.get();
  auto& host = problem->arrays();
  copy_to_host(host.control.data(), arrays_.control.data(),
               host.control.size() * sizeof(VfpiControl), stream);
  copy_to_host(host.lambda.data(), arrays_.lambda.data(), host.lambda.size() * sizeof(Real),
               stream);
  for (std::size_t e = 0; e < problem->environments().size(); ++e) {
    const LoopRange& range = problem->ranges()[e];
    const int answer = host.control[e].answer;
    copy_to_host(problem->environments()[e].node[answer],
                 arrays_.node[answer].data() + kNodeStride * range.first_row, node_bytes(range),
                 stream);
    carried_on_host_[e].answer = answer;
  }
  if (!problem->has_sources()) return;
  soft_rows_.advance(problem->problem(), [&](int e, std::int32_t node) {
    const VfpiEnvironment<Precision>& env = problem->environments()[static_cast<std::size_t>(e)];
    const Real* v = env.node[carried_on_host_[static_cast<std::size_t>(e)].answer];
    return cast<double>(load_state<Real>(env, v, problem->rows().local_row(node), DirectMemory{}));
  });
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
