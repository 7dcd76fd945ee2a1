#include "host/solvers/cond/device_loop_arrays.hpp"

#include <algorithm>
#include <atomic>
#include <tuple>
#include <type_traits>

#include "host/base/threads.hpp"
#include "kernels/core/same_bits.hpp"

namespace nodia {
namespace {

bool same_facts(const EnvironmentFacts& a, const EnvironmentFacts& b) {
  const auto words = [](const EnvironmentFacts& facts) {
    const auto& [cancels, in_phases, share, contacts, load, rate] = facts;
    return std::tuple(cancels, in_phases, share, contacts, load, rate);
  };
  return words(a) == words(b);
}

/// True if two environments have equal addresses and equal facts of the host.
template <class Precision>
bool same_environment(const VfpiEnvironment<Precision>& a, const VfpiEnvironment<Precision>& b) {
  static_assert(std::has_unique_object_representations_v<LoopCounts>);
  const LoopCounts &counts_a = a, &counts_b = b;
  bool same = same_bits(counts_a, counts_b) && same_facts(a, b) && a.block_value == b.block_value;
  LoopArrays<Precision, Views>::each(
      [&](const auto&, const auto& p, const auto& q) { same = same && p == q; }, a, b);
  return same;
}

}  // namespace

template <class Precision>
void DeviceLoopArrays<Precision>::upload(LoopProblem<Precision>* problem, DeviceStream stream) {
  if (!problem->changes().new_rows) upload_renewed_rows(problem, stream);
  upload_arrays(problem, stream);
  upload_weights(*problem, stream);
}

/// Uploads the arrays that a step changes.
template <class Precision>
void DeviceLoopArrays<Precision>::upload_arrays(LoopProblem<Precision>* problem,
                                                DeviceStream stream) {
  auto& host = problem->arrays();
  const bool new_rows = problem->changes().new_rows, has_sources = !problem->problem().soft.empty(),
             device_makes_contacts = problem->device_makes_contacts();
  const LoopOffsets& end = problem->ranges().back();
  if (!device_makes_contacts) uploaded_parts_.clear();
  std::size_t n_part = 0;
  LoopArrays<Precision, HostMemory>::each(
      [&](const auto& field, const auto& from, auto& to) {
        const bool needed = is_needed(field, problem->needs());
        const std::size_t size = needed ? size_of(field, end) : from.size();
        if (new_rows)
          to.renew(size, stream);
        else
          to.resize(size, stream);
        const bool of_every_problem =
            field.written == Written::every_problem &&
            (!device_makes_contacts ||
             is_changed_part(n_part++, from.data(), from.size() * sizeof(from[0])));
        if (of_every_problem || (field.written == Written::assembled && !has_sources) ||
            (field.written == Written::contacts && !device_makes_contacts) ||
            (field.written == Written::with_rows && new_rows))
          to.upload(from, stream);
      },
      host, arrays_);
}

/// Uploads the lists and values of environments that have new rows, if others keep theirs.
template <class Precision>
void DeviceLoopArrays<Precision>::upload_renewed_rows(LoopProblem<Precision>* problem,
                                                      DeviceStream stream) {
  const std::vector<std::uint8_t>& renewed = problem->changes().renewed;
  if (std::find(renewed.begin(), renewed.end(), 1) == renewed.end()) return;
  auto& host = problem->arrays();
  const LoopRanges& ranges = problem->ranges();
  const auto upload_part = [&](const auto& from, std::int64_t begin, std::int64_t end, auto* to) {
    copy_to_device(to->data() + begin, from.data() + begin,
                   static_cast<std::size_t>(end - begin) * sizeof(*from.data()), stream);
  };
  RowLists<HostMemory>::each(
      [&](const auto& field, const auto& from, auto& to) {
        const auto* const there = to.data();
        to.resize(from.size(), stream);
        const bool keeps = to.data() == there;
        upload_part(from, keeps ? problem->changes().renewed_lists.*field.first * field.length : 0,
                    static_cast<std::int64_t>(from.size()), &to);
      },
      host, arrays_);
  RowValues<Precision, HostMemory>::each(
      [&](const auto& field, const auto& from, auto& to) {
        // Every step writes the blocks, so that growing does not need a copy of the old ones.
        const std::size_t size = size_of(field, ranges.back());
        if (field.first == &RowOffsets::first_block && size > to.size() &&
            is_needed(field, problem->needs()))
          to.renew(size, stream);
        if (field.written != Written::with_rows) return;
        for (std::size_t e = 0; e < renewed.size(); ++e)
          if (renewed[e] != 0)
            upload_part(from, ranges[e].*field.first * field.length,
                        ranges[e + 1].*field.first * field.length, &to);
      },
      host, arrays_);
}

/// Uploads changed weights of the residual's norm of environments that keep their rows.
template <class Precision>
void DeviceLoopArrays<Precision>::upload_weights(const LoopProblem<Precision>& problem,
                                                 DeviceStream stream) {
  for (std::size_t e = 0; e < problem.environments().size(); ++e) {
    if (problem.changes().renewed[e] != 0 || problem.changes().new_weights[e] == 0) continue;
    const LoopRange& range = problem.ranges()[e];
    const std::size_t n = static_cast<std::size_t>(range.n_chunk) * kBlockLanes;
    copy_to_device(arrays_.inverse_mass.data() + range.first_row,
                   problem.environments()[e].inverse_mass, n * sizeof(double), stream);
  }
}

/// True if an array differs from its last upload. While the device makes the contacts, the arrays
/// of every problem rarely change.
template <class Precision>
bool DeviceLoopArrays<Precision>::is_changed_part(std::size_t k, const void* array,
                                                  std::size_t bytes) {
  if (k >= uploaded_parts_.size()) uploaded_parts_.resize(k + 1);
  const auto* begin = static_cast<const std::byte*>(array);
  std::vector<std::byte>& there = uploaded_parts_[k];
  if (std::equal(there.begin(), there.end(), begin, begin + bytes)) return false;
  there.assign(begin, begin + bytes);
  return true;
}

template <class Precision>
void DeviceLoopArrays<Precision>::upload_start(LoopProblem<Precision>* problem, bool all,
                                               DeviceStream stream) {
  if (all) {
    arrays_.node[0].upload(problem->arrays().node[0], stream);
    return;
  }
  for (std::size_t e = 0; e < problem->environments().size(); ++e) {
    if (problem->changes().starts_from_solution[e] != 0) continue;
    const LoopRange& range = problem->ranges()[e];
    const std::size_t bytes =
        sizeof(Real) * kNodeStride * kBlockLanes * static_cast<std::size_t>(range.n_chunk);
    copy_to_device(arrays_.node[0].data() + kNodeStride * range.first_row,
                   problem->environments()[e].node[0], bytes, stream);
  }
}

template <class Precision>
void DeviceLoopArrays<Precision>::upload_matrix(const ContactProblem& problem,
                                                DeviceStream stream) {
  if (problem.soft.empty())
    block_value_.assign(problem.A.value, stream);
  else
    block_value_ = {};
}

template <class Precision>
void DeviceLoopArrays<Precision>::upload_power(const LoopProblem<Precision>& problem,
                                               DeviceStream stream) {
  const LoopRanges& ranges = problem.ranges();
  const auto n_env = static_cast<int>(problem.environments().size());
  for (int e = 0; e < n_env; ++e) {
    if (problem.changes().new_power_vector[e] == 0) continue;
    const int begin = e;
    while (e < n_env && problem.changes().new_power_vector[e] != 0) ++e;
    const std::int64_t first = kNodeStride * ranges[begin].first_row;
    copy_to_device(arrays_.power.data() + first, problem.environments()[begin].power,
                   sizeof(Real) * (kNodeStride * ranges[e].first_row - first), stream);
  }
}

template <class Precision>
void DeviceLoopArrays<Precision>::upload_environments(const LoopProblem<Precision>& problem,
                                                      DeviceStream stream) {
  const auto n_env = static_cast<int>(problem.environments().size());
  // The kernels that make contacts write facts.
  std::atomic<bool> same = host_env_.size() == static_cast<std::size_t>(n_env) &&
                           (!wrote_facts_ || problem.device_makes_contacts());
  wrote_facts_ = problem.device_makes_contacts();
  host_env_.resize(static_cast<std::size_t>(n_env));
  for_each_environment(n_env, 0, [&](int e) {
    VfpiEnvironment<Precision> env =
        environment_of(&arrays_, problem.ranges()[e], block_value_.data());
    static_cast<EnvironmentFacts&>(env) = problem.environments()[e];
    if (!same_environment(env, host_env_[e])) same = false;
    host_env_[e] = env;
  });
  if (same) return;
  most_chunks_ = 0;
  for (const auto& env : host_env_) most_chunks_ = std::max(most_chunks_, env.n_chunk);
  env_.assign(host_env_, stream);
}

template <class Precision>
void DeviceLoopArrays<Precision>::grow(const LoopProblem<Precision>& problem, DeviceStream stream) {
  const LoopOffsets& end = problem.ranges().back();
  LoopArrays<Precision, Owned<DeviceBuffer>>::each(
      [&](const auto& field, auto& array) {
        const std::size_t size = size_of(field, end);
        if (is_needed(field, problem.needs()) && size != array.size()) array.resize(size, stream);
      },
      arrays_);
}

template <class Precision>
void DeviceLoopArrays<Precision>::download_state(LoopProblem<Precision>* problem, int begin,
                                                 int end, DeviceStream stream) const {
  auto& host = problem->arrays();
  const std::int64_t first = problem->ranges()[begin].first_row,
                     n_row = problem->ranges()[end].first_row - first;
  const auto fetch = [&](auto& to, const auto& from, int stride) {
    copy_to_host(to.data() + stride * first, from.data() + stride * first,
                 static_cast<std::size_t>(stride * n_row) * sizeof(*to.data()), stream);
  };
  fetch(host.power, arrays_.power, kNodeStride);
  fetch(host.w, arrays_.w, 1);
  fetch(host.w_unguarded, arrays_.w_unguarded, 1);
}

template class DeviceLoopArrays<DoublePrecision>;
template class DeviceLoopArrays<MixedPrecision>;
template class DeviceLoopArrays<FloatPrecision>;

}  // namespace nodia
