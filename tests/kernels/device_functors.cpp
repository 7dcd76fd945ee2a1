/// Every functor on the device against the same functor on the CPU, bit for bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernels/contact/functors.hpp"
#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/device_launch.hpp"
#include "kernels/linalg/vector_ops.hpp"
#include "tests/support/block_rows.hpp"

namespace nodia {
namespace {

using test::random_block_rows;
using test::random_vectors;

template <class Real>
class DeviceFunctors : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (!device_available(&reason)) GTEST_SKIP() << reason;
  }
};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(DeviceFunctors, Reals);

template <class T>
int count_different(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return -1;
  int different = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    different += std::memcmp(&a[i], &b[i], sizeof(T)) != 0 ? 1 : 0;
  return different;
}

/// Contacts with the world, 0 to 2 a node on the first half of the nodes; contacts between nodes on
/// the second half.
template <class Real>
struct ContactState {
  std::vector<Contact<Real>> contact;
  std::vector<Vec3<Real>> lambda;
  std::vector<std::int32_t> slot_begin{0}, coupled_begin{0}, coupled_node, coupled_entry,
      coupled_count;
  int n_world = 0;

  ContactState(int n_node, unsigned seed) : coupled_count(n_node, 0) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<Real> entry(-1, 1), friction(0, 1);
    const auto add = [&](int i, int j) {
      Vec3<Real> n{entry(generator), entry(generator), entry(generator) + Real(2)};
      Contact<Real> c;
      c.node_i = i;
      c.node_j = j;
      c.R = frame_from_normal((Real(1) / norm(n)) * n);
      c.phi = {entry(generator), Real(0), entry(generator)};
      c.mu1 = friction(generator);
      c.mu2 = contact.size() % 3 == 0 ? friction(generator) : c.mu1;
      contact.push_back(c);
    };
    for (int i = 0; i < n_node; ++i) {
      for (int k = 0; i < n_node / 2 && k < i % 3; ++k) add(i, kWorld);
      slot_begin.push_back(static_cast<std::int32_t>(contact.size()));
    }
    n_world = static_cast<int>(contact.size());
    std::vector<std::vector<std::int32_t>> entries(n_node);
    for (int i = n_node / 2; i + 1 < n_node; i += 3) {
      const auto slot = static_cast<std::int32_t>(contact.size());
      add(i, i + 1);
      entries[i].push_back(2 * slot);
      entries[i + 1].push_back(2 * slot + 1);
    }
    for (int i = 0; i < n_node; ++i) {
      if (entries[i].empty()) continue;
      coupled_node.push_back(i);
      coupled_entry.insert(coupled_entry.end(), entries[i].begin(), entries[i].end());
      coupled_begin.push_back(static_cast<std::int32_t>(coupled_entry.size()));
      coupled_count[i] = static_cast<std::int32_t>(entries[i].size());
    }
    lambda = random_vectors<Real>(static_cast<int>(contact.size()), Real(1), seed + 1);
  }
};

TYPED_TEST(DeviceFunctors, BuffersKeepTheirBits) {
  const auto x = random_vectors<TypeParam>(597, TypeParam(1), 1);
  DeviceBuffer<Vec3<TypeParam>> buffer(x);
  EXPECT_EQ(count_different(buffer.download(), x), 0);
  const auto moved = std::move(buffer);
  EXPECT_EQ(count_different(moved.download(), x), 0);
}

TYPED_TEST(DeviceFunctors, VectorFunctors) {
  using Real = TypeParam;
  for (const int n : {0, 1, 255, 256, 257, 597, 1000003}) {
    const auto a = random_vectors<Real>(n, Real(100), 2), b = random_vectors<Real>(n, Real(1), 3);
    auto axpy = b, difference = b;
    launch(n, Axpy<Real>{Real(0.3), a.data(), axpy.data()}, 1);
    launch(n, ScaledDifference<Real>{Real(0.7), a.data(), b.data(), difference.data()}, 1);

    const DeviceBuffer<Vec3<Real>> a_device(a), b_device(b);
    DeviceBuffer<Vec3<Real>> axpy_device(b), difference_device(b);
    launch_device("axpy", n, Axpy<Real>{Real(0.3), a_device.data(), axpy_device.data()});
    launch_device("scaled_difference", n,
                  ScaledDifference<Real>{Real(0.7), a_device.data(), b_device.data(),
                                         difference_device.data()});
    EXPECT_EQ(count_different(axpy_device.download(), axpy), 0) << n;
    EXPECT_EQ(count_different(difference_device.download(), difference), 0) << n;
  }
}

