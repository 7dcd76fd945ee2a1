/// Soft rows of a problem's environments on a device: constant data and uploads per step.
#pragma once

#include <memory>
#include <vector>

#include "host/step/device_attachments.hpp"
#include "host/step/soft_input.hpp"
#include "kernels/core/node_quantity.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/device_fetches.hpp"
#include "kernels/device/shared_arrays.hpp"
#include "kernels/step/assemble_planes.hpp"

namespace nodia {

/// Returns whether one copy of the whole array is faster than n copies of environments' parts.
inline bool are_many(std::size_t n, std::size_t n_env) {
  return 8 * n > n_env;
}

class DeviceSoftRows {
 public:
  /// Takes a step's input from the host. @param problem  with its sources
  void gather(const ContactProblem& problem, const RowLayout& rows);
  /// Returns whether the device advances an environment's nodes to the end of the last step.
  bool advances(int env) const;
  /// Environments of the last step, in device memory.
  const SoftRows* environments() const { return soft_.data(); }
  /// Environments of the last step, on the host.
  const std::vector<SoftRows>& on_host() const { return soft_on_host_; }
  const DeviceAttachments& attachments() const { return attachments_; }
  /// Uploads the step; constant data only if they have changed.
  /// @param renewed  per environment, 1: its layout was made for this problem
  void upload(const ContactProblem& problem, const RowLayout& rows,
              const std::vector<std::uint8_t>& renewed, DeviceStream stream);
  /// Downloads start-of-step states of environments [begin, end) that the host lacks.
  void take_starts(int begin, int end, DeviceFetches* fetches, DeviceStream stream);
  /// Writes downloaded start-of-step states; undefined values for inactive environments.
  /// @param x, v  output, one value per row of A
  void put_starts(const ContactProblem& problem, int begin, int end, std::vector<Vec3d>* x,
                  std::vector<Vec3d>* v) const;
  /// Runs after the solve. @param begin, end, v_hat  as in SoftInput::advance
  template <class Solution>
  void advance(const ContactProblem& problem, int begin, int end, const Solution& v_hat) {
    input_.advance(problem, begin, end, v_hat);
  }
  /// Returns whether nodes at the end of the last step have the same bits on device and host.
  /// @param first, n  nodes of the environment
  /// @param values    the host's values [n]
  bool has_end(int env, std::int32_t first, int n, NodeQuantity quantity,
               const Vec3d* values) const;
  /// Kernels' view of the uploaded data. @param env  in device memory
  template <class Precision>
  PlanesAssembly<Precision> assembly(const VfpiEnvironment<Precision>* env) const {
    PlanesAssembly<Precision> a;
    static_cast<PlanesAssemblySizes&>(a) = sizes_;
    a.env = env;
    a.soft = soft_.data();
    a.targets = attachments_.targets();
    a.external_force = placed_.data();
    a.sent = sent_.data();
    a.value = value_.data();
    return a;
  }

 private:
  /// Constant data of an environment.
  struct Fixed {
    std::shared_ptr<const void> source;               ///< TetModel::fixed_data
    AssemblyView model;                               ///< in device memory
    std::vector<std::shared_ptr<const void>> arrays;  ///< arrays of `model`
    std::shared_ptr<const std::int32_t> node;         ///< SoftRows::node
    std::int32_t n_row = 0;
  };

  void fix_model(const SoftSource& source, Fixed* fixed, DeviceStream stream);
  void fix_rows(const RowLayout& rows, int env, Fixed* fixed, DeviceStream stream);
  void upload_states(DeviceStream stream);

  SharedDeviceArrays arrays_;
  std::vector<Fixed> fixed_;  ///< per environment
  SoftInput input_;
  bool brings_all_states_ = true;  ///< from the host
  PlanesAssemblySizes sizes_;
  std::vector<SoftRows> soft_on_host_;
  DeviceBuffer<SoftRows> soft_;
  DeviceBuffer<Vec3d> x_, v_;
  DeviceBuffer<double> padded_x_, corner_, value_;
  DeviceBuffer<SoftLoad> load_;
  DeviceBuffer<PlacedExternalForce> placed_;
  DeviceAttachments attachments_;
  DeviceBuffer<SentRow> sent_;
};

}  // namespace nodia
