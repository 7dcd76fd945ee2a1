/// Definition of run_items and the list of kernels it is compiled for; included by
/// kernels/cpu/run_*.cpp alone, each compiled for its instruction set.
#pragma once

#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/vfpi/schedule.hpp"

namespace nodia {

template <class Isa, class Kernel>
void run_items(const Kernel& kernel, int begin, int end) {
  for (int item = begin; item < end; ++item) run_item<Isa>(kernel, item);
}

}  // namespace nodia

#define NODIA_RUN_ITEMS(Isa, Kernel) template void run_items<Isa, Kernel>(const Kernel&, int, int)

#define NODIA_RUN_TIE_STEP_SIZES(Isa, Precision)                                                  \
  template void run_items<Isa, TieStepSize<Precision, false>>(                                    \
      const TieStepSize<Precision, false>&, int, int);                                            \
  template void run_items<Isa, TieStepSize<Precision, true>>(const TieStepSize<Precision, true>&, \
                                                             int, int)

#define NODIA_RUN_ITEMS_OF_PRECISION(Isa, Precision)   \
  NODIA_RUN_TIE_STEP_SIZES(Isa, Precision);            \
  NODIA_RUN_ITEMS(Isa, UpdateQueue<Precision>);        \
  NODIA_RUN_ITEMS(Isa, FillMatrix<Precision>);         \
  NODIA_RUN_ITEMS(Isa, StepSize<Precision>);           \
  NODIA_RUN_ITEMS(Isa, SafeStepSize<Precision>);       \
  NODIA_RUN_ITEMS(Isa, PowerProduct<Precision>);       \
  NODIA_RUN_ITEMS(Isa, PowerDecision<Precision>);      \
  NODIA_RUN_ITEMS(Isa, PowerUpdate<Precision>);        \
  NODIA_RUN_ITEMS(Isa, Iterate<Precision>);            \
  NODIA_RUN_ITEMS(Isa, IterationDecision<Precision>);  \
  NODIA_RUN_ITEMS(Isa, Gradient<Precision>);           \
  NODIA_RUN_ITEMS(Isa, Curvature<Precision>);          \
  NODIA_RUN_ITEMS(Isa, AlphaDecision<Precision>);      \
  NODIA_RUN_ITEMS(Isa, TieForces<Precision>);          \
  NODIA_RUN_ITEMS(Isa, TiedGradient<Precision>);       \
  NODIA_RUN_ITEMS(Isa, PowerOfParts<Precision>);       \
  NODIA_RUN_ITEMS(Isa, TiedPower<Precision>);          \
  NODIA_RUN_ITEMS(Isa, BodyPower<Precision>);          \
  NODIA_RUN_ITEMS(Isa, BodyStep<Precision>);           \
  NODIA_RUN_ITEMS(Isa, ChainStep<Precision>);          \
  NODIA_RUN_ITEMS(Isa, ChainPower<Precision>);         \
  NODIA_RUN_ITEMS(Isa, PointVelocities<Precision>);    \
  NODIA_RUN_ITEMS(Isa, TiedForces<Precision>);         \
  NODIA_RUN_ITEMS(Isa, MoveBias<Precision>);           \
  NODIA_RUN_ITEMS(Isa, WorldContacts<Precision>);      \
  NODIA_RUN_ITEMS(Isa, CoupledRowVelocity<Precision>); \
  NODIA_RUN_ITEMS(Isa, CoupledContacts<Precision>);    \
  NODIA_RUN_ITEMS(Isa, Accelerate<Precision>);         \
  NODIA_RUN_ITEMS(Isa, CopyTested<Precision>);         \
  NODIA_RUN_ITEMS(Isa, MeasureResidual<Precision>);    \
  NODIA_RUN_ITEMS(Isa, MeasureContacts<Precision>);    \
  NODIA_RUN_ITEMS(Isa, TestDecision<Precision>);       \
  NODIA_RUN_ITEMS(Isa, CopyBest<Precision>)

/// All kernels of all precisions.
#define NODIA_RUN_ALL_ITEMS(Isa)                      \
  NODIA_RUN_ITEMS_OF_PRECISION(Isa, DoublePrecision); \
  NODIA_RUN_ITEMS_OF_PRECISION(Isa, MixedPrecision);  \
  NODIA_RUN_ITEMS_OF_PRECISION(Isa, FloatPrecision)
