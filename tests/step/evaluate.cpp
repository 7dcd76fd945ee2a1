/// Tests kernels that evaluate the errors of a solution against the host's evaluation, bit for bit.
#include "kernels/step/evaluate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <deque>
#include <functional>
#include <limits>

#include "host/solvers/cond/loop_problem.hpp"
#include "host/solvers/report.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/step/assemble_planes.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/random_soft_model.hpp"

namespace nodia {
namespace {

using test::FemRandom;
using test::OneLaneLauncher;
using test::RandomSoftModel;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Data of an environment beside its soft bodies.
struct Surroundings {
  std::vector<PreparedObstacle> obstacle;
  std::vector<ContactRule> rule;
  std::vector<std::int32_t> surface, slot;
  std::vector<Vec3d> kept;
  std::vector<test::PaddedNode> padded_x, corner;
  std::vector<SoftLoad> load;
};

struct Case {
  unsigned seed = 1;
  Projection projection = Projection::strict;
  double omega = 0;
  int n_env = 4;
  int resting = -1;  ///< index of an inactive environment
};

/// Soft bodies with contacts on random candidate pairs, none, one or several per node, and
/// arbitrary velocities and forces.
class EvaluatedBatch {
 public:
  explicit EvaluatedBatch(const Case& c) : case_(c), random_(c.seed + 1000) {
    for (int e = 0; e < c.n_env; ++e) {
      models_.emplace_back(c.seed + static_cast<unsigned>(e), 0.2);
      models_.back().step = models_.front().step;
    }
    p.theta = models_.front().step.theta;
    p.step_s = models_.front().step.step_s;
    std::vector<std::shared_ptr<const BlockPattern>> patterns;
    for (const RandomSoftModel& m : models_) patterns.push_back(m.model.pattern());
    p.A = BlockMatrix(BlockPattern::concatenate(patterns));
    own_.resize(models_.size());
    soft_.resize(models_.size());
    contacts_.resize(models_.size());
    for (std::size_t e = 0; e < models_.size(); ++e) {
      add_rows(e);
      add_contacts(e);
      p.env_node_begin.push_back(p.n_node());
      p.env_contact_begin.push_back(p.n_contact());
    }
    p.derive_topology();
    for (int i = 0; i < p.n_node(); ++i) v.push_back(random_.vector(2));
    if (c.resting >= 0)
      std::fill(v.begin() + p.env_node_begin[c.resting],
                v.begin() + p.env_node_begin[c.resting + 1], Vec3d{});
  }

  int n_env() const { return p.n_env(); }

  /// Reports of the host. @param v  velocities in the loop's precision
  std::vector<SolveReport> by_host(const std::vector<Vec3d>& answer) const {
    Solution solution;
    solution.v = answer;
    solution.lambda = lambda;
    solution.env.resize(static_cast<std::size_t>(n_env()));
    evaluate(p, common(), &solution);
    return solution.env;
  }

