#include "kernels/device/device_assembly.hpp"

#include "kernels/assembly/assemble.hpp"
#include "kernels/device/device_launcher.cuh"

namespace nodia {

void DeviceAssembly::assemble(const AssemblyStep& step, Vec3d gravity_m_s2, const Arrays& arrays,
                              DeviceStream stream) {
  const AssemblyView model = view();
  AssembleRows rows;
  rows.model = model;
  rows.step = step;
  rows.gravity = gravity_m_s2;
  rows.corner = corner_data_.data();
  rows.v = arrays.v;
  rows.external_force = arrays.external_force;
  rows.extra_diagonal = arrays.extra_diagonal;
  rows.value = arrays.value;
  rows.b = arrays.b;
  rows.elastic_force = arrays.elastic_force;
  launch_assembly(DeviceLauncher(stream), EvaluateTets{model, arrays.x, corner_data_.data()}, rows);
}

}  // namespace nodia
