/// Tests kernels for contacts of soft nodes with obstacles against the contacts that the host finds
/// and lays out, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <type_traits>
#include <vector>

#include "kernels/launch/select_flagged.hpp"
#include "kernels/step/contacts.hpp"
#include "kernels/step/kept_forces.hpp"
#include "tests/step/contact_device.hpp"
#include "tests/step/contact_rows.hpp"
#include "tests/step/every_precision.hpp"

namespace nodia::test {
namespace {

/// Capacity that the host's contacts on rows with several contacts need.
template <class Precision>
int multi_contact_slots(const VfpiEnvironment<Precision>& env) {
  int n = 0;
  for (const auto& [row, contacts] : contacts_of_rows(env))
    if (contacts.size() > 1) n += static_cast<int>(contacts.size());
  return n;
}

template <class Precision>
void expect_contacts_of_the_host(const Device<Precision>& device) {
  const Problem& problem = device.problem;
  for (std::size_t e = 0; e < device.env.size(); ++e) {
    SCOPED_TRACE(e);
    const VfpiEnvironment<Precision>&own = device.env[e], &host = device.host.environments()[e];
    expect_rows_of_the_host(own, host);
    EXPECT_EQ(device.arrays[e].n_multi_contact, multi_contact_slots(host));
    // All other indices have no contact.
    std::size_t n_contact = 0;
    for (const auto& [row, contacts] : contacts_of_rows(own)) n_contact += contacts.size();
    VfpiEnvironment<Precision> none = own;
    typename Precision::Real zeros[kContactPlanes * kSliceRows] = {};
    Contact<typename Precision::Real> world;
    world.side_i = kWorld;
    const double zero = 0;
    none.contact = &world;
    none.compliance = const_cast<double*>(&zero);
    none.lambda = none.contact_plane = zeros;
    const Bits empty = bits_of_slot(none, 0);
    const int n_used = for_slots(own, [&](int slot, bool has_contact) {
      if (!has_contact) {
        EXPECT_EQ(bits_of_slot(own, slot), empty) << slot;
      }
    });
    EXPECT_EQ(static_cast<std::size_t>(n_used), n_contact);
    if (problem.env[e].is_inactive) continue;
    // Check the contact index of every candidate pair.
    std::vector<std::uint8_t> near(problem.env[e].n_place());
    for (int m = problem.p.env_contact_begin[e]; m < problem.p.env_contact_begin[e + 1]; ++m)
      near[problem.place[m]] = 1;
    EXPECT_EQ(device.arrays[e].flag, near);
    for (int place = 0; place < problem.env[e].n_place(); ++place) {
      const std::int32_t slot = device.arrays[e].slot[place];
      ASSERT_EQ(slot >= 0, near[place] != 0) << place;
      if (slot < 0) continue;
      const int row = device.arrays[e].row[place / problem.env[e].n_obstacle()];
      EXPECT_EQ(own.contact[slot].side_i, row);
      const auto m = std::find(problem.place.begin() + problem.p.env_contact_begin[e],
                               problem.place.begin() + problem.p.env_contact_begin[e + 1], place) -
                     problem.place.begin();
      EXPECT_EQ(own.contact[slot].R(0, 0),
                static_cast<typename Precision::Real>(problem.p.contacts[m].R(0, 0)));
    }
  }
  expect_guards(device);
}

template <class Precision, class Launcher>
void expect_bits_of_the_host(const Problem& problem, Launcher* launcher) {
  Device<Precision> device(problem, kRoom);
  if constexpr (std::is_same_v<Launcher, RaceDetector>) device.name(launcher);
  launch_contacts(*launcher, device.batch);
  expect_contacts_of_the_host(device);
}

template <class Launcher>
void expect_bits_of_the_host(const Problem& problem, Launcher* launcher) {
  in_every_precision(
      [&]<class Precision>(Precision) { expect_bits_of_the_host<Precision>(problem, launcher); });
}

TEST(SoftContacts, ProblemsHaveRowsInNoneOneTwoAndThreeContacts) {
  const Problem problem(0);
  LoopProblem<DoublePrecision> host{CommonOptions{}, CondOptions{}};
  host.set(problem.p, problem.warm);
  std::map<std::size_t, int> rows;
  for (const auto& env : host.environments())
    for (const auto& [row, contacts] : contacts_of_rows(env)) ++rows[contacts.size()];
  EXPECT_GT(problem.env[0].n_node(), kBlockLanes);
  for (const std::size_t n : {1, 2, 3}) EXPECT_GT(rows[n], 10) << n;
  EXPECT_LT(rows[1] + rows[2] + rows[3], problem.p.n_node());
}

TEST(SoftContacts, HaveTheBitsOfTheHosts) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem(seed);
    OneLaneLauncher one_lane;
    expect_bits_of_the_host(problem, &one_lane);
    PackLauncher in_packs;
    expect_bits_of_the_host(problem, &in_packs);
  }
}

