/// Device arrays of the search for soft-soft pairs: constant data of the surfaces, and the pairs.
#pragma once

#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/step/device_soft_rows.hpp"
#include "host/step/device_surfaces.hpp"
#include "kernels/collision/paired_surfaces.hpp"
#include "kernels/step/soft_contacts.hpp"

namespace nodia {

class DevicePairedSurfaces {
 public:
  /// Takes the surfaces of active environments.
  /// @param problem   leaves the contacts to the solver
  /// @param soft      rows of the same problem, uploaded
  /// @param contacts  contact data of the environments, in device memory
  void take(const ContactProblem& problem, const DeviceSoftRows& soft,
            const std::vector<SoftContacts>& contacts, DeviceStream stream);
  /// Returns whether no surfaces may collide.
  bool empty() const { return paired_.searches.n_search == 0; }
  /// Allocates the first n pairs. Without capacity only the number of pairs is reported.
  void make_room(int n_pair, DeviceStream stream);

  /// Slot ranges of PairTable [search]; searches of one environment have contiguous ranges.
  const std::vector<PairSlots>& slots() const { return slots_; }
  /// Slots that are pairs, ascending, up to the capacity, and their number. In device memory; valid
  /// after launch_find_pairs().
  const std::int32_t* selected() const { return selected_.data(); }
  const std::int32_t* n_selected() const { return n_selected_.data(); }
  int capacity() const { return static_cast<int>(selected_.size()); }

  /// Kernels' view of the current step.
  const PairedSurfaces& paired() const { return paired_; }
  /// Searches of the step, and the first search of every environment [n_env + 1].
  const std::vector<DeviceSurfaces::Search>& searches() const { return surfaces_.searches(); }
  const std::vector<std::int32_t>& first_search() const { return first_search_; }

 private:
  void fix(int n_env, DeviceStream stream);
  void fix_slots(DeviceStream stream);
  void point();

  DeviceSurfaces surfaces_;
  PairedSurfaces paired_;
  std::vector<PairSlots> slots_;  ///< [search]
  PairTable pairs_;
  std::vector<PairedSurface> host_, device_;  ///< device_: last upload
  DeviceBuffer<PairedSurface> surface_;
  std::vector<std::int32_t> first_search_;
  DeviceBuffer<std::int32_t> device_first_search_;
  DeviceBuffer<PairSlots> device_slots_;
  DeviceBuffer<std::uint8_t> flag_, beyond_, tunnelling_;
  DeviceBuffer<double> gap_;
  DeviceBuffer<Vec3d> normal_;
  DeviceBuffer<std::int32_t> other_, count_of_chunk_, first_of_chunk_, selected_, n_selected_;
  DeviceBuffer<Bounds> way_of_chunk_, ways_;
};

}  // namespace nodia
