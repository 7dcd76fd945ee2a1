/// Launch sequence of a step, common to every backend.
#pragma once

#include "kernels/collision/device/device_search.hpp"
#include "kernels/device/run_loop.hpp"
#include "kernels/step/device/device_soft_step.hpp"
#include "kernels/vfpi/device/device_planes.hpp"
#include "kernels/vfpi/device/device_solutions.hpp"
#include "kernels/vfpi/device/recorded_steps.hpp"
#include "kernels/vfpi/device/step_parts.hpp"

namespace nodia {

/// Launches all work from the end of the last step to the contacts of this step.
template <class Precision>
void launch_before_loop(const StepParts<Precision>& step, DeviceQueue queue) {
  if (step.advances) advance_on_device(step.carry, queue);
  start_on_device(step.carry, queue);
  if (step.assembles) assemble_planes_on_device(step.assembly, queue);
  if (!step.makes_contacts) return;
  move_freely_on_device(step.soft, queue);
  find_pairs_on_device(step.paired, queue);
  make_contacts_on_device(step.soft, queue);
  start_contact_nodes_on_device(step.soft, step.carry, queue);
}

/// Launches the loop and the report of its end. Does nothing if the step is rejected.
/// @param launcher  launcher of VfpiSchedule, and additionally
///                    in_stream(launches)  runs launches() in the stream
///                    when(flag, body)     runs body() if *flag is not zero; the backend decides
///                    report_time(moment)   writes the time at which all previous work ended
template <class Launcher, class Precision>
void launch_loop(Launcher& launcher, const StepParts<Precision>& step, DeviceQueue queue) {
  const auto to_the_end = [&] {
    launcher.report_time(&step.moments->start);
    VfpiSchedule<Precision, Launcher>(&launcher, step.loop, step.batch, step.queue).solve();
    launcher.report_time(&step.moments->end);
    launcher.in_stream([&] {
      take_ends_on_device(step.carry.control, step.ends, step.carry.n_env, queue);
      if (!step.makes_contacts) return;
      end_step_on_device(step.soft, queue);
      find_tunnelling_on_device(step.paired, queue);
      reject_ends_on_device(step.paired, step.soft.end, step.soft.n_env, queue);
    });
  };
  if (step.makes_contacts && step.soft.can_be_taken != nullptr)
    launcher.when(step.soft.can_be_taken, to_the_end);
  else
    to_the_end();
}

/// Launches the work before a recording. Does nothing if the whole step is recorded.
/// @return key of the recording
template <class Precision>
StepKey<Precision> begin_recorded(const StepKey<Precision>& key, DeviceStream stream) {
  if (key.step.makes_contacts) return key;
  launch_before_loop(key.step, {stream});
  StepKey<Precision> loop = key;
  loop.step.assembly = {};
  loop.step.soft = {};
  loop.step.paired = {};
  loop.step.carry = {};
  loop.step.carry.n_env = key.step.carry.n_env;
  loop.step.carry.control = key.step.carry.control;
  loop.step.advances = loop.step.assembles = false;
  return loop;
}
/// Launches the recorded part of a step. @param recorder  launcher of launch_loop()
template <class Recorder, class Precision>
void launch_recorded(Recorder& recorder, const StepParts<Precision>& step, DeviceStream stream) {
  const auto whole = [&] {
    if (step.makes_contacts) recorder.in_stream([&] { launch_before_loop(step, {stream}); });
    launch_loop(recorder, step, {stream});
    if (step.continues != nullptr)
      recorder.in_stream(
          [&] { report_whether_it_continues_on_device(step.soft, step.continues, {stream}); });
  };
  if (step.continues != nullptr)
    recorder.when(step.continues, whole);
  else
    whole();
}

}  // namespace nodia
