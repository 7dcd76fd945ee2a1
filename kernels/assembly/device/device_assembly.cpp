#include "kernels/assembly/device/device_assembly.hpp"

namespace nodia {

DeviceAssembly::DeviceAssembly(const AssemblyView& host)
    : view_(host), corner_data_(static_cast<std::size_t>(kSliceScalars) * slice_count(host.n_tet)) {
  for_each_array(&view_, [&]<class T>(const T*& array, std::size_t size) {
    arrays_.emplace_back(reinterpret_cast<const std::byte*>(array), size * sizeof(T));
    array = reinterpret_cast<const T*>(arrays_.back().data());
  });
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
