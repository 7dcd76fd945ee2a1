/// Whether soft surfaces stay apart in a step whose contacts are made on a device: what is fixed of
/// the surfaces, and where kernels find them near each other.
#pragma once

#include <vector>

#include "host/collision/device_surfaces.hpp"
#include "host/problem/contact_problem.hpp"
#include "host/solvers/cond/device_soft_rows.hpp"
#include "kernels/collision/guard_surfaces.hpp"
#include "kernels/soft_step/soft_contacts.hpp"

namespace nodia {

class DeviceSurfaceGuard {
 public:
  /// Takes the surfaces of environments that do not rest.
  /// @param problem   that leaves contacts to the solver
  /// @param soft      of the same problem, uploaded
  /// @param contacts  of the environments, as they lie there
  void take(const ContactProblem& problem, const DeviceSoftRows& soft,
            const std::vector<SoftContacts>& contacts, DeviceStream stream);
  /// Whether none can be near another.
  bool empty() const { return guard_.searches.n_search == 0; }
  /// Of the step that was taken.
  SurfaceGuard guard(std::int32_t* is_apart) const {
    SurfaceGuard own = guard_;
    own.is_apart = is_apart;
    return own;
  }

 private:
  void fix(int n_env, DeviceStream stream);

  DeviceSurfaces surfaces_;
  SurfaceGuard guard_;
  int n_sharp_ = 0;                           ///< SurfaceGuard::n_sharp
  std::vector<GuardedSurface> here_, there_;  ///< there_: as they were sent
  DeviceBuffer<GuardedSurface> surface_;
  DeviceBuffer<std::int32_t> first_search_;
  DeviceBuffer<std::uint8_t> near_vertices_, near_edges_, passages_;
  DeviceBuffer<Bounds> way_of_chunk_, ways_;
};

}  // namespace nodia