TYPED_TEST(DeviceFunctors, OrderedSums) {
  using Real = TypeParam;
  for (const int n : {0, 1, 7, 8, 255, 256, 257, 597, 65536, 65537, 1000003}) {
    const auto a = random_vectors<Real>(n, Real(100), 4), b = random_vectors<Real>(n, Real(1), 5);
    std::vector<double> w(n), partial(chunk_count(n));
    for (int i = 0; i < n; ++i) w[i] = 1.0 / (1 + i % 13);
    const double norm =
        ordered_sum(n, WeightedSquaredNorm<Real>{w.data(), a.data()}, partial.data(), 2);
    const double distance =
        ordered_sum(n, SquaredDistance<Real>{a.data(), b.data()}, partial.data(), 1);

    const DeviceBuffer<Vec3<Real>> a_device(a), b_device(b);
    const DeviceBuffer<double> w_device(w);
    DeviceBuffer<double> workspace(ordered_sum_workspace(n));
    const WeightedSquaredNorm<Real> norm_term{w_device.data(), a_device.data()};
    EXPECT_EQ(ordered_sum_device("weighted_squared_norm", n, norm_term, workspace.data()), norm);
    const SquaredDistance<Real> distance_term{a_device.data(), b_device.data()};
    EXPECT_EQ(ordered_sum_device("squared_distance", n, distance_term, workspace.data()), distance);
  }
}

TYPED_TEST(DeviceFunctors, BlockProducts) {
  using Real = TypeParam;
  constexpr int kRows = 597, kColumns = 43;
  const auto rows = random_block_rows<Real>(kRows, kColumns, 6);
  const auto x = random_vectors<Real>(kColumns, Real(10), 7);
  std::vector<Vec3<Real>> y(kRows);
  launch(kRows, BlockProduct<Real>{rows.view(), x.data(), y.data()}, 1);

  const DeviceBuffer<std::int32_t> row_begin(rows.row_begin), column(rows.column);
  const DeviceBuffer<Real> value(rows.value);
  const DeviceBuffer<Vec3<Real>> x_device(x);
  DeviceBuffer<Vec3<Real>> y_device(y.size());
  const BlockCsrView<Real> view{kRows, row_begin.data(), column.data(), value.data()};
  launch_device("block_product", kRows, BlockProduct<Real>{view, x_device.data(), y_device.data()});
  EXPECT_EQ(count_different(y_device.download(), y), 0);
}

TYPED_TEST(DeviceFunctors, Projections) {
  using Real = TypeParam;
  const ContactState<Real> state(4001, 8);
  const auto n = static_cast<int>(state.contact.size());
  const auto trial = random_vectors<Real>(n, Real(5), 9);
  const DeviceBuffer<Contact<Real>> contact(state.contact);
  const DeviceBuffer<Vec3<Real>> trial_device(trial);
  for (const Projection kind : {Projection::strict, Projection::proximal}) {
    std::vector<Vec3<Real>> lambda(n);
    launch(n, ProjectTrials<Real>{kind, state.contact.data(), trial.data(), lambda.data()}, 1);
    DeviceBuffer<Vec3<Real>> lambda_device(lambda.size());
    launch_device(
        "project_trials", n,
        ProjectTrials<Real>{kind, contact.data(), trial_device.data(), lambda_device.data()});
    EXPECT_EQ(count_different(lambda_device.download(), lambda), 0);
  }
}

