/// Forces of contacts from one step to the next, per place, and what the host is told of them.
#pragma once

#include "kernels/contact/in_cone.hpp"
#include "kernels/soft_step/contact_at.hpp"
#include "kernels/vfpi/assemble_planes.hpp"

namespace nodia {

template <class Memory>
NODIA_HD void put_force(const SoftContacts& contacts, std::int32_t place, Vec3d force,
                        Memory memory) {
  for (int axis = 0; axis < 3; ++axis)
    memory.write(contacts.kept + 3 * std::int64_t{place} + axis, force[axis]);
}

/// Forces of the loop's answer into SoftContacts::kept; zero where a place has no contact.
/// Environments that rest keep theirs.
template <class Precision>
struct KeepForces {
  using Real = typename Precision::Real;
  SoftStepBatch<Precision> batch;
  int n_chunk = 1;  ///< of the places of the largest environment

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory) const {
    return item % n_chunk < item_count(batch.contacts[item / n_chunk].near.n_slot());
  }
  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const int e = item / n_chunk, place = item % n_chunk * kBlockLanes + lane;
    const SoftContacts& contacts = batch.contacts[e];
    if (place >= contacts.near.n_slot()) return;
    const std::int32_t slot = memory.read(contacts.slot + place);
    Vec3d force{};
    if (slot >= 0) {
      const ContactRule& rule =
          rule_at(contacts, place / contacts.near.n_obstacle, place % contacts.near.n_obstacle);
      force =
          in_cone<Real>(batch.projection,
                        cast<double>(memory.template load_node<Real>(batch.env[e].lambda, slot)),
                        rule.mu1, rule.mu2);
    }
    put_force(contacts, place, force, memory);
  }
};

/// After the loop.
/// @param launcher  launch(name, kernel, n_item) runs a kernel; launches follow each other
template <class Launcher, class Precision>
void launch_keep_forces(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  const int n_chunk = item_count(batch.n_node * batch.n_obstacle);
  if (n_chunk > 0)
    launcher.launch("keep_forces", KeepForces<Precision>{batch, n_chunk}, batch.n_env * n_chunk);
}

/// A contact of the step, as the host takes it.
struct NearPair {
  NodeHit hit;    ///< of its environment
  Vec3d force{};  ///< SoftContacts::kept [N]
  std::int32_t env = 0;
};

/// The places whose flags select_flagged found among those of all environments, which lie one
/// behind another. Flags of an environment that rests are zero.
struct NearPairs {
  int n_env = 0;
  const SoftContacts* contacts = nullptr;
  const std::int32_t* first_flag = nullptr;  ///< [n_env], ascending: where the flags begin
  const std::int32_t* flagged = nullptr;     ///< ascending
  const std::int32_t* n_flagged = nullptr;   ///< one
  int capacity = 0;                          ///< pairs that `pair` has room for
  NearPair* pair =
      nullptr;  ///< [capacity]: the first of the pairs, by (environment, node, obstacle)
};

/// One lane per pair.
struct WriteNearPairs {
  NearPairs pairs;

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    return item * kBlockLanes < memory.read(pairs.n_flagged);
  }
  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const int index = item * kBlockLanes + lane;
    if (index >= memory.read(pairs.n_flagged) || index >= pairs.capacity) return;
    const std::int32_t flagged = memory.read(pairs.flagged + index);
    NearPair out;
    out.env = environment_of(flagged);
    const SoftContacts& contacts = pairs.contacts[out.env];
    const DetectionView& near = contacts.near;
    const int place = flagged - pairs.first_flag[out.env];
    const int node = place / near.n_obstacle, obstacle = place % near.n_obstacle;
    out.hit =
        hit_at(memory.read_in_place(near.prepared + obstacle), near.x.load<double>(node, memory));
    out.hit.node = node;
    out.hit.obstacle = obstacle;
    out.force = memory.template load_unpadded_node<double>(contacts.kept, place);
    memory.write(pairs.pair + index, out);
  }

 private:
  /// The last one that begins at the flag or before.
  NODIA_HD int environment_of(std::int32_t flag) const {
    int begin = 0, end = pairs.n_env;
    while (end - begin > 1) {
      const int middle = begin + (end - begin) / 2;
      (pairs.first_flag[middle] <= flag ? begin : end) = middle;
    }
    return begin;
  }
};

/// After launch_keep_forces; positions are still those of the start of the step.
template <class Launcher>
void launch_near_pairs(Launcher&& launcher, const NearPairs& pairs) {
  if (pairs.capacity > 0)
    launcher.launch("write_near_pairs", WriteNearPairs{pairs}, item_count(pairs.capacity));
}

/// A force of a place.
struct PlacedForce {
  std::int32_t env = 0, place = 0;
  Vec3d force{};  ///< contact frame [N]
};

/// Forces that the device has not got.
struct GivenForces {
  const SoftContacts* contacts = nullptr;
  int n_place = 0;  ///< of the largest environment
  int n_env = 0, n_force = 0;
  const std::int32_t* env = nullptr;   ///< [n_env], different ones: all their places get new forces
  const PlacedForce* force = nullptr;  ///< [n_force], of different places of these; others get none
};

/// No forces in the places of some environments.
struct ClearForces {
  GivenForces given;
  int n_chunk = 1;  ///< of the places of the largest environment

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const SoftContacts& contacts = given.contacts[given.env[item / n_chunk]];
    const int place = item % n_chunk * kBlockLanes + lane;
    if (place < contacts.near.n_slot()) put_force(contacts, place, Vec3d{}, memory);
  }
};

struct PlaceForces : FlatListKernel<PlaceForces> {
  GivenForces given;

  template <class Memory>
  NODIA_HD void visit(int k, Memory memory) const {
    const PlacedForce& one = given.force[k];
    const SoftContacts& contacts = given.contacts[one.env];
    if (one.place >= 0 && one.place < contacts.near.n_slot())
      put_force(contacts, one.place, one.force, memory);
  }
};

/// Before launch_contacts.
template <class Launcher>
void launch_given_forces(Launcher&& launcher, const GivenForces& given) {
  const int n_chunk = item_count(given.n_place);
  if (given.n_env > 0 && n_chunk > 0)
    launcher.launch("clear_forces", ClearForces{given, n_chunk}, given.n_env * n_chunk);
  if (given.n_force == 0) return;
  PlaceForces forces;
  forces.n = given.n_force;
  forces.given = given;
  launcher.launch("place_forces", forces, item_count(given.n_force));
}

}  // namespace nodia
