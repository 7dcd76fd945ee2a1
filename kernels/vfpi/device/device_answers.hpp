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
/// Returns without waiting, but where it is checked: then a fault is told with the kernel's name.
/// @param control, end  [n_env] in device memory
/// @throws RuntimeError where the device fails
void take_ends_on_device(const VfpiControl* control, ControlEnd* end, int n_env,
                         DeviceStream stream, bool checked);
/// Likewise. @param goes_on  of TellWhetherItGoesOn, in device memory
template <class Precision>
void tell_whether_it_goes_on_on_device(const SoftStepBatch<Precision>& batch, std::int32_t* goes_on,
                                       DeviceStream stream, bool checked);
/// @param kernel   over device memory, n_chunk included
/// @param checked  waits for it, so that a fault is told with its name
/// @throws RuntimeError where the device fails
template <class Precision>
void gather_nodes_on_device(const GatherNodes<Precision>& kernel, int n_part, DeviceStream stream,
                            bool checked);

}  // namespace nodia