TEST(SoftContacts, AreFreeOfRacesAndOfAccessesOutOfBounds) {
  for (unsigned seed = 0; seed < 2; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem(seed);
    RaceDetector launcher({.seed = seed + 1, .n_block = 4, .strict_regions = true});
    expect_bits_of_the_host(problem, &launcher);
    EXPECT_TRUE(launcher.conflicts().empty());
  }
}

TEST(SoftContacts, ThatFindNoRoomAreCountedAndNothingIsWrittenBehindIt) {
  const Problem problem(1);
  for (const int room : {0, 16, 48, 64, 160}) {
    SCOPED_TRACE(room);
    Device<MixedPrecision> device(problem, room);
    RaceDetector launcher({.seed = 3, .n_block = 4, .strict_regions = true});
    device.name(&launcher);
    std::int32_t can_be_taken = -1;
    launcher.name_region(&can_be_taken, sizeof can_be_taken, "can_be_taken");
    device.batch.can_be_taken = &can_be_taken;
    launch_contacts(launcher, device.batch);
    EXPECT_TRUE(launcher.conflicts().empty());
    EXPECT_EQ(can_be_taken, 0);
    expect_guards(device);
    bool too_few = false;
    for (std::size_t e = 0; e < device.env.size(); ++e) {
      SCOPED_TRACE(e);
      const auto all = contacts_of_rows(device.host.environments()[e]),
                 some = contacts_of_rows(device.env[e]);
      EXPECT_EQ(device.arrays[e].n_multi_contact,
                multi_contact_slots(device.host.environments()[e]));
      EXPECT_EQ(device.env[e].rows_share_contacts, device.arrays[e].n_multi_contact > 0);
      too_few = too_few || device.arrays[e].n_multi_contact > room;
      // The first rows have their contacts, in order.
      int used = 0;
      bool had_room = true;
      for (const auto& [row, contacts] : all) {
        const int n = static_cast<int>(contacts.size());
        if (n > 1) had_room = had_room && used + n <= room;
        if (n > 1) used += n;
        const auto found = some.find(row);
        EXPECT_EQ(found != some.end(), n == 1 || had_room) << row;
        if (found == some.end()) continue;
        EXPECT_EQ(found->second, contacts);
      }
      for (int place = 0; place < problem.env[e].n_place() && !problem.env[e].is_inactive; ++place)
        EXPECT_LT(device.arrays[e].slot[place], device.env[e].n_slot);
    }
    EXPECT_TRUE(too_few);
  }
}

TEST(SoftContacts, OfARepeatedLaunchAreTheSame) {
  const Problem problem(2);
  Device<FloatPrecision> device(problem, kRoom);
  std::int32_t can_be_taken = 0;
  device.batch.can_be_taken = &can_be_taken;
  OneLaneLauncher launcher;
  launch_contacts(launcher, device.batch);
  launch_contacts(launcher, device.batch);
  expect_contacts_of_the_host(device);
  EXPECT_EQ(can_be_taken, 1);
  // One environment that lacks room suffices.
  device.contacts.back().multi_contact_capacity = -1;
  launch_contacts(launcher, device.batch);
  EXPECT_EQ(can_be_taken, 0);
}

/// Force that a step stores for contact m, if the loop ended with `lambda`.
template <class Precision>
Vec3d kept_on_the_host(const Device<Precision>& device, std::size_t m, Vec3d lambda) {
  const Contact<double>& c = device.problem.p.contacts[m];
  if constexpr (std::is_same_v<typename Precision::Real, double>)
    return lambda;
  else
    return project(device.host.options().projection, lambda, c.mu1, c.mu2);
}

template <class Precision, class Launcher>
void expect_forces_of_the_host(const Problem& problem, Launcher* launcher) {
  using Real = typename Precision::Real;
  Device<Precision> device(problem, kRoom);
  if constexpr (std::is_same_v<Launcher, RaceDetector>) device.name(launcher);
  launch_contacts(*launcher, device.batch);
  FemRandom random(4);
  for (DeviceArrays<Precision>& a : device.arrays)
    for (std::size_t k = 0; k < a.lambda.size() - kNodeStride * kGuard; ++k)
      a.lambda[k] = static_cast<Real>(random.uniform(-3, 3));
  launch_keep_forces(*launcher, device.batch);
  for (std::size_t e = 0; e < device.env.size(); ++e) {
    SCOPED_TRACE(e);
    const DeviceArrays<Precision>& a = device.arrays[e];
    std::vector<double> expected(3 * problem.env[e].n_place());
    if (problem.env[e].is_inactive) expected = problem.kept[e];
    for (int m = problem.p.env_contact_begin[e]; m < problem.p.env_contact_begin[e + 1]; ++m) {
      const int place = problem.place[m];
      const Real* lambda = a.lambda.data() + kNodeStride * a.slot[place];
      const Vec3d force = kept_on_the_host(device, m, {lambda[0], lambda[1], lambda[2]});
      for (int axis = 0; axis < 3; ++axis) expected[3 * place + axis] = force[axis];
    }
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), a.kept.begin()));
  }
  expect_guards(device);
}

