/// Gathers and uploads the soft rows of a problem.
#include "host/step/device_soft_rows.hpp"

#include <algorithm>
#include <cstring>

#include "fem/soft/tet_model.hpp"
#include "kernels/step/device/device_gather_lists.hpp"

namespace nodia {
namespace {

/// First number of the vectors, three per node; null without vectors.
double* first_number(DeviceBuffer<Vec3d>& nodes) {
  return reinterpret_cast<double*>(nodes.data());
}

}  // namespace

void DeviceSoftRows::fix_model(const SoftSource& source, Fixed* fixed, DeviceStream stream) {
  const std::shared_ptr<const void> data = source.model->fixed_data();
  if (fixed->source == data) return;
  Fixed made = *fixed;
  made.source = data;
  made.model = source.model->view();
  made.arrays.clear();
  const auto keep = [&](auto& array, auto held) {
    array = held.get();
    made.arrays.push_back(std::move(held));
  };
  for_each_given_array(&made.model, [&](auto& array, std::size_t size) {
    keep(array, arrays_.get(data, array, size, stream));
  });
  bool any_new = false;
  GatherLists lists;
  for_each_list(&made.model, &lists, [&](auto& array, auto& list, std::size_t size) {
    auto held = arrays_.place(data, array, size, &any_new);
    list = held.get();
    keep(array, std::move(held));
  });
  if (any_new) gather_lists_on_device(made.model, lists, stream);
  *fixed = std::move(made);
}

void DeviceSoftRows::fix_rows(const RowLayout& rows, int env, Fixed* fixed, DeviceStream stream) {
  const auto nodes = std::make_shared<const std::vector<std::int32_t>>(rows.nodes(env));
  fixed->node = arrays_.get(nodes, nodes->data(), nodes->size(), stream);
  fixed->n_row = static_cast<std::int32_t>(nodes->size());
}

void DeviceSoftRows::gather(const ContactProblem& problem, const RowLayout& rows) {
  input_.gather(problem, rows);
  const auto n =
      static_cast<std::size_t>(std::count(input_.state.begin(), input_.state.end(), StateOf::host));
  bool any_elsewhere = false;
  for (std::size_t e = 0; e < input_.state.size(); ++e)
    any_elsewhere = any_elsewhere || input_.is_on_device(e);
  brings_all_states_ =
      x_.size() != input_.x.size() || (!any_elsewhere && are_many(n, input_.state.size()));
}

void DeviceSoftRows::take_starts(int begin, int end, DeviceFetches* fetches, DeviceStream stream) {
  input_.take_starts(begin, end, [&](int first_env, int end_env) {
    const std::int32_t first = input_.first_node[first_env];
    const std::size_t bytes =
        sizeof(Vec3d) * static_cast<std::size_t>(input_.first_node[end_env] - first);
    fetches->add(input_.x.data() + first, x_.data() + first, bytes, stream);
    fetches->add(input_.v.data() + first, v_.data() + first, bytes, stream);
  });
}

void DeviceSoftRows::put_starts(const ContactProblem& p, int begin, int end, std::vector<Vec3d>* x,
                                std::vector<Vec3d>* v) const {
  x->resize(static_cast<std::size_t>(p.n_node()));
  v->resize(x->size());
  for (int e = begin; e < end; ++e) {
    const auto put = [&](const std::vector<Vec3d>& from, std::vector<Vec3d>* to) {
      std::copy(from.begin() + input_.first_node[e], from.begin() + input_.first_node[e + 1],
                to->begin() + p.env_node_begin[e]);
    };
    put(input_.x, x);
    put(input_.v, v);
  }
}

bool DeviceSoftRows::advances(int env) const {
  return !brings_all_states_ && input_.state[static_cast<std::size_t>(env)] == StateOf::last_step;
}

bool DeviceSoftRows::has_end(int env, std::int32_t first, int n, NodeQuantity quantity,
                             const Vec3d* values) const {
  const auto e = static_cast<std::size_t>(env);
  if (e >= input_.host_state.size() || input_.host_state[e] != HostState::end) return false;
  const std::int32_t begin = input_.first_node[e] + first;
  if (begin + n > input_.first_node[e + 1]) return false;
  const std::vector<Vec3d>& own = quantity == NodeQuantity::position ? input_.x : input_.v;
  return std::memcmp(own.data() + begin, values, sizeof(Vec3d) * static_cast<std::size_t>(n)) == 0;
}

void DeviceSoftRows::upload_states(DeviceStream stream) {
  if (brings_all_states_) {
    x_.assign(input_.x, stream);
    v_.assign(input_.v, stream);
    return;
  }
  for (std::size_t e = 0; e < input_.state.size(); ++e) {
    if (input_.state[e] != StateOf::host) continue;
    const std::int32_t first = input_.first_node[e];
    const std::size_t bytes =
        sizeof(Vec3d) * static_cast<std::size_t>(input_.first_node[e + 1] - first);
    copy_to_device(x_.data() + first, input_.x.data() + first, bytes, stream);
    copy_to_device(v_.data() + first, input_.v.data() + first, bytes, stream);
  }
}

void DeviceSoftRows::upload(const ContactProblem& p, const RowLayout& rows,
                            const std::vector<std::uint8_t>& renewed, DeviceStream stream) {
  const auto n_env = static_cast<std::size_t>(p.n_env());
  fixed_.resize(n_env);
  std::size_t n_slice = 0;
  for (std::size_t e = 0; e < n_env; ++e) {
    if (p.soft[e].model != nullptr) fix_model(p.soft[e], &fixed_[e], stream);
    if (renewed[e] != 0 || fixed_[e].node == nullptr)
      fix_rows(rows, static_cast<int>(e), &fixed_[e], stream);
    n_slice += static_cast<std::size_t>(slice_count(fixed_[e].model.n_tet));
  }
  upload_states(stream);
  attachments_.upload(p, &arrays_, stream);
  placed_.assign(input_.external_forces, stream);
  sent_.assign(input_.sent, stream);
  value_.assign(input_.value, stream);
  padded_x_.resize(kNodeStride * input_.x.size(), stream);
  corner_.resize(kSliceScalars * n_slice, stream);
  const bool any_load = attachments_.most_attached_nodes() > 0 || !input_.external_forces.empty();
  load_.resize(any_load ? input_.x.size() : 0, stream);
  device_clear(load_.data(), load_.size() * sizeof(SoftLoad), stream);

  sizes_ = {};
  sizes_.n_env = p.n_env();
  sizes_.n_attached_node = attachments_.most_attached_nodes();
  sizes_.n_external_force = static_cast<int>(input_.external_forces.size());
  sizes_.n_sent = static_cast<int>(input_.sent.size());
  std::vector<SoftRows> soft(n_env);
  double* corner = corner_.data();
  for (std::size_t e = 0; e < n_env; ++e) {
    const SoftSource& source = p.soft[e];
    const Fixed& fixed = fixed_[e];
    SoftRows& s = soft[e];
    if (source.model != nullptr) s.model = fixed.model;
    s.step.step_s = p.step_s;
    s.step.theta = p.theta;
    s.gravity = source.gravity;
    s.n_row = fixed.n_row;
    s.node = fixed.node.get();
    const std::int64_t first = input_.first_node[e];
    s.x = first_number(x_) + 3 * first;
    s.v = first_number(v_) + 3 * first;
    s.padded_x = padded_x_.data() + kNodeStride * first;
    s.corner = corner;
    s.attachments = attachments_.of(source, e);
    if (s.attachments.n_attached_node > 0 || !source.external_forces.empty())
      s.load = load_.data() + first;
    corner += static_cast<std::ptrdiff_t>(kSliceScalars) * slice_count(fixed.model.n_tet);
    sizes_.n_node = std::max(sizes_.n_node, s.model.n_node);
    sizes_.n_tet = std::max(sizes_.n_tet, s.model.n_tet);
    sizes_.n_row = std::max(sizes_.n_row, s.n_row);
  }
  if (soft == soft_on_host_) return;
  soft_.assign(soft, stream);
  soft_on_host_ = std::move(soft);
}

}  // namespace nodia