  /// Reports of the kernels. @param answer  output: v in the loop's precision
  template <class Precision, class Launcher>
  std::vector<SolveReport> by_kernels(Launcher* launcher, std::vector<Vec3d>* answer) {
    using Real = typename Precision::Real;
    const WarmStart cold;
    LoopProblem<Precision> problem{common(), CondOptions{}};
    problem.set(p, cold);
    auto& arrays = problem.arrays();
    std::vector<VfpiEnvironment<Precision>> env = problem.environments();
    std::vector<std::vector<std::int32_t>> rows(env.size());
    std::vector<SoftEvaluation> evaluation(env.size());
    SoftStepBatch<Precision> batch;
    answer->clear();
    for (int e = 0; e < n_env(); ++e) {
      Surroundings& own = own_[e];
      const int first = p.env_node_begin[e], n_node = p.env_node_begin[e + 1] - first;
      env[e].control->solution = static_cast<std::uint8_t>((e + case_.seed) % 4);
      // Leftovers of the loop, in every chunk.
      for (int i = 0; i < kMaxSums; ++i)
        std::fill_n(env[e].partial + i * env[e].partial_stride(), env[e].n_chunk, kNan);
      for (int i = 0; i < n_node; ++i) {
        const std::int32_t row = problem.rows().local_row(first + i);
        rows[e].push_back(row);
        const Vec3<Real> velocity = cast<Real>(v[first + i]);
        store_state<Real>(env[e], env[e].node[env[e].control->solution], row, velocity,
                          DirectMemory{});
        answer->push_back(cast<double>(velocity));
      }
      std::fill(own.slot.begin(), own.slot.end(), -1);
      for (int slot = 0; slot < env[e].n_slot; ++slot)
        if (env[e].contact[slot].side_i != kWorld) own.slot[env[e].contact[slot].key] = slot;
      contacts_[e].row = rows[e].data();
      contacts_[e].slot = own.slot.data();
      for (int m = p.env_contact_begin[e]; m < p.env_contact_begin[e + 1]; ++m)
        own.kept[p.contacts[m].key] = lambda[m];
      contacts_[e].kept = reinterpret_cast<double*>(own.kept.data());
      batch.n_node = std::max(batch.n_node, n_node);
      batch.n_obstacle = std::max(batch.n_obstacle, contacts_[e].near.n_obstacle);
      batch.n_chunk = std::max(batch.n_chunk, static_cast<int>(env[e].n_chunk));
    }
    batch.n_env = n_env();
    batch.soft = soft_.data();
    batch.contacts = contacts_.data();
    batch.env = env.data();
    batch.projection = case_.projection;
    batch.omega = case_.omega;
    batch.evaluation = evaluation.data();
    if constexpr (std::is_same_v<Launcher, RaceDetector>) {
      const auto name = [&](const char* what, auto& array) {
        if (!array.empty())
          launcher->name_region(array.data(), array.size() * sizeof(array[0]), what);
      };
      for (std::size_t e = 0; e < env.size(); ++e) {
        name("v", models_[e].v);
        name("corner", own_[e].corner);
        name("load", own_[e].load);
        name("x", models_[e].x);
        name("prepared", own_[e].obstacle);
        name("slot", own_[e].slot);
        name("kept", own_[e].kept);
      }
      for (auto& role : arrays.node) name("node", role);
      name("control", arrays.control);
      name("inverse_mass", arrays.inverse_mass);
      name("compliance", arrays.compliance);
      name("partial", arrays.partial);
      name("evaluation", evaluation);
    }
    launch_evaluation(*launcher, batch);
    std::vector<SolveReport> reports(env.size());
    for (std::size_t e = 0; e < env.size(); ++e)
      evaluate_from(evaluation[e], {p.step_s, p.theta}, &reports[e]);
    return reports;
  }

  ContactProblem p;
  std::vector<Vec3d> v, lambda;

 private:
  CommonOptions common() const {
    CommonOptions options;
    options.execution.threads = 1;
    options.projection = case_.projection;
    options.invertible_omega_m_Ns = case_.omega;
    return options;
  }