TEST(SoftContacts, KeepTheForcesOfTheLoop) {
  const Problem problem(3);
  OneLaneLauncher one_lane;
  in_every_precision([&]<class Precision>(Precision) {
    expect_forces_of_the_host<Precision>(problem, &one_lane);
  });
  RaceDetector launcher({.seed = 3, .n_block = 4, .strict_regions = true});
  expect_forces_of_the_host<FloatPrecision>(problem, &launcher);
  EXPECT_TRUE(launcher.conflicts().empty());
}

TEST(SoftContacts, ForcesOfNearPlacesAreGatheredInTheOrderOfTheHostsPairs) {
  const Problem problem(1);
  Device<DoublePrecision> device(problem, kRoom);
  RaceDetector launcher({.seed = 5, .n_block = 3, .strict_regions = true});
  device.name(&launcher);
  launch_contacts(launcher, device.batch);
  std::vector<std::uint8_t> flags;
  std::vector<std::int32_t> first;
  std::vector<double> kept;
  for (const DeviceArrays<DoublePrecision>& a : device.arrays) {
    first.push_back(static_cast<std::int32_t>(flags.size()));
    flags.insert(flags.end(), a.flag.begin(), a.flag.end());
    const auto n_number = 3 * static_cast<std::ptrdiff_t>(a.flag.size());
    kept.insert(kept.end(), a.kept.begin(), a.kept.begin() + n_number);
  }
  ASSERT_EQ(kept.size(), 3 * flags.size());
  std::vector<std::int32_t> flagged(flags.size());
  std::int32_t n_flagged = 0;
  select_flagged(flags.data(), static_cast<int>(flags.size()), flagged.data(), &n_flagged);
  ASSERT_EQ(n_flagged, problem.p.n_contact());
  ASSERT_GT(n_flagged, 300);
  for (const int capacity : {0, 1, 255, 256, 300, n_flagged, n_flagged + 500}) {
    SCOPED_TRACE(capacity);
    std::vector<double> force(3 * static_cast<std::size_t>(capacity));
    launcher.name_region(force.data(), force.size() * sizeof(double), "force");
    launcher.name_region(kept.data(), kept.size() * sizeof(double), "kept of all");
    launcher.name_region(flagged.data(), flagged.size() * sizeof(std::int32_t), "flagged");
    launcher.name_region(&n_flagged, sizeof n_flagged, "n_flagged");
    launch_near_forces(launcher,
                       NearForces{kept.data(), flagged.data(), &n_flagged, capacity, force.data()});
    int m = 0;
    for (int e = 0; e < device.batch.n_env; ++e)
      for (const SurfacePair& expected : problem.env[e].found.pairs) {
        const int place = problem.env[e].place(expected);
        if (place < 0 || m >= capacity) continue;
        EXPECT_EQ(flagged[m] - first[e], place);
        for (int axis = 0; axis < 3; ++axis)
          EXPECT_EQ(force[3 * m + axis], problem.warm.lambda[m][axis]);
        ++m;
      }
    EXPECT_EQ(m, std::min(capacity, n_flagged));
  }
  EXPECT_TRUE(launcher.conflicts().empty());
}

TEST(SoftContacts, TakeForcesThatTheHostSends) {
  const Problem problem(1);
  Device<DoublePrecision> device(problem, kRoom);
  const std::vector<std::int32_t> env{0, 3};
  const std::vector<PlacedForce> force{{0, 5, {1, 2, 3}},
                                       {3, problem.env[3].n_place() - 1, {4, 5, 6}}};
  RaceDetector launcher({.seed = 5, .n_block = 3, .strict_regions = true});
  device.name(&launcher);
  GivenForces given;
  given.contacts = device.batch.contacts;
  given.n_place = problem.env[0].n_place();
  given.n_env = 2;
  given.env = env.data();
  given.n_force = 2;
  given.force = force.data();
  launch_given_forces(launcher, given);
  EXPECT_TRUE(launcher.conflicts().empty());
  for (std::size_t e = 0; e < device.env.size(); ++e) {
    SCOPED_TRACE(e);
    std::vector<double> expected = problem.kept[e];
    if (e == 0 || e == 3) std::fill(expected.begin(), expected.end(), 0.0);
    for (const PlacedForce& one : force)
      for (int axis = 0; axis < 3 && one.env == static_cast<int>(e); ++axis)
        expected[3 * one.place + axis] = one.force[axis];
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), device.arrays[e].kept.begin()));
  }
  expect_guards(device);
}

}  // namespace
}  // namespace nodia::test
