/// Compiles the kernels of a time step of soft bodies on the device for the CPU.
#include "kernels/cpu/run_items.hpp"
#include "kernels/step/attachment_totals.hpp"
#include "kernels/step/contact_totals.hpp"
#include "kernels/step/contacts.hpp"
#include "kernels/step/continues.hpp"
#include "kernels/step/depths.hpp"
#include "kernels/step/end_of_step.hpp"
#include "kernels/step/evaluate.hpp"
#include "kernels/step/free_motion.hpp"
#include "kernels/step/kept_forces.hpp"
#include "kernels/step/pair_depths.hpp"
#include "kernels/step/reject_ends.hpp"
#include "kernels/step/start_contact_nodes.hpp"

namespace nodia {

using Compiler = KernelCompiler<NODIA_KERNEL_ISA>;

template void launch_free_motion(Compiler&&, const SoftStepBatch<DoublePrecision>&);
template void launch_keep_contact_node_counts(Compiler&&, const SoftStepBatch<DoublePrecision>&);
template void launch_reject_ends(Compiler&&, const PairedSurfaces&, SoftEnd*, int);
template void launch_near_forces(Compiler&&, const NearForces&);
template void launch_given_forces(Compiler&&, const GivenForces&);

#define NODIA_COMPILE(Precision)                                                        \
  template void launch_contacts(Compiler&&, const SoftStepBatch<Precision>&);           \
  template void launch_start_contact_nodes(Compiler&&, const SoftStepBatch<Precision>&, \
                                           const StateCarry<Precision>&);               \
  template void launch_keep_forces(Compiler&&, const SoftStepBatch<Precision>&);        \
  template void launch_evaluation(Compiler&&, const SoftStepBatch<Precision>&);         \
  template void launch_depths(Compiler&&, const SoftStepBatch<Precision>&);             \
  template void launch_pair_depths(Compiler&&, const SoftStepBatch<Precision>&);        \
  template void launch_attachment_totals(Compiler&&, const SoftStepBatch<Precision>&);  \
  template void launch_contact_totals(Compiler&&, const SoftStepBatch<Precision>&);     \
  template void launch_end_of_step(Compiler&&, const SoftStepBatch<Precision>&);        \
  NODIA_RUN_ITEMS(ReportWhetherItContinues<Precision>);
NODIA_FOR_EACH_PRECISION(NODIA_COMPILE)

}  // namespace nodia
