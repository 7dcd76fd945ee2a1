/// The launch functions of a build without CUDA: each of them throws.
#include "kernels/collision/device/device_search.hpp"
#include "kernels/device/no_device.hpp"
#include "kernels/linalg/device/launch_sliced.hpp"
#include "kernels/multigrid/device/device_multigrid.hpp"
#include "kernels/newton/device/device_smoothing.hpp"
#include "kernels/step/device/device_gather_lists.hpp"
#include "kernels/step/device/device_soft_step.hpp"
#include "kernels/vfpi/device/device_planes.hpp"
#include "kernels/vfpi/device/device_solutions.hpp"
#include "kernels/vfpi/device/step_graph.hpp"

namespace nodia {

namespace {
constexpr const char* kGradients = "conjugate gradients";
constexpr const char* kPairs = "pairs of soft surfaces";
constexpr const char* kSoftContacts = "contacts of soft nodes";
constexpr const char* kLoop = "V-FPI loop";
}  // namespace

#define NODIA_THROWS(what, ...) \
  void __VA_ARGS__ {            \
    throw_no_device(what);      \
  }

NODIA_THROWS("lists of soft bodies",
             gather_lists_on_device(const AssemblyView&, const GatherLists&, DeviceStream))

NODIA_THROWS(kPairs, find_pairs_on_device(const PairedSurfaces&, DeviceQueue))
NODIA_THROWS(kPairs, find_tunnelling_on_device(const PairedSurfaces&, DeviceQueue))

template <>
NODIA_THROWS("sliced product",
             launch_sliced_on_device(const SlicedProductView<float>&, DeviceStream))
template <>
NODIA_THROWS("sliced product",
             launch_sliced_on_device(const SlicedProductView<double>&, DeviceStream))

struct DeviceMultigrid::Impl {};
DeviceMultigrid::DeviceMultigrid() = default;
DeviceMultigrid::~DeviceMultigrid() = default;
NODIA_THROWS(kGradients, DeviceMultigrid::start(DeviceQueue, const GradientKey&))
NODIA_THROWS(kGradients, DeviceMultigrid::run(LoopLauncher, DeviceStream, const GradientKey&))
NODIA_THROWS(kGradients, make_fine_level_on_device(const MultigridBuild*, int, int, bool,
                                                   const PutBlocks&, DeviceQueue))

NODIA_THROWS("smoothing", smooth_on_device(const SmoothingView*, int, int, int, DeviceQueue))

NODIA_THROWS(kSoftContacts, give_forces_on_device(const GivenForces&, DeviceQueue))
NODIA_THROWS(kSoftContacts,
             reject_ends_on_device(const PairedSurfaces&, SoftEnd*, int, DeviceQueue))
NODIA_THROWS(kSoftContacts, gather_forces_on_device(const NearForces&, DeviceQueue))

NODIA_THROWS(kLoop, take_ends_on_device(const VfpiControl*, ControlEnd*, int, DeviceQueue))

template <class Precision>
struct StepGraph<Precision>::Impl {};
template <class Precision>
StepGraph<Precision>::StepGraph() = default;
template <class Precision>
StepGraph<Precision>::~StepGraph() = default;
template <class Precision>
NODIA_THROWS(kLoop, StepGraph<Precision>::launch(LoopLauncher, DeviceStream,
                                                 const StepParts<Precision>&, int))

#define NODIA_THROWS_WITH(Precision)                                                               \
  template <>                                                                                      \
  NODIA_THROWS(kSoftContacts, move_freely_on_device(const SoftStepBatch<Precision>&, DeviceQueue)) \
  template <>                                                                                      \
  NODIA_THROWS(kSoftContacts,                                                                      \
               make_contacts_on_device(const SoftStepBatch<Precision>&, DeviceQueue))              \
  template <>                                                                                      \
  NODIA_THROWS(kSoftContacts,                                                                      \
               start_contact_nodes_on_device(const SoftStepBatch<Precision>&,                      \
                                             const StateCarry<Precision>&, DeviceQueue))           \
  template <>                                                                                      \
  NODIA_THROWS(kSoftContacts, end_step_on_device(const SoftStepBatch<Precision>&, DeviceQueue))    \
  template <>                                                                                      \
  NODIA_THROWS("assembly into the planes",                                                         \
               assemble_planes_on_device(const PlanesAssembly<Precision>&, DeviceQueue))           \
  template <>                                                                                      \
  NODIA_THROWS(kLoop, advance_on_device(const StateCarry<Precision>&, DeviceQueue))                \
  template <>                                                                                      \
  NODIA_THROWS(kLoop, start_on_device(const StateCarry<Precision>&, DeviceQueue))                  \
  template <>                                                                                      \
  NODIA_THROWS(kLoop,                                                                              \
               take_solutions_on_device(const TakeSolutions<Precision>&, int, DeviceStream))       \
  template <>                                                                                      \
  NODIA_THROWS(kLoop, report_whether_it_continues_on_device(const SoftStepBatch<Precision>&,       \
                                                            std::int32_t*, DeviceQueue))           \
  template <>                                                                                      \
  NODIA_THROWS(kLoop, gather_nodes_on_device(const GatherNodes<Precision>&, int, DeviceQueue))     \
  template class StepGraph<Precision>;
NODIA_FOR_EACH_PRECISION(NODIA_THROWS_WITH)

}  // namespace nodia