TYPED_TEST(DeviceFunctors, OneVfpiIteration) {
  using Real = TypeParam;
  constexpr int kNodes = 331;
  const auto rows = random_block_rows<Real>(kNodes, kNodes, 10);
  const auto b = random_vectors<Real>(kNodes, Real(1), 11),
             y = random_vectors<Real>(kNodes, Real(1), 12);
  const std::vector<Real> w(kNodes, Real(0.01));
  const ContactState<Real> state(kNodes, 13);
  const auto n_coupled = static_cast<int>(state.coupled_node.size());

  VfpiView<Real> view;
  view.A = rows.view();
  view.b = b.data();
  view.w = w.data();
  view.contact = state.contact.data();
  auto lambda = state.lambda;
  view.lambda = lambda.data();
  view.slot_begin = state.slot_begin.data();
  view.coupled_begin = state.coupled_begin.data();
  view.coupled_node = state.coupled_node.data();
  view.coupled_entry = state.coupled_entry.data();
  view.coupled_count = state.coupled_count.data();
  std::vector<Vec3<Real>> v(kNodes);
  launch(kNodes, SurrogateSolve<Real>{{view, y.data(), Real(1)}, {view, Real(1)}, v.data()}, 1);
  launch(n_coupled, CoupledNodeVelocity<Real>{view, Real(1), y.data(), v.data()}, 1);
  const CoupledContactSolve<Real> contact_solve{view, Real(1), v.data()};
  for (int s = state.n_world; s < static_cast<int>(lambda.size()); ++s) contact_solve(s);

  const DeviceBuffer<std::int32_t> row_begin(rows.row_begin), column(rows.column),
      slot_begin(state.slot_begin), coupled_begin(state.coupled_begin),
      coupled_node(state.coupled_node), coupled_entry(state.coupled_entry),
      coupled_count(state.coupled_count);
  const DeviceBuffer<Real> value(rows.value), w_device(w);
  const DeviceBuffer<Vec3<Real>> b_device(b), y_device(y);
  const DeviceBuffer<Contact<Real>> contact(state.contact);
  DeviceBuffer<Vec3<Real>> lambda_device(state.lambda), v_device(v.size());
  view.A = {kNodes, row_begin.data(), column.data(), value.data()};
  view.b = b_device.data();
  view.w = w_device.data();
  view.contact = contact.data();
  view.lambda = lambda_device.data();
  view.slot_begin = slot_begin.data();
  view.coupled_begin = coupled_begin.data();
  view.coupled_node = coupled_node.data();
  view.coupled_entry = coupled_entry.data();
  view.coupled_count = coupled_count.data();
  launch_device(
      "surrogate_solve", kNodes,
      SurrogateSolve<Real>{{view, y_device.data(), Real(1)}, {view, Real(1)}, v_device.data()});
  launch_device("coupled_node_velocity", n_coupled,
                CoupledNodeVelocity<Real>{view, Real(1), y_device.data(), v_device.data()});
  // Slots start behind those of the world, as in the host's loop.
  VfpiView<Real> coupled = view;
  coupled.contact += state.n_world;
  coupled.lambda += state.n_world;
  launch_device("coupled_contact_solve", static_cast<int>(lambda.size()) - state.n_world,
                CoupledContactSolve<Real>{coupled, Real(1), v_device.data()});
  EXPECT_EQ(count_different(v_device.download(), v), 0);
  EXPECT_EQ(count_different(lambda_device.download(), lambda), 0);
}

TYPED_TEST(DeviceFunctors, BadPointerIsAnErrorNotACrash) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fault = [] {
    try {
      launch_device("faulting_axpy", 1, Axpy<TypeParam>{TypeParam(1), nullptr, nullptr});
      synchronize_device("faulting_axpy");
    } catch (const RuntimeError& error) {
      std::fputs(error.what(), stderr);
      std::exit(7);
    }
  };
  // In a process of its own: a fault ends the use of the device in the process that made it.
  EXPECT_EXIT(fault(), testing::ExitedWithCode(7), "faulting_axpy");
}

}  // namespace
}  // namespace nodia
