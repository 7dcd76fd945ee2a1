/// Tests kernels for soft-soft contacts against the host, bit for bit.
#include "kernels/step/make_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <type_traits>
#include <vector>

#include "host/errors/errors.hpp"
#include "host/simulation/obstacle_force.hpp"
#include "host/solvers/report.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/step/every_precision.hpp"
#include "tests/step/paired_device.hpp"
#include "tests/support/launchers.hpp"

namespace nodia::test {
namespace {

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool same(Vec3d a, Vec3d b) {
  return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
}

template <class Precision>
void expect_pair(const PairedDevice<Precision>& device, int e, int m, int k) {
  const ContactProblem& p = device.problem.p;
  const Contact<double>& host = p.contacts[m];
  const SurfacePair& found = device.problem.env[e].found.pairs[m - p.env_contact_begin[e]];
  const PairContact& pair = device.pair[k];
  EXPECT_EQ(pair.slot, device.surfaces.selected[k]);
  EXPECT_EQ(pair.edge, found.rule == PairRule::edge ? found.feature_j : -1);
  if (found.rule == PairRule::vertex) {
    EXPECT_EQ(pair.hit.triangle, found.feature_j);
  }
  EXPECT_TRUE(same(pair.gap_m, found.gap_m));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(same(pair.contact.R.row[i], host.R.row[i]));
  EXPECT_TRUE(same(pair.contact.phi, host.phi));
  EXPECT_EQ(pair.contact.mu1, host.mu1);
  EXPECT_EQ(pair.contact.mu2, host.mu2);
  EXPECT_TRUE(same(pair.compliance, device.compliance[m]));
  const std::int32_t host_side[] = {host.side_i, host.side_j},
                     row[] = {pair.contact.side_i, pair.contact.side_j};
  for (int s = 0; s < 2; ++s) {
    const PairSide& side = pair.side[s];
    int n = 0;
    p.for_parts(host_side[s], [&](std::int32_t of, const Mat3d& J) {
      ASSERT_LT(n, side.n);
      EXPECT_EQ(side.node[n], of - p.env_node_begin[e]);
      if (p.is_point(host_side[s])) {
        EXPECT_TRUE(same(side.weight[n], J(0, 0)));
      }
      ++n;
    });
    EXPECT_EQ(side.n, n);
    EXPECT_EQ(side.is_point(), p.is_point(host_side[s]));
    if (side.is_point()) {
      EXPECT_EQ(row[s], MakePairs::kNoRowYet);
      EXPECT_TRUE(same(pair.gain[s], device.nodes.gain[host_side[s] - p.n_node()]));
    } else {
      EXPECT_EQ(row[s], device.arrays[e].row[side.node[0]]);
    }
  }
}

template <class Precision>
void expect_depths(const PairedDevice<Precision>& device) {
  const ContactProblem& p = device.problem.p;
  std::vector<double> depth(device.depth.size(), 0.0);
  for (int e = 0; e < p.n_env(); ++e)
    for (int k = 0; k < device.counts[e].n; ++k) {
      const int m = device.problem.first_pair(e) + k;
      const Contact<double>& c = p.contacts[m];
      const Vec3d u = c.R * (p.side_velocity(c.side_i, device.solution.data()) -
                             p.side_velocity(c.side_j, device.solution.data()));
      const double gap = device.problem.env[e].found.pairs[m - p.env_contact_begin[e]].gap_m;
      double* const of = &depth[device.pair[device.counts[e].first + k].search];
      *of = std::max(*of, -(gap + p.step_s * u.x));
    }
  for (std::size_t s = 0; s < depth.size(); ++s) EXPECT_TRUE(same(device.depth[s], depth[s])) << s;
}

template <class Precision>
void expect_pairs_of_the_host(const PairedDevice<Precision>& device) {
  ASSERT_EQ(device.surfaces.n_selected, device.n_pair());
  for (int e = 0; e < device.problem.n_env(); ++e)
    for (int k = 0; k < device.counts[e].n; ++k) {
      SCOPED_TRACE(testing::Message() << "environment " << e << ", pair " << k);
      expect_pair(device, e, device.problem.first_pair(e) + k, device.counts[e].first + k);
    }
}
/// Expects the forces of keep_some(), or of the last solution.
template <class Precision>
void expect_kept_forces_at_start(const PairedDevice<Precision>& device) {
  for (std::size_t p = 0; p < device.force_at_start.size(); ++p)
    EXPECT_TRUE(same(device.pair[p].lambda, device.force_at_start[p])) << p;
}

template <class Precision>
void expect_end_of_the_host(const PairedDevice<Precision>& device) {
  const ContactProblem& p = device.problem.p;
  Solution solution;
  solution.v = device.solution;
  solution.lambda = device.lambda;
  solution.env.resize(static_cast<std::size_t>(p.n_env()));
  evaluate(p, device.common_options(), &solution);
  const std::vector<ContactState> state = contact_states(p, device.lambda);
  for (int e = 0; e < p.n_env(); ++e) {
    SCOPED_TRACE(e);
    SolveReport report;
    evaluate_from(device.evaluation[e], {p.step_s, p.theta}, &report);
    const SolveReport& host = solution.env[e];
    if (device.problem.env[e].is_inactive) continue;
    EXPECT_TRUE(same(report.relative_residual, host.relative_residual));
    EXPECT_TRUE(same(report.natural_map_error, host.natural_map_error));
    EXPECT_TRUE(same(report.certificate_J, host.certificate_J));
    EXPECT_EQ(report.status, host.status);
    const auto begin = state.begin() + p.env_contact_begin[e],
               end = state.begin() + p.env_contact_begin[e + 1];
    EXPECT_EQ(device.totals[e].n_contact, end - begin);
    EXPECT_EQ(device.totals[e].n_stick, std::count(begin, end, ContactState::stick));
    EXPECT_EQ(device.totals[e].n_slip, std::count(begin, end, ContactState::slip));
    std::vector<Vec3d> scratch;
    const std::vector<Vec3d> force(device.lambda.begin() + p.env_contact_begin[e],
                                   device.lambda.begin() + p.env_contact_begin[e + 1]);
    EXPECT_TRUE(same(device.totals[e].obstacle_force_N,
                     obstacle_force(device.problem.env[e].found.contacts, force, 1, &scratch)));
  }
  expect_depths(device);
}

constexpr int kRoom = 2000;

/// Compares two steps of the same state.
template <class Precision, class Launcher>
void expect_the_hosts(const PairedProblem& problem, Launcher* launcher) {
  PairedDevice<Precision> device(problem, kRoom);
  if constexpr (std::is_same_v<Launcher, RaceDetector>) device.name(launcher);
  device.make(launcher, [&] { device.keep_some(); });
  expect_pairs_of_the_host(device);
  expect_kept_forces_at_start(device);
  device.end(launcher);
  expect_end_of_the_host(device);
  device.keep_solution();
  device.make(launcher, [] {});
  expect_pairs_of_the_host(device);
  expect_kept_forces_at_start(device);
}

template <class Launcher>
void expect_the_hosts(const PairedProblem& problem, Launcher* launcher) {
  in_every_precision(
      [&]<class Precision>(Precision) { expect_the_hosts<Precision>(problem, launcher); });
}

TEST(PairContacts, ProblemsHaveVerticesAndEdgesAtPointsOfTwoAndThreeNodes) {
  int n_edge = 0, n_deep = 0;
  std::map<int, int> n_point;
  for (unsigned seed = 0; seed < 3; ++seed) {
    const PairedProblem problem(seed);
    PairedDevice<DoublePrecision> device(problem, kRoom);
    OneLaneLauncher launcher;
    device.make(&launcher, [] {});
    EXPECT_GT(device.n_pair(), 60);
    EXPECT_LT(device.n_pair(), kRoom);
    n_edge += device.n_edge_pair();
    for (const int n : {1, 2, 3}) n_point[n] += device.n_points_of(n);
    device.end(&launcher);
    n_deep += device.deepest() > 0 ? 1 : 0;
  }
  EXPECT_GT(n_edge, 10);
  for (const int n : {1, 2, 3}) EXPECT_GT(n_point[n], 10) << n;
  EXPECT_GT(n_deep, 0);
}

TEST(PairContacts, HaveTheBitsOfTheHosts) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE(seed);
    const PairedProblem problem(seed);
    OneLaneLauncher one_lane;
    expect_the_hosts(problem, &one_lane);
    for (const CpuIsa isa : available_isas()) {
      SCOPED_TRACE(name_of(isa));
      const CpuLauncher in_packs(isa, 2);
      expect_the_hosts(problem, &in_packs);
    }
  }
}

TEST(PairContacts, AreFreeOfRacesAndOfAccessesOutOfBounds) {
  const PairedProblem problem(1);
  RaceDetector launcher({.seed = 5, .n_block = 4, .strict_regions = true});
  expect_the_hosts(problem, &launcher);
  EXPECT_TRUE(launcher.conflicts().empty());
}

TEST(PairContacts, OfWhichTheListHasRoomForAFewAreTheFirst) {
  const PairedProblem problem(2);
  OneLaneLauncher one_lane;
  PairedDevice<MixedPrecision> all(problem, kRoom);
  all.make(&one_lane, [] {});
  for (const int room : {0, 1, 50}) {
    SCOPED_TRACE(room);
    PairedDevice<MixedPrecision> device(problem, room);
    RaceDetector launcher({.seed = 2, .n_block = 4, .strict_regions = true});
    device.name(&launcher);
    device.make(&launcher, [] {});
    EXPECT_TRUE(launcher.conflicts().empty());
    for (int p = 0; p < room; ++p) {
      EXPECT_EQ(device.pair[p].slot, all.pair[p].slot);
      EXPECT_TRUE(same(device.pair[p].compliance, all.pair[p].compliance));
    }
  }
}

}  // namespace
}  // namespace nodia::test
