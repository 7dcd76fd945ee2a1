#include "host/solvers/cond/device_loop.hpp"

#include <fmt/format.h>

#include <array>

#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"

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
  const VfpiTimes times = vfpi_.run(launcher_, stream_.get(), problem->key(0, n_env), batch_.data(),
                                    queue_.data(), static_cast<int>(work_.size()));
  const LoopCondition ended = queue_.download(stream_.get()).front().loop;
  if (ended.running != 0)
    throw RuntimeError(fmt::format(
        "{}: the device has not decided after {} tests, {} iterations apart (max_iterations = {})",
        kWhat, ended.n_body, problem->options().check_every, problem->options().max_iterations));
  download(problem);
  return times;
}

template <class Precision>
void DeviceLoop<Precision>::upload(LoopProblem<Precision>* problem) {
  const DeviceStream stream = stream_.get();
  auto& host = problem->arrays();
  const bool new_rows = problem->new_rows();
  LoopArrays<Precision, HostMemory>::each(
      [&](const auto& field, const auto& from, auto& to) {
        if (new_rows)
          to.renew(from.size(), stream);
        else
          to.resize(from.size(), stream);
        if (field.written == Written::every_problem ||
            (field.written == Written::with_rows && new_rows))
          to.upload(from, stream);
      },
      host, arrays_);
  // Every role starts from the same velocity.
  for (int k = 1; k < 4; ++k)
    copy_on_device(arrays_.node[k].data(), arrays_.node[0].data(),
                   arrays_.node[0].size() * sizeof(Real), stream);
  block_value_.assign(problem->block_value(), stream);

  std::vector<VfpiEnvironment<Precision>> env;
  int n_chunk = 0;
  for (std::size_t e = 0; e < problem->environments().size(); ++e) {
    const VfpiEnvironment<Precision>& on_host = problem->environments()[e];
    env.push_back(environment_of(&arrays_, problem->ranges()[e], block_value_.data()));
    static_cast<EnvironmentFacts&>(env.back()) = on_host;
    n_chunk += on_host.n_chunk;
    if (!new_rows && problem->new_power_vector(static_cast<int>(e)))
      copy_to_device(
          env.back().power, on_host.power,
          sizeof(Real) * kNodeStride * kBlockLanes * static_cast<std::size_t>(on_host.n_chunk),
          stream);
  }
  env_.assign(env, stream);
  work_.resize(static_cast<std::size_t>(n_chunk), stream);
  const auto n_env = static_cast<int>(env.size());
  queue_.assign(std::array{waiting_queue(problem->options(), n_env, n_env)}, stream);
  batch_.assign(std::array{VfpiBatch<Precision>{problem->options(), n_env, n_env, env_.data(),
                                                work_.data(), queue_.data()}},
                stream);
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
                 arrays_.node[answer].data() + kNodeStride * range.first_row,
                 sizeof(Real) * kNodeStride * kBlockLanes * static_cast<std::size_t>(range.n_chunk),
                 stream);
  }
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
