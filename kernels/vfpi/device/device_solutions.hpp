/// Functions that gather the solutions and end values of a batch on the device. They are
/// asynchronous unless the queue waits for its kernels, and throw RuntimeError if the device fails.
#pragma once

#include "kernels/device/stream.hpp"
#include "kernels/step/gather_nodes.hpp"
#include "kernels/step/soft_contacts.hpp"
#include "kernels/vfpi/control_ends.hpp"
#include "kernels/vfpi/take_solutions.hpp"

namespace nodia {

/// Gathers the solutions.
/// @param kernel  with pointers into device memory
template <class Precision>
void take_solutions_on_device(const TakeSolutions<Precision>& kernel, int n_env,
                              DeviceStream stream);
/// Gathers the end values of the controls.
/// @param control, end  [n_env] in device memory
void take_ends_on_device(const VfpiControl* control, ControlEnd* end, int n_env, DeviceQueue queue);
/// Decides whether the next step may start.
/// @param continues  result in device memory
template <class Precision>
void report_whether_it_continues_on_device(const SoftStepBatch<Precision>& batch,
                                           std::int32_t* continues, DeviceQueue queue);
/// Gathers nodes of the batch.
/// @param kernel  with pointers into device memory, including n_chunk
template <class Precision>
void gather_nodes_on_device(const GatherNodes<Precision>& kernel, int n_part, DeviceQueue queue);

}  // namespace nodia
