/// The arrays of the V-FPI loop in device memory, and the uploads that keep them equal to those of
/// a LoopProblem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/solvers/cond/loop_problem.hpp"
#include "kernels/device/device_buffer.hpp"

namespace nodia {

template <class Precision>
class DeviceLoopArrays {
 public:
  using Real = typename Precision::Real;

  /// Uploads what the problem changed: lists, values and weights of rows, and the arrays of a step.
  /// Uploads neither the start nor the environments.
  void upload(LoopProblem<Precision>* problem, DeviceStream stream);
  /// Uploads the initial velocities of all environments, or of those that do not start from their
  /// last solution.
  void upload_start(LoopProblem<Precision>* problem, bool all, DeviceStream stream);
  /// Uploads the values of A if the device does not assemble them; otherwise frees their memory.
  void upload_matrix(const ContactProblem& problem, DeviceStream stream);
  /// Uploads the initial vectors of power iterations, one copy for consecutive environments.
  void upload_power(const LoopProblem<Precision>& problem, DeviceStream stream);
  /// Uploads the views of the environments if an address or a fact differs. Call it after the
  /// arrays have their sizes.
  void upload_environments(const LoopProblem<Precision>& problem, DeviceStream stream);
  /// Changes the sizes of the arrays to the ranges of the problem. An array that changes its size
  /// loses its contents.
  void grow(const LoopProblem<Precision>& problem, DeviceStream stream);

  /// Environments in device memory.
  VfpiEnvironment<Precision>* environments() { return env_.data(); }
  /// Environments with device addresses, on the host.
  const std::vector<VfpiEnvironment<Precision>>& on_host() const { return host_env_; }
  /// Maximum number of chunks of an environment.
  int most_chunks() const { return most_chunks_; }
  VfpiControl* control() { return arrays_.control.data(); }
  const Real* lambda() const { return arrays_.lambda.data(); }
  /// Downloads the data of LoopState of environments [begin, end) into the problem's arrays.
  void download_state(LoopProblem<Precision>* problem, int begin, int end,
                      DeviceStream stream) const;

 private:
  void upload_renewed_rows(LoopProblem<Precision>* problem, DeviceStream stream);
  void upload_arrays(LoopProblem<Precision>* problem, DeviceStream stream);
  void upload_weights(const LoopProblem<Precision>& problem, DeviceStream stream);
  bool is_changed_part(std::size_t k, const void* array, std::size_t bytes);

  LoopArrays<Precision, Owned<DeviceBuffer>> arrays_;
  DeviceBuffer<double> block_value_;
  DeviceBuffer<VfpiEnvironment<Precision>> env_;
  std::vector<VfpiEnvironment<Precision>> host_env_;
  int most_chunks_ = 0;
  bool wrote_facts_ = false;  ///< the device has written EnvironmentFacts to env_
  /// Last uploads of the arrays Written::every_problem, while the device makes the contacts.
  std::vector<std::vector<std::byte>> uploaded_parts_;
};

}  // namespace nodia
