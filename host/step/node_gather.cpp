#include "host/step/node_gather.hpp"

#include <algorithm>
#include <utility>

#include "kernels/vfpi/device/device_solutions.hpp"

namespace nodia {

template <class Precision>
void NodeGather<Precision>::run(const WantedNodes& wanted, const DeviceStep<Precision>& step,
                                const Environment* env, const std::vector<Environment>& on_host,
                                DeviceQueue queue, double* values) {
  const std::size_t n_part = wanted.part.size(), size = 3 * static_cast<std::size_t>(wanted.n_node);
  std::vector<GatheredPart> parts(n_part);
  int most_rows = 0;
  for (std::size_t p = 0; p < n_part; ++p) {
    const WantedNodes::Part& own = wanted.part[p];
    if (own.on_host != nullptr && !step.has_end(wanted, own)) continue;
    parts[p] = {own.env, own.first};
    most_rows = std::max(most_rows, on_host[static_cast<std::size_t>(own.env)].n_row);
  }
  std::vector<Vec3d> uploaded;
  for (std::size_t p = 0; p < n_part; ++p) {
    const std::size_t begin = p;
    uploaded.clear();
    for (; p < n_part && parts[p].first < 0; ++p)
      uploaded.insert(uploaded.end(), wanted.part[p].on_host,
                      wanted.part[p].on_host + wanted.n_node);
    copy_to_device(values + begin * size, uploaded.data(), uploaded.size() * sizeof(Vec3d),
                   queue.stream);
  }
  if (most_rows == 0) return;
  if (parts != uploaded_) {
    part_.assign(parts, queue.stream);
    uploaded_ = std::move(parts);
  }
  GatherNodes<Precision> kernel;
  kernel.n_chunk = item_count(most_rows);
  kernel.env = env;
  kernel.soft = step.environments();
  kernel.part = part_.data();
  kernel.n_node = wanted.n_node;
  kernel.quantity = wanted.quantity;
  kernel.out = values;
  gather_nodes_on_device(kernel, static_cast<int>(n_part), queue);
}

template class NodeGather<DoublePrecision>;
template class NodeGather<MixedPrecision>;
template class NodeGather<FloatPrecision>;

}  // namespace nodia
