/// Runs the end-of-step kernels on environments of ended_problem.hpp.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "host/solvers/cond/loop_problem.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/step/attachment_totals.hpp"
#include "kernels/step/contact_totals.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/step/ended_problem.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia::test {

/// Arrays of the attachments of several environments.
struct AttachmentArrays {
  std::vector<AttachmentStep> step;
  std::vector<std::uint8_t> is_attached;
  std::vector<Vec3d> begin, end;
  std::vector<Mat3d> begin_rotation, end_rotation;
  std::vector<AttachmentSums> chunk_sum, sum;
  std::int32_t end_slot = 0;
  AttachmentBatch batch;

  /// @param soft  output: attached nodes of every environment
  void make(std::vector<SoftRows>* soft) {
    int most_nodes = 0;
    for (std::size_t e = 0; e < step.size(); ++e) {
      const AttachedNodes& attachments = *step[e].attached_nodes;
      SoftAttachments& own = (*soft)[e].attachments;
      own.n_attachment = attachments.n_attachment();
      own.n_attached_node = static_cast<std::int32_t>(attachments.attached_node.size());
      own.first = static_cast<std::int32_t>(is_attached.size());
      own.attached_node = attachments.attached_node.data();
      own.begin = attachments.begin.data();
      own.stiffness_N_m = attachments.stiffness_N_m.data();
      own.place = step[e].place->data();
      batch.n_attachment = std::max(batch.n_attachment, own.n_attachment);
      for (int a = 0; a < own.n_attachment; ++a) {
        most_nodes = std::max(most_nodes, attachments.begin[a + 1] - attachments.begin[a]);
        is_attached.push_back(step[e].is_attached[a]);
        begin.push_back(step[e].begin[a].position);
        begin_rotation.push_back(step[e].begin[a].rotation);
        end.push_back(step[e].end[a].position);
        end_rotation.push_back(step[e].end[a].rotation);
      }
    }
    batch.n_chunk = item_count(most_nodes);
    const AttachmentSums unknown{{kUnwritten, 0, 0}, {}, kUnwritten, kUnwritten};
    sum.assign(is_attached.size(), unknown);
    chunk_sum.assign(is_attached.size() * static_cast<std::size_t>(batch.n_chunk), unknown);
    batch.is_attached = is_attached.data();
    batch.frames[0] = {end.data(), end_rotation.data()};
    batch.frames[1] = {begin.data(), begin_rotation.data()};
    batch.end_slot = &end_slot;
    batch.chunk_sum = chunk_sum.data();
    batch.sum = sum.data();
  }
};

inline std::vector<double> numbers_of(const std::vector<AttachmentSums>& attachments) {
  std::vector<double> all;
  for (const AttachmentSums& h : attachments)
    for (const Vec3d& a : {h.force_N, h.torque_Nm, Vec3d{h.work_J, h.energy_J, 0}})
      all.insert(all.end(), {a.x, a.y, a.z});
  return all;
}

inline void expect_same(const Ended& host, const Ended& kernels) {
  EXPECT_EQ(count_different(kernels.x, host.x), 0);
  EXPECT_TRUE(same_bits(numbers_of(kernels.attachments), numbers_of(host.attachments)))
      << testing::PrintToString(numbers_of(kernels.attachments)) << ", host "
      << testing::PrintToString(numbers_of(host.attachments));
  const SoftEnd &a = kernels.end, &b = host.end;
  EXPECT_TRUE(same_bits(std::vector{a.obstacle_force_N}, std::vector{b.obstacle_force_N}));
  EXPECT_EQ(a.n_contact, b.n_contact);
  EXPECT_EQ(a.n_stick, b.n_stick);
  EXPECT_EQ(a.n_slip, b.n_slip);
  EXPECT_EQ(a.is_finite, b.is_finite);
  EXPECT_EQ(a.is_reached, b.is_reached);
  EXPECT_TRUE(same_bits(
      std::vector{a.kinetic_J, a.elastic_J, b.is_reached ? a.elastic_J + a.gravity_J : a.gravity_J},
      std::vector{b.kinetic_J, b.elastic_J, b.gravity_J}))
      << a.kinetic_J << ' ' << a.elastic_J << ' ' << a.gravity_J << ", host " << b.kinetic_J << ' '
      << b.elastic_J << ' ' << b.gravity_J;
}

