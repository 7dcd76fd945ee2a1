/// Environments of contact_problem.hpp in the memory layout of a launcher.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "host/base/aligned_vector.hpp"
#include "host/simulation/contact_rules.hpp"
#include "host/solvers/cond/loop_problem.hpp"
#include "kernels/step/contacts.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/step/contact_problem.hpp"
#include "tests/step/step_environment.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/soft_step.hpp"

namespace nodia::test {

/// Runs lanes in packs.
struct PackLauncher {
  template <class Kernel>
  void launch(const char*, const Kernel& kernel, int n_item) const {
    for (int item = 0; item < n_item; ++item) run_item<Portable>(kernel, item);
  }
};

inline constexpr int kGuard = 64;  ///< sentinel values behind every array that must not change

/// Arrays of one environment that kernels/step writes.
template <class Precision>
struct DeviceArrays : NodeArrays {
  using Real = typename Precision::Real;
  using NodeArrays::NodeArrays;
  std::vector<std::int32_t> contact_slice, multi_contact_begin, slot;
  std::vector<MultiContactRow> multi_contact;
  AlignedVector<Real> contact_plane, lambda;
  std::vector<Contact<Real>> contact;
  std::vector<double> compliance, kept;
  AlignedVector<double> partial;
  std::int32_t n_multi_contact = -7;
};

/// Several environments in the memory of a launcher.
template <class Precision>
struct Device {
  using Real = typename Precision::Real;
  const Problem& problem;
  LoopProblem<Precision> host;
  std::vector<VfpiEnvironment<Precision>> env;
  std::deque<DeviceArrays<Precision>> arrays;
  std::vector<SoftRows> soft;
  std::vector<SoftContacts> contacts;
  SoftStepBatch<Precision> batch;

  /// @param multi_contact_capacity  per environment
  Device(const Problem& of, int multi_contact_capacity)
      : problem(of), host(common_options(), CondOptions{}) {
    host.set(problem.p, problem.warm);
    env = host.environments();
    for (std::size_t e = 0; e < env.size(); ++e) add(static_cast<int>(e), multi_contact_capacity);
    batch.n_env = static_cast<int>(env.size());
    batch.soft = soft.data();
    batch.contacts = contacts.data();
    batch.env = env.data();
    batch.projection = host.options().projection;
    batch.omega = host.options().omega;
    OneLaneLauncher launcher;
    evaluate_corners(launcher, soft);
  }

  static CommonOptions common_options() {
    CommonOptions options;
    options.invertible_omega_m_Ns = 1e-4;
    return options;
  }

  /// Names the arrays for the race detector.
  void name(RaceDetector* launcher) {
    const auto one = [&](const char* what, const auto& array, std::size_t guard = 0) {
      name_array(launcher, what, array, guard);
    };
    one("env", env);
    for (std::size_t e = 0; e < env.size(); ++e) {
      DeviceArrays<Precision>& a = arrays[e];
      one("contact_slice", a.contact_slice, kGuard);
      one("multi_contact_begin", a.multi_contact_begin, kGuard);
      one("multi_contact", a.multi_contact, kGuard);
      one("contact_plane", a.contact_plane, kContactPlanes * kGuard);
      one("contact", a.contact, kGuard);
      one("compliance", a.compliance, kGuard);
      one("lambda", a.lambda, kNodeStride * kGuard);
      one("partial", a.partial);
      one("slot", a.slot, kGuard);
      one("kept", a.kept, kGuard);
      a.name(launcher, problem.env[e]);
      launcher->name_region(&a.n_multi_contact, sizeof a.n_multi_contact, "n_multi_contact");
      launcher->name_region(env[e].b, 3 * sizeof(Real) * env[e].n_chunk * kBlockLanes, "b");
    }
  }

