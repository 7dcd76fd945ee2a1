/// Answers of a batch, gathered on the device.
#pragma once

#include "kernels/device/stream.hpp"
#include "kernels/step/gather_nodes.hpp"
#include "kernels/step/soft_contacts.hpp"
#include "kernels/vfpi/control_ends.hpp"
#include "kernels/vfpi/take_answers.hpp"

namespace nodia {

/// @param kernel  over device memory
/// @throws RuntimeError where the device fails
template <class Precision>
void take_answers_on_device(const TakeAnswers<Precision>& kernel, int n_env, DeviceStream stream);
/// Returns without waiting, unless the queue waits for its kernels; likewise below.
/// @param control, end  [n_env] in device memory
/// @throws RuntimeError where the device fails
void take_ends_on_device(const VfpiControl* control, ControlEnd* end, int n_env, DeviceQueue queue);
/// @param goes_on  of TellWhetherItGoesOn, in device memory
template <class Precision>
void tell_whether_it_goes_on_on_device(const SoftStepBatch<Precision>& batch, std::int32_t* goes_on,
                                       DeviceQueue queue);
/// @param kernel  over device memory, n_chunk included
/// @throws RuntimeError where the device fails
template <class Precision>
void gather_nodes_on_device(const GatherNodes<Precision>& kernel, int n_part, DeviceQueue queue);

}  // namespace nodia