/// Several environments after a solve.
class SolvedBatch {
 public:
  std::vector<std::unique_ptr<Solved>> env;

  void add(unsigned seed, const std::vector<TetMesh>& bodies, int n_obstacle) {
    env.push_back(std::make_unique<Solved>(seed, bodies, n_obstacle));
  }

  /// @param solution  output: v_hat in the loop's precision
  template <class Precision, class Launcher>
  std::vector<Ended> by_kernels(Launcher* launcher,
                                std::vector<std::vector<Vec3d>>* solution) const {
    using Real = typename Precision::Real;
    const ContactProblem p = problem();
    LoopProblem<Precision> loop{CommonOptions{}, CondOptions{}};
    loop.set(p, WarmStart{});
    std::vector<VfpiEnvironment<Precision>> envs = loop.environments();
    std::vector<SoftStepArrays> arrays(env.size());
    std::vector<SoftRows> soft;
    std::vector<SoftContacts> contacts;
    std::vector<std::vector<std::int32_t>> row(env.size());
    std::vector<std::vector<double>> elastic_sum(env.size());
    std::vector<SoftEvaluation> evaluation;
    SoftEnd unknown;
    unknown.n_contact = -7;
    unknown.is_reached = unknown.is_finite = true;
    std::vector<SoftEnd> end(env.size(), unknown);
    SoftStepBatch<Precision> batch;
    AttachmentArrays attached;
    solution->assign(env.size(), {});
    const auto name = [&](const char* what, auto& array) {
      if constexpr (std::is_same_v<Launcher, RaceDetector>)
        if (!array.empty())
          launcher->name_region(array.data(), array.size() * sizeof(array[0]), what);
    };
    for (std::size_t e = 0; e < env.size(); ++e) {
      const Solved& s = *env[e];
      VfpiEnvironment<Precision>& own = envs[e];
      own.control->solution = static_cast<std::uint8_t>((e + 1) % 4);
      own.control->status = s.status;
      for (int i = 0; i < kMaxSums; ++i)  // leftovers of the loop
        std::fill_n(own.partial + i * own.partial_stride(), own.n_chunk, kUnwritten);
      for (int i = 0; i < s.n_node(); ++i) {
        row[e].push_back(loop.rows().local_row(p.env_node_begin[e] + i));
        const Vec3<Real> v = cast<Real>(s.v_hat[i]);
        store_state<Real>(own, own.node[own.control->solution], row[e].back(), v, DirectMemory{});
        (*solution)[e].push_back(cast<double>(v));
      }
      soft.push_back(arrays[e].make(s.scene));
      arrays[e].name(launcher);
      contacts.push_back(s.make());
      contacts[e].row = row[e].data();
      elastic_sum[e].assign(static_cast<std::size_t>(item_count(soft[e].model.n_tet)), kUnwritten);
      contacts[e].elastic_sum = elastic_sum[e].data();
      evaluation.push_back(s.evaluation);
      attached.step.emplace_back();
      s.attached->attachments().describe(
          s.scene.state, s.scene.state.time_s + s.scene.scene.time.step_s, &attached.step.back());
      name("elastic_sum", elastic_sum[e]);
      name("prepared", s.obstacle);
      name("slot", s.slot);
      name("kept", s.kept);
      batch.n_node = std::max(batch.n_node, s.n_node());
      batch.n_tet = std::max(batch.n_tet, soft[e].model.n_tet);
      batch.n_obstacle = std::max(batch.n_obstacle, s.n_obstacle());
      batch.n_chunk = std::max(batch.n_chunk, static_cast<int>(own.n_chunk));
    }
    for (auto& role : loop.arrays().node) name("node", role);
    name("control", loop.arrays().control);
    name("partial", loop.arrays().partial);
    name("evaluation", evaluation);
    name("end", end);
    attached.make(&soft);
    name("chunk_sum", attached.chunk_sum);
    name("sum", attached.sum);
    batch.n_env = static_cast<int>(env.size());
    batch.soft = soft.data();
    batch.contacts = contacts.data();
    batch.env = envs.data();
    batch.evaluation = evaluation.data();
    batch.end = end.data();
    batch.attachments = attached.batch;
    launch_contact_totals(*launcher, batch);
    launch_attachment_totals(*launcher, batch);
    launch_end_of_step(*launcher, batch);
    std::vector<Ended> ended;
    for (std::size_t e = 0; e < env.size(); ++e) {
      const bool is_reached = end[e].is_reached && !env[e]->is_inactive;
      ended.push_back({{}, {}, end[e]});
      const auto first = attached.sum.begin() + soft[e].attachments.first;
      const std::vector<AttachmentSums> attachments(first,
                                                    first + soft[e].attachments.n_attachment);
      if (is_reached) {
        ended[e].x = unpadded(arrays[e].padded_x);
        ended[e].attachments = attachments;
      } else {
        for (const AttachmentSums& one : attachments)
          EXPECT_TRUE(std::isnan(one.work_J));  // nothing was written
      }
      // The host may still read the start-of-step state in the next step.
      EXPECT_EQ(count_different(arrays[e].x, env[e]->scene.state.x), 0);
      EXPECT_EQ(count_different(arrays[e].v, env[e]->scene.state.v), 0);
    }
    return ended;
  }

