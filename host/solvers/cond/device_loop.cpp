#include "host/solvers/cond/device_loop.hpp"

#include <fmt/format.h>

#include <array>

#include "kernels/core/error.hpp"

namespace nodia {

template <class Precision>
VfpiTimes DeviceLoop<Precision>::run(LoopProblem<Precision>* problem) {
  upload(problem);
  const auto n_env = static_cast<int>(problem->environments().size());
  const VfpiTimes times = graph_.run(problem->plan(0, n_env), batch_.data(), queue_.data(),
                                     static_cast<int>(work_.size()));
  const LoopCondition ended = queue_.download().front().loop;
  if (ended.running != 0)
    throw RuntimeError(fmt::format(
        "V-FPI loop: the device has not decided after {} tests, {} iterations apart "
        "(max_iterations = {})",
        ended.n_body, problem->options().check_every, problem->options().max_iterations));
  download(problem);
  return times;
}

template <class Precision>
void DeviceLoop<Precision>::upload(LoopProblem<Precision>* problem) {
  const RowLayout& rows = problem->rows();
  const ContactLayout& contacts = problem->contacts();
  auto& host = problem->arrays();
  if (problem->new_rows()) {
    arrays_ = {};
    arrays_.resize_rows(rows, is_barzilai_borwein(problem->options().w));
    arrays_.slice_begin.assign(host.slice_begin);
    arrays_.column.assign(host.column);
    arrays_.block.assign(host.block);
    arrays_.w.assign(host.w);
  }
  const TieLayout& ties = problem->ties();
  arrays_.resize_slots(rows, contacts, ties);
  arrays_.b.upload(host.b);
  arrays_.inverse_mass.upload(host.inverse_mass);
  arrays_.contact_slice.assign(host.contact_slice);
  arrays_.rare_begin.assign(host.rare_begin);
  arrays_.rare.assign(host.rare);
  arrays_.coupled_row.assign(host.coupled_row);
  arrays_.coupled_begin.assign(host.coupled_begin);
  arrays_.coupled_entry.assign(host.coupled_entry);
  arrays_.coupled_count.assign(host.coupled_count);
  arrays_.contact_plane.upload(host.contact_plane);
  arrays_.contact.upload(host.contact);
  arrays_.compliance.upload(host.compliance);
  arrays_.lambda.upload(host.lambda);
  arrays_.control.upload(host.control);
  arrays_.tie_begin.assign(host.tie_begin);
  arrays_.tie_row.assign(host.tie_row);
  arrays_.tied_row.assign(host.tied_row);
  arrays_.tied_begin.assign(host.tied_begin);
  arrays_.tied_part.assign(host.tied_part);
  arrays_.tie_jacobian.assign(host.tie_jacobian);
  arrays_.tie_gain.assign(host.tie_gain);
  arrays_.tie_weight.assign(host.tie_weight);
  arrays_.group_begin.assign(host.group_begin);
  arrays_.group_row.assign(host.group_row);
  arrays_.group_value_begin.assign(host.group_value_begin);
  arrays_.group_block.assign(host.group_block);
  arrays_.group_inverse.assign(host.group_inverse);
  arrays_.chain_begin.assign(host.chain_begin);
  arrays_.chain_row.assign(host.chain_row);
  arrays_.chain_free.assign(host.chain_free);
  arrays_.chain_matrix.assign(host.chain_matrix);
  if (!host.tie_row.empty()) {
    arrays_.softness.upload(host.softness);
    arrays_.phi.upload(host.phi);
    arrays_.bias_lambda.upload(host.bias_lambda);
    arrays_.tied_force.upload(host.tied_force);
  }
  block_value_.assign(problem->block_value());
  // Every role starts from the same velocity.
  arrays_.node[0].upload(host.node[0]);
  for (int k = 1; k < 4; ++k)
    copy_on_device(arrays_.node[k].data(), arrays_.node[0].data(),
                   arrays_.node[0].size() * sizeof(Real));

  std::vector<VfpiEnvironment<Precision>> env;
  int n_chunk = 0;
  for (std::size_t e = 0; e < rows.env.size(); ++e) {
    const VfpiEnvironment<Precision>& on_host = problem->environments()[e];
    env.push_back(arrays_.environment(rows, contacts, ties, static_cast<int>(e)));
    env.back().block_value = block_value_.data();
    env.back().in_phases = on_host.in_phases;
    env.back().several = on_host.several;
    env.back().cancel_bias = on_host.cancel_bias;
    env.back().load = on_host.load;
    env.back().smallest_mass_rate = on_host.smallest_mass_rate;
    n_chunk += on_host.n_chunk;
    if (problem->new_power_vector(static_cast<int>(e)))
      copy_to_device(
          env.back().power, on_host.power,
          sizeof(Real) * kNodeStride * kBlockLanes * static_cast<std::size_t>(on_host.n_chunk));
  }
  env_.assign(env);
  work_.resize(static_cast<std::size_t>(n_chunk));
  active_.resize(env.size());
  const auto n_env = static_cast<int>(env.size());
  queue_.assign(std::array{waiting_queue(problem->options(), n_env, n_env)});
  batch_.assign(std::array{VfpiBatch<Precision>{problem->options(), n_env, n_env, env_.data(),
                                                work_.data(), active_.data(), queue_.data()}});
}

template <class Precision>
void DeviceLoop<Precision>::download(LoopProblem<Precision>* problem) {
  auto& host = problem->arrays();
  copy_to_host(host.control.data(), arrays_.control.data(),
               host.control.size() * sizeof(VfpiControl));
  copy_to_host(host.lambda.data(), arrays_.lambda.data(), host.lambda.size() * sizeof(Real));
  for (std::size_t e = 0; e < problem->rows().env.size(); ++e) {
    const RowRange& range = problem->rows().env[e];
    const int answer = host.control[e].answer;
    copy_to_host(
        problem->environments()[e].node[answer],
        arrays_.node[answer].data() + kNodeStride * range.first_row,
        sizeof(Real) * kNodeStride * kBlockLanes * static_cast<std::size_t>(range.n_chunk));
  }
}

template class DeviceLoop<DoublePrecision>;
template class DeviceLoop<MixedPrecision>;
template class DeviceLoop<FloatPrecision>;

}  // namespace nodia
