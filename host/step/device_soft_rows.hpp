/// The soft rows of a problem's environments on a device: what is fixed of their bodies, and what
/// every step brings.
#pragma once

#include <memory>
#include <vector>

#include "host/step/device_soft_holds.hpp"
#include "host/step/soft_input.hpp"
#include "kernels/core/node_quantity.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/device_fetches.hpp"
#include "kernels/device/shared_arrays.hpp"
#include "kernels/step/assemble_planes.hpp"

namespace nodia {

/// Whether so many environments' parts of an array are brought faster as the whole of it.
inline bool are_many(std::size_t n, std::size_t n_env) {
  return 8 * n > n_env;
}

class DeviceSoftRows {
 public:
  /// Takes a step's input from the host. @param problem  with its sources
  void gather(const ContactProblem& problem, const RowLayout& rows);
  /// Whether an environment's nodes, as they are there, go to the end of the last step for it.
  bool advances(int env) const;
  /// Environments of the last step, in device memory.
  const SoftRows* environments() const { return soft_.data(); }
  /// The same, on the host.
  const std::vector<SoftRows>& on_host() const { return soft_on_host_; }
  const DeviceSoftHolds& holds() const { return holds_; }
  /// Brings the step there; what is fixed only where it is another than before.
  /// @param renewed  per environment, 1: its layout was made for this problem
  void upload(const ContactProblem& problem, const RowLayout& rows,
              const std::vector<std::uint8_t>& renewed, DeviceStream stream);
  /// Brings states of environments [begin, end) at the start of the step that the host has not got.
  void take_starts(int begin, int end, DeviceFetches* fetches, DeviceStream stream);
  /// Where their step began, once they are taken; of environments that rest, anything.
  /// @param x, v  out, a value a row of A
  void put_starts(const ContactProblem& problem, int begin, int end, std::vector<Vec3d>* x,
                  std::vector<Vec3d>* v) const;
  /// Once the problem is solved. @param begin, end, v_hat  as SoftInput::advance
  template <class Answer>
  void advance(const ContactProblem& problem, int begin, int end, const Answer& v_hat) {
    input_.advance(problem, begin, end, v_hat);
  }
  /// Whether nodes at the end of the last step, as they are there, have the bits of the host's.
  /// @param first, n  nodes of the environment
  /// @param values    the host's, [n]
  bool has_end(int env, std::int32_t first, int n, NodeQuantity quantity,
               const Vec3d* values) const;
  /// Of what was uploaded. @param env  in device memory
  template <class Precision>
  PlanesAssembly<Precision> assembly(const VfpiEnvironment<Precision>* env) const {
    PlanesAssembly<Precision> a;
    static_cast<PlanesAssemblySizes&>(a) = sizes_;
    a.env = env;
    a.soft = soft_.data();
    a.targets = holds_.targets();
    a.push = placed_.data();
    a.sent = sent_.data();
    a.value = value_.data();
    return a;
  }

 private:
  /// What is fixed of an environment.
  struct Fixed {
    std::shared_ptr<const void> source;               ///< TetModel::fixed_data
    AssemblyView model;                               ///< in device memory
    std::vector<std::shared_ptr<const void>> arrays;  ///< its
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
  DeviceBuffer<PlacedPush> placed_;
  DeviceSoftHolds holds_;
  DeviceBuffer<SentRow> sent_;
};

}  // namespace nodia