  void add_rows(std::size_t e) {
    RandomSoftModel& m = models_[e];
    Surroundings& own = own_[e];
    const int n_node = m.model.n_node(), first = p.n_node();
    double* value =
        p.A.value.data() + 9 * static_cast<std::ptrdiff_t>(p.A.pattern->row_begin[first]);
    const bool is_inactive = static_cast<int>(e) == case_.resting;
    SoftRows& soft = soft_[e];
    soft.model = m.model.view();
    soft.step = m.step;
    soft.gravity = m.gravity;
    own.padded_x.resize(m.x.size());
    own.corner.resize(kSliceNodes * static_cast<std::size_t>(slice_count(soft.model.n_tet)));
    if (e % 2 == 1)
      for (int i = 0; i < n_node; ++i)
        own.load.push_back({i % 3 == 0 ? m.extra_diagonal[i] : 0.0, m.external_force[i],
                            i % 2 == 0 ? random_.vector(4) : Vec3d{}});
    soft.x = reinterpret_cast<double*>(m.x.data());
    soft.v = reinterpret_cast<double*>(m.v.data());
    soft.padded_x = test::scalars(own.padded_x);
    soft.corner = test::scalars(own.corner);
    soft.load = own.load.empty() ? nullptr : own.load.data();
    launch_elements(OneLaneLauncher(), "pad_nodes", PadNodes{}, &soft, 1, n_node);
    launch_elements(OneLaneLauncher(), "evaluate_soft_tets", EvaluateSoftTets{}, &soft, 1,
                    slice_count(soft.model.n_tet) * kSliceTets);
    std::vector<double> diagonal(m.x.size());
    std::vector<Vec3d> elastic(m.x.size());
    for (std::size_t i = 0; i < own.load.size(); ++i) diagonal[i] = own.load[i].diagonal;
    if (!is_inactive)
      m.model.assemble({m.x.data(), m.step, diagonal.data(), 1}, value, elastic.data());
    for (int i = 0; i < n_node; ++i) {
      const SoftLoad load = own.load.empty() ? SoftLoad{} : own.load[i];
      p.mass.push_back(m.model.mass()[i]);
      p.b.push_back(is_inactive ? Vec3d{}
                                : right_hand_side(m.step, m.model.mass()[i], elastic[i],
                                                  load.external, m.gravity, m.v[i]) +
                                      load.external_force);
      if (is_inactive)
        store_block(value + 9 * m.model.pattern()->diagonal[i], 3.0 * Mat3d::identity());
    }
    contacts_[e].near.n_node = is_inactive ? 0 : n_node;
  }

  void add_contacts(std::size_t e) {
    Surroundings& own = own_[e];
    SoftContacts& contacts = contacts_[e];
    DetectionView& near = contacts.near;
    const int first = static_cast<int>(p.n_node()) - models_[e].model.n_node(),
              n_node = near.n_node;
    near.n_obstacle = static_cast<int>((e + 3) % 5);  // one environment has none
    near.reach = {0.01, p.step_s};
    constexpr int kSurfaces = 2;
    for (int k = 0; k < near.n_obstacle; ++k) {
      ObstaclePose o;
      o.shape.kind = k % 2 == 0 ? ShapeKind::half_space : ShapeKind::sphere;
      o.shape.radius = 0.02;
      o.now = {random_.vector(0.02), random_.rotation()};
      o.next = {o.now.position + random_.vector(0.001), o.now.rotation};
      own.obstacle.push_back(prepare_obstacle(o, 1, near.reach));
    }
    for (int k = 0; k < kSurfaces * near.n_obstacle; ++k)
      own.rule.push_back({random_.uniform(0, 1), random_.uniform(0, 1),
                          k % 2 == 0 ? Vec3d{} : random_.vector(1), random_.uniform(0, 1)});
    for (int i = 0; i < n_node; ++i) own.surface.push_back(i % kSurfaces);
    const auto n_place = static_cast<std::size_t>(n_node) * near.n_obstacle;
    own.slot.assign(n_place, -1);
    own.kept.assign(n_place, Vec3d{kNan, kNan, kNan});  // forces without a contact are never read
    near.prepared = own.obstacle.data();
    contacts.surface = own.surface.data();
    contacts.rule = own.rule.data();
    contacts.times = {p.step_s, p.theta, 0.01, 0.2, 1};
    std::vector<std::int32_t> row(static_cast<std::size_t>(n_node));
    for (int i = 0; i < n_node; ++i) row[i] = first + i;
    contacts.row = row.data();
    for (int i = 0; i < n_node; ++i) {
      const double share = i % 3 == 0 ? 0.9 : i % 3 == 1 ? 0.3 : 0;
      for (int k = 0; k < near.n_obstacle; ++k) {
        if (random_.uniform(0, 1) > share) continue;
        Contact<double> c = contact_at(contacts, soft_[e], i, k, DirectMemory{});
        c.key = static_cast<std::uint64_t>(i) * near.n_obstacle + k;
        p.contacts.push_back(c);
        lambda.push_back(random_.uniform(0, 1) < 0.2 ? Vec3d{} : random_.vector(5));
      }
    }
  }

