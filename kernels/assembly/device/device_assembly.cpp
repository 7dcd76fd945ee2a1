#include "kernels/assembly/device/device_assembly.hpp"

namespace nodia {

DeviceAssembly::DeviceAssembly(const AssemblyView& host)
    : slice_(host.slice, slice_count(host.n_tet)),
      body_(host.body, host.n_body),
      mass_(host.mass, host.n_node),
      node_body_(host.node_body, host.n_node),
      row_begin_(host.row_begin, host.n_node + 1),
      diagonal_(host.diagonal, host.n_node),
      mirror_(host.mirror, host.n_block),
      corner_begin_(host.corner_begin, host.n_node + 1),
      corner_(host.corner, 4 * static_cast<std::size_t>(host.n_tet)),
      coupling_begin_(host.coupling_begin, host.n_block + 1),
      coupling_(host.coupling, 6 * static_cast<std::size_t>(host.n_tet)),
      corner_data_(static_cast<std::size_t>(kSliceScalars) * slice_count(host.n_tet)) {
  sizes_.n_node = host.n_node;
  sizes_.n_tet = host.n_tet;
  sizes_.n_block = host.n_block;
  sizes_.n_body = host.n_body;
}

AssemblyView DeviceAssembly::view() const {
  AssemblyView v = sizes_;
  v.slice = slice_.data();
  v.body = body_.data();
  v.node_body = node_body_.data();
  v.mass = mass_.data();
  v.row_begin = row_begin_.data();
  v.diagonal = diagonal_.data();
  v.mirror = mirror_.data();
  v.corner_begin = corner_begin_.data();
  v.corner = corner_.data();
  v.coupling_begin = coupling_begin_.data();
  v.coupling = coupling_.data();
  return v;
}

void DeviceAssembly::assemble(const TimeStep& step, Vec3d gravity_m_s2, const Arrays& arrays,
                              DeviceStream stream) {
  EvaluateTets tets;
  tets.model = view();
  tets.x = arrays.x;
  tets.corner = corner_data_.data();
  AssembleRows rows;
  rows.model = tets.model;
  rows.step = step;
  rows.gravity = gravity_m_s2;
  rows.corner = corner_data_.data();
  rows.v = arrays.v;
  rows.external_force = arrays.external_force;
  rows.extra_diagonal = arrays.extra_diagonal;
  rows.value = arrays.value;
  rows.b = arrays.b;
  rows.elastic_force = arrays.elastic_force;
  launch(tets, rows, stream);
}

}  // namespace nodia
