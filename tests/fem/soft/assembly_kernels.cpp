/// The assembly's kernels by every launcher against the host assembler, bit for bit.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/step/assemble.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/random_soft_model.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

using test::count_different;
using test::OneLaneLauncher;
using test::padded;
using test::PaddedNode;
using RandomModel = test::RandomSoftModel;
using test::scalars;

struct System {
  std::vector<double> value;
  std::vector<PaddedNode> b, elastic_force;

  explicit System(const TetModel& model)
      : value(9 * static_cast<std::size_t>(model.pattern()->n_block()),
              std::numeric_limits<double>::quiet_NaN()),
        b(model.n_node()),
        elastic_force(model.n_node()) {}
};

/// By the host assembler, b as the simulation forms it.
System assemble_on_host(const RandomModel& m, bool with_external) {
  System s(m.model);
  std::vector<Vec3d> force(m.x.size());
  TetModel::AssemblyInput in;
  in.x = m.x.data();
  in.time = m.step;
  in.extra_diagonal = with_external ? m.extra_diagonal.data() : nullptr;
  m.model.assemble(in, s.value.data(), force.data());
  s.elastic_force = padded(force);
  for (int i = 0; i < m.model.n_node(); ++i) {
    const double mass = m.model.mass()[i];
    Vec3d other = with_external ? m.external_force[i] : Vec3d{};
    other += mass * m.gravity;
    other += (mass / (m.step.theta * m.step.step_s)) * m.v[i];
    force[i] += other;
  }
  s.b = padded(force);
  return s;
}

template <class Launcher>
System assemble_by_kernels(const RandomModel& m, bool with_external, Launcher* launcher) {
  System s(m.model);
  std::vector<PaddedNode> x = padded(m.x), v = padded(m.v), force = padded(m.external_force);
  std::vector<double> extra = m.extra_diagonal;
  const AssemblyView model = m.model.view();
  std::vector<PaddedNode> corner(kSliceNodes * slice_count(model.n_tet));
  EvaluateTets tets;
  tets.model = model;
  tets.x = scalars(x);
  tets.corner = scalars(corner);
  AssembleRows rows;
  rows.model = model;
  rows.step = m.step;
  rows.gravity = m.gravity;
  rows.corner = scalars(corner);
  rows.v = scalars(v);
  rows.external_force = with_external ? scalars(force) : nullptr;
  rows.extra_diagonal = with_external ? extra.data() : nullptr;
  rows.value = s.value.data();
  rows.b = scalars(s.b);
  rows.elastic_force = scalars(s.elastic_force);
  if constexpr (std::is_same_v<Launcher, RaceDetector>) {
    const auto name = [&](const char* what, auto& array) {
      launcher->name_region(array.data(), array.size() * sizeof(array[0]), what);
    };
    name("x", x);
    name("v", v);
    name("external_force", force);
    name("extra_diagonal", extra);
    name("corner", corner);
    launcher->name_region(model.slice, slice_count(model.n_tet) * sizeof(TetSlice), "slice");
    name("value", s.value);
    name("b", s.b);
    name("elastic_force", s.elastic_force);
  }
  launch_assembly(*launcher, tets, rows);
  return s;
}

void expect_same_bits(const System& a, const System& b) {
  EXPECT_EQ(count_different(a.value, b.value), 0);
  EXPECT_EQ(count_different(a.b, b.b), 0);
  EXPECT_EQ(count_different(a.elastic_force, b.elastic_force), 0);
}

/// Lane by lane, and in packs of every instruction set that this machine has.
void expect_bits_of_the_host(const RandomModel& m, bool with_external) {
  const System expected = assemble_on_host(m, with_external);
  OneLaneLauncher one_lane;
  expect_same_bits(assemble_by_kernels(m, with_external, &one_lane), expected);
  for (const CpuIsa isa : available_isas()) {
    SCOPED_TRACE(name_of(isa));
    const CpuLauncher in_packs(isa, 3);
    expect_same_bits(assemble_by_kernels(m, with_external, &in_packs), expected);
  }
}

TEST(AssemblyKernels, HaveTheBitsOfTheHostAssembler) {
  int n_inverted = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const RandomModel m(seed, seed % 4 == 0 ? 1e-3 : seed % 4 == 1 ? 0.1 : 0.5);
    n_inverted += m.count_inverted();
    for (const bool with_external : {true, false}) expect_bits_of_the_host(m, with_external);
  }
  EXPECT_GT(n_inverted, 100);
}

/// Flat and vanishing elements take the branch that is rare.
TEST(AssemblyKernels, HaveTheBitsOfTheHostAssemblerForCollapsedElements) {
  for (const double thickness : {0.0, 1e-12, -1e-3}) {
    RandomModel m(7, 0.1);
    for (Vec3d& p : m.x) p.z *= thickness;
    expect_bits_of_the_host(m, true);
  }
  RandomModel point(8, 0.1);
  for (Vec3d& p : point.x) p = {};
  expect_bits_of_the_host(point, true);
}

/// The device's barriers and bounds, without one.
TEST(AssemblyKernels, AreFreeOfRacesAndOfAccessesOutOfBounds) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const RandomModel m(seed, 0.3);
    RaceOptions options;
    options.seed = seed + 1;
    options.strict_regions = true;
    RaceDetector launcher(options);
    expect_same_bits(assemble_by_kernels(m, true, &launcher), assemble_on_host(m, true));
    EXPECT_TRUE(launcher.conflicts().empty());
  }
}

TEST(AssemblyKernels, NothingIsAssembledForNoBodies) {
  TetModel model;
  model.finish();
  OneLaneLauncher launcher;
  AssembleRows rows;
  rows.model = model.view();
  EvaluateTets tets;
  tets.model = model.view();
  launch_assembly(launcher, tets, rows);
  EXPECT_EQ(rows.model.n_node, 0);
}

}  // namespace
}  // namespace nodia