  Case case_;
  FemRandom random_;
  std::deque<RandomSoftModel> models_;
  std::vector<Surroundings> own_;
  std::vector<SoftRows> soft_;
  std::vector<SoftContacts> contacts_;
};

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}

void expect_same(const std::vector<SolveReport>& host, const std::vector<SolveReport>& device) {
  ASSERT_EQ(host.size(), device.size());
  for (std::size_t e = 0; e < host.size(); ++e) {
    const SolveReport &a = host[e], &b = device[e];
    EXPECT_TRUE(same(a.relative_residual, b.relative_residual))
        << e << ": " << a.relative_residual << ' ' << b.relative_residual;
    EXPECT_TRUE(same(a.natural_map_error, b.natural_map_error))
        << e << ": " << a.natural_map_error << ' ' << b.natural_map_error;
    EXPECT_TRUE(same(a.certificate_J, b.certificate_J))
        << e << ": " << a.certificate_J << ' ' << b.certificate_J;
    EXPECT_TRUE(same(a.energy_error_J, b.energy_error_J)) << e;
    EXPECT_EQ(a.status, b.status) << e;
    EXPECT_EQ(a.reason, b.reason) << e;
  }
}

/// Runs one lane, packs, and the race detector. @return  the host's reports
template <class Precision>
std::vector<SolveReport> expect_the_hosts(EvaluatedBatch* batch, std::uint64_t seed) {
  std::vector<Vec3d> answer;
  OneLaneLauncher one_lane;
  const std::vector<SolveReport> device = batch->by_kernels<Precision>(&one_lane, &answer);
  const std::vector<SolveReport> host = batch->by_host(answer);
  expect_same(host, device);
  for (const CpuIsa isa : available_isas()) {
    SCOPED_TRACE(name_of(isa));
    const CpuLauncher in_packs(isa, 2);
    expect_same(host, batch->by_kernels<Precision>(&in_packs, &answer));
  }
  RaceDetector detector({.seed = seed, .n_block = 4, .strict_regions = true});
  expect_same(host, batch->by_kernels<Precision>(&detector, &answer));
  EXPECT_TRUE(detector.conflicts().empty());
  return host;
}

void in_every_precision(EvaluatedBatch* batch, std::uint64_t seed,
                        const std::function<void(const std::vector<SolveReport>&)>& check) {
  {
    SCOPED_TRACE("double");
    check(expect_the_hosts<DoublePrecision>(batch, seed));
  }
  {
    SCOPED_TRACE("mixed");
    check(expect_the_hosts<MixedPrecision>(batch, seed));
  }
  {
    SCOPED_TRACE("float");
    check(expect_the_hosts<FloatPrecision>(batch, seed));
  }
}

TEST(SoftEvaluation, HasTheBitsOfTheHostsErrors) {
  int n_chunks = 0, n_shared = 0;
  for (unsigned seed = 1; seed <= 6; ++seed)
    for (const Projection projection : {Projection::strict, Projection::proximal}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ' ' << name_of(projection));
      EvaluatedBatch batch({.seed = seed, .projection = projection, .omega = seed % 2 * 1e-3});
      in_every_precision(&batch, seed, [&](const std::vector<SolveReport>& reports) {
        for (int e = 0; e < batch.n_env(); ++e) {
          EXPECT_GT(reports[e].relative_residual, 0);
          EXPECT_GT(reports[e].certificate_J, 0);
          EXPECT_EQ(reports[e].natural_map_error > 0,
                    batch.p.env_contact_begin[e] < batch.p.env_contact_begin[e + 1]);
          EXPECT_EQ(reports[e].status, SolveStatus::iteration_limit);
        }
      });
      for (int e = 0; e < batch.n_env(); ++e)
        n_chunks += batch.p.env_node_begin[e + 1] - batch.p.env_node_begin[e] > kBlockLanes;
      for (std::size_t m = 1; m < batch.p.contacts.size(); ++m)
        n_shared += batch.p.contacts[m].side_i == batch.p.contacts[m - 1].side_i;
    }
  EXPECT_GT(n_chunks, 3);
  EXPECT_GT(n_shared, 100);
}