 private:
  void add(int e, int multi_contact_capacity) {
    const Environment& of = problem.env[e];
    VfpiEnvironment<Precision>& own = env[e];
    DeviceArrays<Precision>& a =
        arrays.emplace_back(of, host.rows(), e, problem.p.env_node_begin[e]);
    const int n_row = own.n_chunk * kBlockLanes, n_slice = n_row / kSliceRows;
    own.n_slot = own.first_contact_node_row + multi_contact_capacity;
    own.rows_share_contacts = true;
    own.load = -1;
    a.contact_slice.assign(n_slice + kGuard, -7);
    a.multi_contact_begin.assign(n_slice + 1 + kGuard, -7);
    a.multi_contact.assign(multi_contact_capacity / 2 + kGuard, MultiContactRow{-7, -7, -7, -7});
    a.contact_plane.assign(kContactPlanes * (own.n_slot + kGuard), Real(-7));
    Contact<Real> stale;
    stale.side_i = stale.side_j = -7;
    a.contact.assign(own.n_slot + kGuard, stale);
    a.compliance.assign(own.n_slot + kGuard, -7);
    a.lambda.assign(kNodeStride * (own.n_slot + kGuard), Real(-7));
    a.partial.assign(kMaxSums * own.partial_stride(), 0.0);
    a.slot.assign(of.n_place() + kGuard, -7);
    a.kept = problem.kept[e];
    a.kept.resize(3 * of.n_place() + kGuard, -7);
    own.contact_slice = a.contact_slice.data();
    own.multi_contact_begin = a.multi_contact_begin.data();
    own.multi_contact = a.multi_contact.data();
    own.contact_plane = a.contact_plane.data();
    own.contact = a.contact.data();
    own.compliance = a.compliance.data();
    own.lambda = a.lambda.data();
    own.partial = a.partial.data();
    soft.push_back(a.soft_rows(of));

    SoftContacts& c = contacts.emplace_back(a.soft_contacts(of));
    c.surface = of.surface.data();
    c.may_collide = of.may_collide.data();
    c.rule = of.rule.data();
    c.times = contact_times(of.scene.time, of.scene.contact);
    c.kept = a.kept.data();
    c.slot = a.slot.data();
    c.multi_contact_capacity = multi_contact_capacity;
    c.n_multi_contact = &a.n_multi_contact;
    batch.n_node = std::max(batch.n_node, of.n_node());
    batch.n_obstacle = std::max(batch.n_obstacle, of.n_obstacle());
    batch.n_chunk = std::max(batch.n_chunk, own.n_chunk);
    batch.n_slot = std::max(batch.n_slot, own.n_slot);
  }
};

template <class T>
bool untouched(const T* guard, int n, double value) {
  return std::all_of(guard, guard + n, [&](const T& x) { return x == static_cast<T>(value); });
}

/// Expects that no kernel wrote behind the arrays.
template <class Precision>
void expect_guards(const Device<Precision>& device) {
  for (std::size_t e = 0; e < device.env.size(); ++e) {
    SCOPED_TRACE(e);
    const DeviceArrays<Precision>& a = device.arrays[e];
    const auto end = [](const auto& array, int n) { return array.data() + (array.size() - n); };
    EXPECT_TRUE(untouched(end(a.contact_slice, kGuard), kGuard, -7));
    EXPECT_TRUE(untouched(end(a.multi_contact_begin, kGuard), kGuard, -7));
    EXPECT_TRUE(untouched(&end(a.multi_contact, kGuard)->row, 4 * kGuard, -7));
    EXPECT_TRUE(
        untouched(end(a.contact_plane, kContactPlanes * kGuard), kContactPlanes * kGuard, -7));
    for (int k = 0; k < kGuard; ++k) EXPECT_EQ(end(a.contact, kGuard)[k].side_i, -7);
    EXPECT_TRUE(untouched(end(a.compliance, kGuard), kGuard, -7));
    EXPECT_TRUE(untouched(end(a.lambda, kNodeStride * kGuard), kNodeStride * kGuard, -7));
    EXPECT_TRUE(untouched(end(a.slot, kGuard), kGuard, -7));
    EXPECT_TRUE(untouched(end(a.kept, kGuard), kGuard, -7));
  }
}

/// Capacity for all contacts of the problems.
inline constexpr int kRoom = 640;

}  // namespace nodia::test
