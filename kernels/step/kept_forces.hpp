/// Stores contact forces of candidate pairs and soft-soft pairs for the next step, and gathers the
/// forces that the host downloads.
#pragma once

#include "kernels/contact/in_cone.hpp"
#include "kernels/launch/element_kernel.hpp"
#include "kernels/step/contact_at.hpp"
#include "kernels/step/pair_list.hpp"
#include "kernels/step/pair_rows.hpp"

namespace nodia {

template <class Memory>
NODIA_HD void put_force(const SoftContacts& contacts, std::int32_t place, Vec3d force,
                        Memory memory) {
  for (int axis = 0; axis < 3; ++axis)
    memory.write(contacts.kept + 3 * std::int64_t{place} + axis, force[axis]);
}

/// Writes the forces of the loop's solution to SoftContacts::kept; zero for pairs without a
/// contact. Does not change the forces of inactive environments.
template <class Precision>
struct KeepForces : EnvironmentKernel<KeepForces<Precision>> {
  using Real = typename Precision::Real;
  SoftStepBatch<Precision> batch;

  template <class Memory>
  NODIA_HD void visit(int e, int place, Memory memory) const {
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

/// Writes the forces of soft-soft pairs to PairContact::lambda and PairBatch::kept.
template <class Precision>
struct KeepPairForces : FlatListKernel<KeepPairForces<Precision>> {
  using Real = typename Precision::Real;
  SoftStepBatch<Precision> batch;

  template <class Memory>
  NODIA_HD void visit(int p, Memory memory) const {
    const PairBatch& pairs = batch.pairs;
    if (p >= memory.read(pairs.n_selected)) return;
    PairContact* pair = pairs.pair + p;
    const int e = environment_of(pairs.paired, batch.n_env, memory.read(&pair->search));
    const std::int32_t slot = coupled_slot_of(batch, e, p, memory);
    const Vec3d force = in_cone<Real>(
        batch.projection, cast<double>(memory.template load_node<Real>(batch.env[e].lambda, slot)),
        memory.read(&pair->contact.mu1), memory.read(&pair->contact.mu2));
    memory.write(&pair->lambda, force);
    memory.write(pairs.kept + p, KeptPair{memory.read(&pair->slot) - first_slot_of(pairs.paired, e),
                                          memory.read(&pair->edge), force});
  }
};

/// Writes PairBatch::kept_range.
struct KeepPairRanges : FlatListKernel<KeepPairRanges> {
  PairBatch pairs;

  template <class Memory>
  NODIA_HD void visit(int e, Memory memory) const {
    const PairCounts counts = memory.read(pairs.counts + e);
    memory.write(pairs.kept_range + e, KeptRange{counts.first, counts.n});
  }
};

/// Runs after the loop.
template <class Launcher, class Precision>
void launch_keep_forces(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  KeepForces<Precision> kernel;
  kernel.batch = batch;
  launch_environments(launcher, "keep_forces", kernel, batch.n_env,
                      batch.n_node * batch.n_obstacle);
  if (batch.pairs.capacity == 0) return;
  KeepPairForces<Precision> of_pairs;
  of_pairs.batch = batch;
  launch_list(launcher, "keep_pair_forces", of_pairs, batch.pairs.capacity);
  KeepPairRanges ranges;
  ranges.pairs = batch.pairs;
  launch_list(launcher, "keep_pair_ranges", ranges, batch.n_env);
}

/// Forces of the candidate pairs that select_flagged found in all environments. The stored forces
/// of the environments are contiguous. Flags of inactive environments are zero.
struct NearForces {
  const double* kept = nullptr;             ///< stored forces, from the first environment on
  const std::int32_t* flagged = nullptr;    ///< ascending
  const std::int32_t* n_flagged = nullptr;  ///< one value
  int capacity = 0;                         ///< number of forces that fit in `force`
  double* force = nullptr;                  ///< output [3 capacity]: the first forces [N]
};

/// Gathers the forces, one lane per flagged pair.
struct GatherNearForces {
  NearForces near;

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    return item * kBlockLanes < memory.read(near.n_flagged);
  }
  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const int index = item * kBlockLanes + lane;
    if (index >= memory.read(near.n_flagged) || index >= near.capacity) return;
    const std::int32_t place = memory.read(near.flagged + index);
    const Vec3d force = memory.template load_unpadded_node<double>(near.kept, place);
    for (int axis = 0; axis < 3; ++axis)
      memory.write(near.force + 3 * std::int64_t{index} + axis, force[axis]);
  }
};

/// Runs after launch_keep_forces.
template <class Launcher>
void launch_near_forces(Launcher&& launcher, const NearForces& near) {
  if (near.capacity > 0)
    launcher.launch("gather_near_forces", GatherNearForces{near}, item_count(near.capacity));
}

/// Force of a candidate pair of an environment.
struct PlacedForce {
  std::int32_t env = 0, place = 0;
  Vec3d force{};  ///< contact frame [N]
};

/// Forces that the host uploads because the device does not have them.
struct GivenForces {
  const SoftContacts* contacts = nullptr;
  int n_place = 0;  ///< maximum over the environments
  int n_env = 0, n_force = 0;
  const std::int32_t* env = nullptr;   ///< [n_env], distinct; every pair of these gets a new force
  const PlacedForce* force = nullptr;  ///< [n_force], distinct pairs of these; other pairs get 0
};

/// Sets the forces of all candidate pairs of the given environments to zero.
struct ClearForces : EnvironmentKernel<ClearForces> {
  GivenForces given;

  template <class Memory>
  NODIA_HD void visit(int k, int place, Memory memory) const {
    const SoftContacts& contacts = given.contacts[given.env[k]];
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

/// Runs before launch_contacts.
template <class Launcher>
void launch_given_forces(Launcher&& launcher, const GivenForces& given) {
  ClearForces clear;
  clear.given = given;
  if (given.n_env > 0)
    launch_environments(launcher, "clear_forces", clear, given.n_env, given.n_place);
  PlaceForces forces;
  forces.given = given;
  launch_list(launcher, "place_forces", forces, given.n_force);
}

}  // namespace nodia
