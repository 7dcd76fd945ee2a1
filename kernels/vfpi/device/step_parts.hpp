/// A step of a batch as it is launched on a device: plain data, pointers into its memory.
#pragma once

#include <cstdint>

#include "kernels/collision/meeting_surfaces.hpp"
#include "kernels/step/assemble_planes.hpp"
#include "kernels/step/carry_state.hpp"
#include "kernels/step/soft_contacts.hpp"
#include "kernels/vfpi/control_ends.hpp"
#include "kernels/vfpi/schedule.hpp"

namespace nodia {

/// Moments of a step on the device's clock [ns].
struct StepMoments {
  std::int64_t start = 0;  ///< of the loop's schedule
  std::int64_t loop = 0;   ///< of its first iteration
  std::int64_t end = 0;    ///< behind its last
};

template <class Precision>
struct StepParts {
  bool advances = false;        ///< nodes of some environment go to the end of the last step
  bool assembles = false;       ///< A and b of soft rows are made
  bool makes_contacts = false;  ///< contacts too; what the end of the step is told by is found
  StateCarry<Precision> carry;
  PlanesAssembly<Precision> assembly;
  SoftStepBatch<Precision> soft;
  MeetingSurfaces meeting;  ///< of a step that makes its contacts
  ScheduleKey loop;
  const VfpiBatch<Precision>* batch = nullptr;
  VfpiQueue* queue = nullptr;
  ControlEnd* ends = nullptr;  ///< [n_env]
  StepMoments* moments = nullptr;
  /// One, of a step that makes its contacts and may be launched before the host has read the record
  /// of the last: not 0 before it, where it is to be taken; after it, where the next one may be. A
  /// step that is not taken leaves all as it is. Null: nobody asks.
  std::int32_t* goes_on = nullptr;

  bool operator==(const StepParts&) const = default;
};

}  // namespace nodia
