/// Soft surfaces near each other in a step whose contacts are made on a device: what is fixed of
/// the surfaces, and where kernels tell their pairs.
#pragma once

#include <vector>

#include "host/collision/device_surfaces.hpp"
#include "host/problem/contact_problem.hpp"
#include "host/step/device_soft_rows.hpp"
#include "kernels/collision/meeting_surfaces.hpp"
#include "kernels/step/soft_contacts.hpp"

namespace nodia {

class DeviceMeetingSurfaces {
 public:
  /// Takes the surfaces of environments that do not rest.
  /// @param problem   that leaves contacts to the solver
  /// @param soft      of the same problem, uploaded
  /// @param contacts  of the environments, as they lie there
  void take(const ContactProblem& problem, const DeviceSoftRows& soft,
            const std::vector<SoftContacts>& contacts, DeviceStream stream);
  /// Whether none can be near another.
  bool empty() const { return meeting_.searches.n_search == 0; }
  /// Room for the first n pairs; before it there is none, and none are told but their number.
  void make_room(int n_pair, DeviceStream stream);

  /// Of PairTable; those of an environment lie between the first ones of its searches.
  const std::vector<PairSlots>& slots() const { return slots_; }
  /// In device memory, once launch_find_pairs() has run: the slots that are pairs, ascending, as
  /// far as there is room, and their number.
  const std::int32_t* selected() const { return selected_.data(); }
  const std::int32_t* n_selected() const { return n_selected_.data(); }
  int capacity() const { return static_cast<int>(selected_.size()); }

  /// Of the step that was taken.
  const MeetingSurfaces& meeting() const { return meeting_; }
  /// Its searches, and of every environment the first of them, [n_env + 1].
  const std::vector<DeviceSurfaces::Search>& searches() const { return surfaces_.searches(); }
  const std::vector<std::int32_t>& first_search() const { return first_search_; }

 private:
  void fix(int n_env, DeviceStream stream);
  void fix_slots(DeviceStream stream);
  void point();

  DeviceSurfaces surfaces_;
  MeetingSurfaces meeting_;
  std::vector<PairSlots> slots_;  ///< [search]
  PairTable pairs_;
  std::vector<MeetingSurface> here_, there_;  ///< there_: as they were sent
  DeviceBuffer<MeetingSurface> surface_;
  std::vector<std::int32_t> first_search_;
  DeviceBuffer<std::int32_t> first_search_there_;
  DeviceBuffer<PairSlots> slots_there_;
  DeviceBuffer<std::uint8_t> flag_, beyond_, passages_;
  DeviceBuffer<double> gap_;
  DeviceBuffer<Vec3d> normal_;
  DeviceBuffer<std::int32_t> other_, count_of_chunk_, first_of_chunk_, selected_, n_selected_;
  DeviceBuffer<Bounds> way_of_chunk_, ways_;
};

}  // namespace nodia
