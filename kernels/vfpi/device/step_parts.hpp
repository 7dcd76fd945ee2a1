/// Arguments of a step of a batch on a device: plain data and pointers into device memory.
#pragma once

#include <cstdint>

#include "kernels/collision/paired_surfaces.hpp"
#include "kernels/step/assemble_planes.hpp"
#include "kernels/step/carry_state.hpp"
#include "kernels/step/soft_contacts.hpp"
#include "kernels/vfpi/control_ends.hpp"
#include "kernels/vfpi/schedule.hpp"

namespace nodia {

/// Times of a step on the device's clock [ns].
struct StepMoments {
  std::int64_t start = 0;  ///< start of the loop's schedule
  std::int64_t loop = 0;   ///< start of the first iteration
  std::int64_t end = 0;    ///< end of the last iteration
};

template <class Precision>
struct StepParts {
  bool advances = false;        ///< nodes of some environment move to the end of the last step
  bool assembles = false;       ///< the device assembles A and b of soft rows
  bool makes_contacts = false;  ///< the device generates the contacts and the report of the step
  StateCarry<Precision> carry;
  PlanesAssembly<Precision> assembly;
  SoftStepBatch<Precision> soft;
  PairedSurfaces paired;  ///< used if the device generates the contacts
  ScheduleKey loop;
  const VfpiBatch<Precision>* batch = nullptr;
  VfpiQueue* queue = nullptr;
  ControlEnd* ends = nullptr;  ///< [n_env]
  StepMoments* moments = nullptr;
  /// Flag for a step that generates its contacts and may start before the host has read the last
  /// report. Before the step: not 0 if the step may run. After it: not 0 if the next step may run.
  /// A skipped step changes nothing. Null: not used.
  std::int32_t* continues = nullptr;

  bool operator==(const StepParts&) const = default;
};

}  // namespace nodia