  template <class Precision, class Launcher>
  void expect_the_hosts(Launcher* launcher) const {
    std::vector<std::vector<Vec3d>> solution;
    const std::vector<Ended> kernels = by_kernels<Precision>(launcher, &solution);
    for (std::size_t e = 0; e < env.size(); ++e) {
      SCOPED_TRACE(testing::Message() << "environment " << e);
      if (!env[e]->is_inactive) {
        expect_same(by_host(env[e].get(), solution[e]), kernels[e]);
        continue;
      }
      EXPECT_EQ(kernels[e].end.n_contact, -7);
    }
  }

  template <class Precision>
  void expect_the_hosts(std::uint64_t seed) const {
    OneLaneLauncher one_lane;
    expect_the_hosts<Precision>(&one_lane);
    for (const CpuIsa isa : available_isas()) {
      SCOPED_TRACE(name_of(isa));
      const CpuLauncher in_packs(isa, 2);
      expect_the_hosts<Precision>(&in_packs);
    }
    RaceDetector detector({.seed = seed, .n_block = 4, .strict_regions = true});
    expect_the_hosts<Precision>(&detector);
    EXPECT_TRUE(detector.conflicts().empty());
  }

  void expect_the_hosts_in_every_precision(std::uint64_t seed) const {
    {
      SCOPED_TRACE("double");
      expect_the_hosts<DoublePrecision>(seed);
    }
    {
      SCOPED_TRACE("mixed");
      expect_the_hosts<MixedPrecision>(seed);
    }
    {
      SCOPED_TRACE("float");
      expect_the_hosts<FloatPrecision>(seed);
    }
  }

 private:
  /// Problem with the rows of the environments, so that a loop exists; it has no contacts.
  ContactProblem problem() const {
    ContactProblem p;
    std::vector<std::shared_ptr<const BlockPattern>> patterns;
    for (const auto& s : env) patterns.push_back(s->scene.system.pattern());
    p.step_s = 0.01;
    p.A = BlockMatrix(BlockPattern::concatenate(patterns));
    std::ptrdiff_t first = 0;
    for (const auto& s : env) {
      const BlockMatrix& A = s->scene.A;
      const std::ptrdiff_t n_value = 9 * std::ptrdiff_t{A.pattern->n_block()};
      std::copy_n(A.value.begin(), n_value, p.A.value.begin() + first);
      first += n_value;
      p.b.insert(p.b.end(), s->scene.b.begin(), s->scene.b.end());
      const std::vector<double>& mass = s->scene.system.soft_bodies().model().mass();
      p.mass.insert(p.mass.end(), mass.begin(), mass.end());
      p.env_node_begin.push_back(p.n_node());
      p.env_contact_begin.push_back(0);
    }
    p.derive_topology();
    return p;
  }
};

}  // namespace nodia::test