TEST(SoftEvaluation, SolutionsThatAreNotFiniteAreToldOfTheirEnvironmentAlone) {
  const double values[] = {kNan, kInfinity, -kInfinity};
  for (unsigned seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    EvaluatedBatch batch({.seed = seed});
    // Not at the start of a chunk, and the last node of an environment.
    batch.v[batch.p.env_node_begin[2] - 1].z = values[seed % 3];
    batch.lambda[batch.p.env_contact_begin[4] - 1].y = values[seed - 1];
    in_every_precision(&batch, seed, [&](const std::vector<SolveReport>& reports) {
      for (int e = 0; e < batch.n_env(); ++e) {
        const bool finite = e % 2 == 0;
        EXPECT_EQ(reports[e].status == SolveStatus::not_a_number, !finite);
        EXPECT_EQ(reports[e].reason, finite ? "" : "the answer is not finite");
        EXPECT_EQ(std::isfinite(reports[e].relative_residual), finite);
      }
    });
  }
}

TEST(SoftEvaluation, NumbersTooLargeToBeSquaredAreTold) {
  EvaluatedBatch batch({.seed = 4});
  batch.lambda[batch.p.env_contact_begin[1] - 1] = {1e200, 1e200, -1e200};
  batch.v[batch.p.env_node_begin[1]] = {1e30, -1e30, 1e30};
  in_every_precision(&batch, 4, [&](const std::vector<SolveReport>& reports) {
    EXPECT_EQ(reports[0].status, SolveStatus::not_a_number);
    EXPECT_TRUE(reports[0].reason.starts_with("the relative residual is not finite"));
    EXPECT_EQ(reports[1].status, SolveStatus::iteration_limit);
    EXPECT_TRUE(std::isfinite(reports[1].relative_residual));
  });
}

TEST(SoftEvaluation, NothingAtAllIsNoError) {
  EvaluatedBatch batch({.seed = 5});
  std::fill(batch.v.begin(), batch.v.end(), Vec3d{});
  std::fill(batch.lambda.begin(), batch.lambda.end(), Vec3d{});
  in_every_precision(&batch, 5, [&](const std::vector<SolveReport>& reports) {
    for (const SolveReport& report : reports) EXPECT_EQ(report.relative_residual, 1);
  });
}

TEST(SoftEvaluation, AnEnvironmentThatRestsHasNoErrors) {
  for (const int resting : {0, 3}) {
    SCOPED_TRACE(resting);
    EvaluatedBatch batch({.seed = 6, .resting = resting});
    in_every_precision(&batch, 6, [&](const std::vector<SolveReport>& reports) {
      for (int e = 0; e < batch.n_env(); ++e)
        EXPECT_EQ(reports[e].relative_residual == 0, e == resting);
      EXPECT_EQ(reports[resting].certificate_J, 0);
      EXPECT_EQ(reports[resting].natural_map_error, 0);
    });
  }
}

TEST(SoftEvaluation, WhatSolversSaidStaysUnlessTheAnswerIsNotFinite) {
  SolveReport report;
  report.status = SolveStatus::diverged;
  report.reason = "it grew";
  SoftEvaluation evaluation;
  evaluation.sums.dynamics = {4, 16, 1};
  evaluation.sums.contacts = {1, 2, 4};
  evaluate_from(evaluation, {0.1, 0.5}, &report);
  EXPECT_EQ(report.status, SolveStatus::diverged);
  EXPECT_EQ(report.reason, "it grew");
  EXPECT_EQ(report.relative_residual, 0.5);
  EXPECT_EQ(report.natural_map_error, 0.25);
  EXPECT_DOUBLE_EQ(report.certificate_J, 0.5 * 0.1 * 0.1 / 2 * 4);
  EXPECT_TRUE(std::isnan(report.energy_error_J));
  evaluation.is_finite = false;
  evaluate_from(evaluation, {0.1, 0.5}, &report);
  EXPECT_EQ(report.status, SolveStatus::not_a_number);
  EXPECT_EQ(report.reason, "it grew");
  evaluation.is_finite = true;
  evaluation.sums.contacts.worst = kNan;
  report = {};
  evaluate_from(evaluation, {0.1, 0.5}, &report);
  EXPECT_EQ(report.status, SolveStatus::not_a_number);
  EXPECT_TRUE(report.reason.starts_with("the contact error is not finite"));
}

}  // namespace
}  // namespace nodia
