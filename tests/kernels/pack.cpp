/// Packs of lanes against one lane: every operation, load, store and transposition.
#include "kernels/core/pack.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/core/numbers.hpp"
#include "kernels/launch/memory.hpp"

namespace nodia {
namespace {

template <class P>
class Packs : public testing::Test {};

// AVX-512 is covered by whole solves (tests/host/solvers/loop_layout.cpp): this file is compiled
// for the build's own instruction set.
using Types = testing::Types<double, float, Pack<double, Portable>, Pack<float, Portable>,
                             Pack<double, FourLanes>, Pack<float, FourLanes>
#if defined(__AVX2__)
                             ,
                             Pack<double, Avx2>, Pack<float, Avx2>
#endif
                             >;
TYPED_TEST_SUITE(Packs, Types);

template <class P>
constexpr int kLanesOf = static_cast<int>(sizeof(P) / sizeof(Scalar<P>));

template <class Real>
std::vector<Real> random_nodes(int n) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<Real> uniform(-2, 2);
  std::vector<Real> nodes(static_cast<std::size_t>(kNodeStride * (n + 12)));
  for (Real& x : nodes) x = uniform(engine);
  return nodes;
}

/// The first address that is `nodes_past` nodes past a 64-byte boundary: nodes are 4-scalar aligned
/// and no better.
template <class Real>
Real* aligned(std::vector<Real>& nodes, std::size_t nodes_past) {
  auto address = reinterpret_cast<std::uintptr_t>(nodes.data());
  while (address % 64 != nodes_past * kNodeStride * sizeof(Real) % 64) address += sizeof(Real);
  return reinterpret_cast<Real*>(address);
}

TYPED_TEST(Packs, LoadGatherAndStoreNodes) {
  using P = TypeParam;
  using Real = Scalar<P>;
  constexpr int kN = 64;
  for (std::size_t nodes_past = 0; nodes_past < 4; ++nodes_past) {
    std::vector<Real> storage = random_nodes<Real>(kN), target(storage.size(), Real(-7));
    const Real* nodes = aligned(storage, nodes_past);
    Real* out = aligned(target, nodes_past);
    const DirectMemory memory;
    const Vec3<P> loaded = memory.load_node<P>(nodes, 5);
    std::int32_t offset[16];
    for (int l = 0; l < 16; ++l) offset[l] = kNodeStride * ((11 * l + 3) % kN);
    const Vec3<P> gathered = memory.gather_node<P>(nodes, offset);
    memory.store_node<P>(out, 7, loaded);
    for (int l = 0; l < kLanesOf<P>; ++l) {
      const Real* expected = nodes + kNodeStride * (5 + l);
      EXPECT_EQ(lane_of(loaded.x, l), expected[0]);
      EXPECT_EQ(lane_of(loaded.y, l), expected[1]);
      EXPECT_EQ(lane_of(loaded.z, l), expected[2]);
      EXPECT_EQ(lane_of(gathered.x, l), nodes[offset[l]]);
      EXPECT_EQ(lane_of(gathered.y, l), nodes[offset[l] + 1]);
      EXPECT_EQ(lane_of(gathered.z, l), nodes[offset[l] + 2]);
      for (int c = 0; c < 3; ++c) EXPECT_EQ(out[kNodeStride * (7 + l) + c], expected[c]);
      EXPECT_EQ(out[kNodeStride * (7 + l) + 3], Real(0));
    }
    EXPECT_EQ(out[kNodeStride * 7 - 1], Real(-7));
    EXPECT_EQ(out[kNodeStride * (7 + kLanesOf<P>)], Real(-7));
  }
}

/// Storage that ends with the last node: nothing beyond it is read where memory is checked.
TYPED_TEST(Packs, LoadNodesWithoutPadding) {
  using P = TypeParam;
  using Real = Scalar<P>;
  for (int first = 0; first < 5; ++first) {
    const int n = first + kLanesOf<P>;
    std::vector<Real> nodes = random_nodes<Real>(n);
    nodes.resize(static_cast<std::size_t>(3 * n));
    nodes.shrink_to_fit();
    const Vec3<P> loaded = DirectMemory{}.load_unpadded_node<P>(nodes.data(), first);
    for (int l = 0; l < kLanesOf<P>; ++l) {
      const Real* expected = nodes.data() + 3 * (first + l);
      EXPECT_EQ(lane_of(loaded.x, l), expected[0]);
      EXPECT_EQ(lane_of(loaded.y, l), expected[1]);
      EXPECT_EQ(lane_of(loaded.z, l), expected[2]);
    }
  }
}

TYPED_TEST(Packs, TellTheirLanesApart) {
  using P = TypeParam;
  using Real = Scalar<P>;
  for (int l = 0; l < kLanesOf<P>; ++l) {
    P a(Real(0));
    set_lane(&a, l, Real(1));
    EXPECT_EQ(lane_bits(a > Real(0)), 1U << l);
    EXPECT_EQ(lane_bits(a > Real(0)) | lane_bits(!(a > Real(0))), (1U << kLanesOf<P>)-1);
  }
}

/// NaN and the sign of zero included.
TEST(PackOfDoubles, CompareAsNumbersDo) {
  using P = Pack<double, Portable>;
  const double nan = std::nan("");
  const double numbers[] = {nan, -HUGE_VAL, -1, -0.0, 0.0, 2, HUGE_VAL};
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (const double a : numbers)
    for (const double b : numbers) {
      EXPECT_EQ(bits(lane_of(larger(P(a), P(b)), 1)), bits(larger(a, b))) << a << ' ' << b;
      EXPECT_EQ(bits(lane_of(larger_or_nan(P(a), P(b)), 1)), bits(larger_or_nan(a, b)))
          << a << ' ' << b;
    }
}

TYPED_TEST(Packs, EveryLaneRoundsAsOneLane) {
  using P = TypeParam;
  using Real = Scalar<P>;
  std::vector<Real> values = random_nodes<Real>(32);
  const DirectMemory memory;
  const P a = memory.load<P>(values.data()), b = memory.load<P>(values.data() + 16),
          c = memory.load<P>(values.data() + 33);
  const P chosen = select(a < b, a, b), product = fused(a, b, c), length = root(a * a + b * b),
          mixed = (a + b) * c - a / b, size = absolute(a);
  const auto not_less = !(a < b);
  const P patched = replace_lanes(a < Real(0), a, [](int l) { return static_cast<Real>(100 + l); });
  for (int l = 0; l < kLanesOf<P>; ++l) {
    const Real x = lane_of(a, l), y = lane_of(b, l), z = lane_of(c, l);
    EXPECT_EQ(lane_of(chosen, l), x < y ? x : y);
    EXPECT_EQ(lane_of(product, l), std::fma(x, y, z));
    EXPECT_EQ(lane_of(length, l), std::sqrt(x * x + y * y));
    EXPECT_EQ(lane_of(mixed, l), (x + y) * z - x / y);
    EXPECT_EQ(lane_of(size, l), std::fabs(x));
    EXPECT_EQ(lane_of(not_less, l), !(x < y));
    EXPECT_EQ(lane_of(patched, l), x < 0 ? x : static_cast<Real>(100 + l));
  }
  EXPECT_FALSE(std::signbit(lane_of(absolute(P(-Real(0))), kLanesOf<P> - 1)));
  EXPECT_EQ(all(a <= a), true);
  EXPECT_EQ(all(a < a), false);
}

TYPED_TEST(Packs, OperationsWithNumbersAndMasksAreThoseOfEveryLane) {
  using P = TypeParam;
  using Real = Scalar<P>;
  std::vector<Real> values = random_nodes<Real>(32);
  const DirectMemory memory;
  const P a = memory.load<P>(values.data()), b = memory.load<P>(values.data() + 16),
          c = memory.load<P>(values.data() + 33);
  const Real k = Real(0.75);
  const P from_left = (k - a) / (k + b * c), from_right = (a - k) / (b + c * k), negative = -a;
  P sum = a;
  sum += b;
  const auto below = a < k, both = (a < b) & (b < c), either = (a < b) | (b < c);
  for (int l = 0; l < kLanesOf<P>; ++l) {
    const Real x = lane_of(a, l), y = lane_of(b, l), z = lane_of(c, l);
    EXPECT_EQ(lane_of(from_left, l), (k - x) / (k + y * z));
    EXPECT_EQ(lane_of(from_right, l), (x - k) / (y + z * k));
    EXPECT_EQ(lane_of(negative, l), -x);
    EXPECT_EQ(lane_of(sum, l), x + y);
    EXPECT_EQ(static_cast<bool>(lane_of(below, l)), x < k);
    EXPECT_EQ(static_cast<bool>(lane_of(both, l)), x < y && y < z);
    EXPECT_EQ(static_cast<bool>(lane_of(either, l)), x < y || y < z);
  }
}

TYPED_TEST(Packs, AllIsFalseWhereOneLaneIs) {
  using P = TypeParam;
  for (int l = 0; l < kLanesOf<P>; ++l) {
    P a(Scalar<P>(1));
    EXPECT_TRUE(all(a > Scalar<P>(0)));
    set_lane(&a, l, Scalar<P>(-1));
    EXPECT_FALSE(all(a > Scalar<P>(0))) << l;
  }
}

template <class Isa>
class PacksOf : public testing::Test {};

using InstructionSets = testing::Types<OneLane, Portable
#if defined(__AVX2__)
                                       ,
                                       Avx2
#endif
                                       >;
TYPED_TEST_SUITE(PacksOf, InstructionSets);

TYPED_TEST(PacksOf, EveryLaneIsConverted) {
  using Doubles = Lanes<double, TypeParam>;
  using Floats = Lanes<float, TypeParam>;
  const std::vector<double> values = random_nodes<double>(16);
  const auto doubles = DirectMemory{}.load<Doubles>(values.data());
  const auto floats = convert<Floats>(doubles);
  const auto back = convert<Doubles>(floats);
  for (int l = 0; l < kLanesOf<Doubles>; ++l) {
    const double x = values[static_cast<std::size_t>(l)];
    EXPECT_EQ(lane_of(floats, l), static_cast<float>(x));
    EXPECT_EQ(lane_of(back, l), static_cast<double>(static_cast<float>(x)));
  }
}

}  // namespace
}  // namespace nodia
