/// The kernels of the V-FPI loop on the CPU: every one that VfpiSchedule launches.
#include "kernels/cpu/run_items.hpp"
#include "kernels/vfpi/schedule.hpp"

/// A kernel in all precisions; its other arguments follow.
#define NODIA_KERNEL(Kernel, ...)                                      \
  NODIA_RUN_ITEMS(Kernel<DoublePrecision __VA_OPT__(, ) __VA_ARGS__>); \
  NODIA_RUN_ITEMS(Kernel<MixedPrecision __VA_OPT__(, ) __VA_ARGS__>);  \
  NODIA_RUN_ITEMS(Kernel<FloatPrecision __VA_OPT__(, ) __VA_ARGS__>)

namespace nodia {

NODIA_KERNEL(UpdateQueue);
NODIA_KERNEL(FillMatrix);
NODIA_KERNEL(StepSize);
NODIA_KERNEL(SafeStepSize);
NODIA_KERNEL(TieStepSize, false);
NODIA_KERNEL(TieStepSize, true);
NODIA_KERNEL(PowerProduct);
NODIA_KERNEL(PowerTies);
NODIA_KERNEL(PowerDecision);
NODIA_KERNEL(TiedPower);
NODIA_KERNEL(PowerUpdate);
NODIA_KERNEL(GroupPower);
NODIA_KERNEL(ChainPower);
NODIA_KERNEL(Iterate);
NODIA_KERNEL(Gradient);
NODIA_KERNEL(TieForces);
NODIA_KERNEL(TiedGradient);
NODIA_KERNEL(Curvature);
NODIA_KERNEL(AlphaDecision);
NODIA_KERNEL(WorldContacts);
NODIA_KERNEL(GroupStep);
NODIA_KERNEL(ChainStep);
NODIA_KERNEL(CoupledRowVelocity);
NODIA_KERNEL(CoupledContacts);
NODIA_KERNEL(Accelerate);
NODIA_KERNEL(IterationDecision);
NODIA_KERNEL(PointVelocities);
NODIA_KERNEL(TiedForces);
NODIA_KERNEL(CopyTested);
NODIA_KERNEL(MeasureResidual);
NODIA_KERNEL(MeasureContacts);
NODIA_KERNEL(TestDecision);
NODIA_KERNEL(CopyBest);
NODIA_KERNEL(MoveBias);

}  // namespace nodia
