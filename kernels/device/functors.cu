/// The functors that run on the device. A functor used there is listed here.
#include "kernels/contact/functors.hpp"
#include "kernels/device/launch.cuh"
#include "kernels/linalg/vector_ops.hpp"

namespace nodia {

#define NODIA_LAUNCHED(Functor)                                                          \
  template void launch_device<Functor<double>>(const char*, int, const Functor<double>&, \
                                               DeviceStream);                            \
  template void launch_device<Functor<float>>(const char*, int, const Functor<float>&, DeviceStream)
#define NODIA_SUMMED(Functor)                                                                   \
  template double ordered_sum_device<Functor<double>>(const char*, int, const Functor<double>&, \
                                                      double*, DeviceStream);                   \
  template double ordered_sum_device<Functor<float>>(const char*, int, const Functor<float>&,   \
                                                     double*, DeviceStream)

NODIA_LAUNCHED(Axpy);
NODIA_LAUNCHED(ScaledDifference);
NODIA_LAUNCHED(BlockProduct);
NODIA_LAUNCHED(ProjectTrials);
NODIA_LAUNCHED(SurrogateSolve);
NODIA_LAUNCHED(CoupledNodeVelocity);
NODIA_LAUNCHED(CoupledContactSolve);
NODIA_SUMMED(WeightedSquaredNorm);
NODIA_SUMMED(SquaredDistance);

}  // namespace nodia
