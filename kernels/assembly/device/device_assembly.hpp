/// The assembly of A and b on the device; host code without CUDA types.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/assembly/assemble.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/stream.hpp"

namespace nodia {

class DeviceAssembly {
 public:
  /// Copies the fixed data to the device.
  /// @param host     pointers to host memory, not used afterwards
  /// @throws RuntimeError without a device
  explicit DeviceAssembly(const AssemblyView& host);

  /// Arrays of one step, in device memory. Vectors of nodes lie as kernels/launch/memory.hpp says.
  struct Arrays {
    const double* x = nullptr;               ///< positions [m]
    const double* v = nullptr;               ///< velocities [m/s]
    const double* external_force = nullptr;  ///< [N]; may be null
    const double* extra_diagonal = nullptr;  ///< [n_node] [kg/s]; may be null
    double* value = nullptr;                 ///< out: A, layout of block_csr.hpp [kg/s]
    double* b = nullptr;                     ///< out: right-hand side without contacts [N]
    double* elastic_force = nullptr;         ///< out: [N]; may be null
  };
  /// A and b of a step, as kernels/assembly/assemble_row.hpp defines them; returns without waiting.
  void assemble(const TimeStep& step, Vec3d gravity_m_s2, const Arrays& arrays,
                DeviceStream stream = nullptr);

  /// The fixed data, in device memory.
  const AssemblyView& view() const { return view_; }

 private:
  void launch(const EvaluateTets& tets, const AssembleRows& rows, DeviceStream stream);

  AssemblyView view_;
  std::vector<DeviceBuffer<std::byte>> arrays_;  ///< of view_
  DeviceBuffer<double> corner_data_;
};

}  // namespace nodia
