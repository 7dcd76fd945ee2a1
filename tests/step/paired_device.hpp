/// Environments of paired_problem.hpp in the memory of a launcher, after the loop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "host/base/aligned_vector.hpp"
#include "host/errors/errors.hpp"
#include "host/solvers/cond/loop_problem.hpp"
#include "host/solvers/cond/nodalization.hpp"
#include "kernels/contact/in_cone.hpp"
#include "kernels/step/contact_totals.hpp"
#include "kernels/step/evaluate.hpp"
#include "kernels/step/kept_forces.hpp"
#include "kernels/step/make_pairs.hpp"
#include "kernels/step/near_places.hpp"
#include "kernels/step/pair_depths.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/step/paired_problem.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/paired_arrays.hpp"
#include "tests/support/soft_step.hpp"

namespace nodia::test {

template <class Precision>
struct PairedDevice {
  using Real = typename Precision::Real;
  /// Arrays of an environment.
  struct Arrays : NodeArrays {
    using NodeArrays::NodeArrays;
    std::vector<std::int32_t> slot;
    std::vector<double> compliance;
    std::vector<Vec3d> kept;
    AlignedVector<Real> lambda;
  };

  const PairedProblem& problem;
  std::vector<Vec3d> compliance;
  Nodalization nodes;
  LoopProblem<Precision> loop;
  std::vector<VfpiEnvironment<Precision>> env;
  std::deque<Arrays> arrays;
  std::vector<SoftRows> soft;
  std::vector<SoftContacts> contacts;
  PairedArrays surfaces;
  std::vector<ContactRule> rule;        ///< rules of the searches
  std::vector<Vec3d> solution, lambda;  ///< of the loop, in the host's format
  std::vector<Vec3d> force_at_start;    ///< per pair, expected initial force
  std::vector<PairContact> pair;        ///< list of the step; may be too small
  std::vector<PairCounts> counts;
  std::vector<std::uint64_t> key;
  std::vector<std::int32_t> item;
  std::vector<KeptPair> kept;
  std::vector<KeptRange> kept_range;
  std::vector<double> depth;
  std::vector<SoftEvaluation> evaluation;
  std::vector<SoftEnd> totals;
  SoftStepBatch<Precision> batch;

  /// @param capacity  of the list of pairs
  PairedDevice(const PairedProblem& of, int capacity)
      : problem(of), loop(common_options(), CondOptions{}) {
    compliance = delassus_diagonal_estimate(problem.p);
    nodalize(problem.p, compliance, CondOptions{}, &nodes);
    loop.set(problem.p, WarmStart{});
    env = loop.environments();
    FemRandom random(3);
    for (int e = 0; e < problem.n_env(); ++e) add(e, &random);
    OneLaneLauncher launcher;
    evaluate_corners(launcher, soft);
    surfaces.make_room(capacity);
    pair.resize(static_cast<std::size_t>(capacity));
    key.resize(kPairNodes * pair.size());
    item.resize(key.size());
    kept.resize(pair.size());
    depth.assign(static_cast<std::size_t>(surfaces.n_search()), -7);
    evaluation.resize(env.size());
    totals.resize(env.size());
    batch.n_env = problem.n_env();
    batch.soft = soft.data();
    batch.contacts = contacts.data();
    batch.env = env.data();
    batch.projection = common_options().projection;
    batch.omega = common_options().invertible_omega_m_Ns;
    batch.evaluation = evaluation.data();
    batch.end = totals.data();
    PairBatch& pairs = batch.pairs;
    pairs.paired = surfaces.paired();
    pairs.capacity = capacity;
    pairs.slot = surfaces.selected.data();
    pairs.n_selected = &surfaces.n_selected;
    pairs.rule = rule.data();
    pairs.coupling = CondOptions{}.coupling();
    pairs.pair = pair.data();
    pairs.counts = counts.data();
    pairs.sorted_key = key.data();
    pairs.sorted_item = item.data();
    pairs.kept = kept.data();
    pairs.kept_range = kept_range.data();
    pairs.depth = depth.data();
  }

  static CommonOptions common_options() {
    CommonOptions options;
    options.execution.threads = 1;
    options.invertible_omega_m_Ns = 1e-4;
    return options;
  }

  /// Names the arrays for the race detector.
  void name(RaceDetector* launcher) {
    const auto one = [&](const char* what, const auto& array) {
      name_array(launcher, what, array);
    };
    surfaces.name(one);
    launcher->name_region(&surfaces.n_selected, sizeof(std::int32_t), "n_selected");
    for (int e = 0; e < problem.n_env(); ++e) {
      const Arrays& a = arrays[e];
      a.name(launcher, problem.env[e]);
      one("slot", a.slot);
      one("kept", a.kept);
      one("compliance", a.compliance);
      one("lambda", a.lambda);
    }
    one("env", env);
    for (auto& role : loop.arrays().node) one("node", role);
    one("control", loop.arrays().control);
    one("partial", loop.arrays().partial);
    one("inverse_mass", loop.arrays().inverse_mass);
    one("pair", pair);
    one("counts", counts);
    one("sorted_key", key);
    one("sorted_item", item);
    one("kept", kept);
    one("kept_range", kept_range);
    one("depth", depth);
    one("evaluation", evaluation);
    one("end", totals);
  }

  /// Makes the pairs and contacts of a step. @param keep  writes the stored forces of the last step
  template <class Launcher, class Keep>
  void make(Launcher* launcher, const Keep& keep) {
    launch_near_places(*launcher, batch);
    launch_find_pairs(*launcher, batch.pairs.paired);
    keep();
    launch_make_pairs(*launcher, batch);
  }
  /// Runs the remaining kernels of a step's pairs, also those after the loop.
  template <class Launcher>
  void end(Launcher* launcher) {
    sort_nodes();
    for (VfpiEnvironment<Precision>& own : env)
      for (int i = 0; i < kMaxSums; ++i)  // leftovers of the loop
        std::fill_n(own.partial + i * own.partial_stride(), own.n_chunk,
                    std::numeric_limits<double>::quiet_NaN());
    launch_keep_forces(*launcher, batch);
    launch_evaluation(*launcher, batch);
    launch_contact_totals(*launcher, batch);
    launch_pair_depths(*launcher, batch);
  }

  /// Stores forces of some pairs and of others that do not exist.
  void keep_some() {
    FemRandom random(8);
    std::size_t n = 0;
    for (int e = 0; e < problem.n_env(); ++e) {
      kept_range[e] = {static_cast<std::int32_t>(n), 0};
      for (int k = 0; k < counts[e].n; ++k) {
        const int p = counts[e].first + k;
        const Identity own = identity(e, p);
        if (k % 3 == 0) continue;
        KeptPair one = own;
        one.force = random.vector(2);
        if (k % 3 == 1 || own.edge < 0) force_at_start[p] = one.force;
        if (k % 3 == 2 && own.edge >= 0) one.edge += 1000;
        if (own.edge >= 0) one.slot += k % 2 == 0 ? 0 : kEdgePairs - 1 - own.slot_of_edge;
        kept[n++] = one;
      }
      kept_range[e].n = static_cast<std::int32_t>(n) - kept_range[e].first;
    }
  }
  /// Stores the solution of all pairs, which have the same indices in the next step.
  void keep_solution() {
    for (int e = 0; e < problem.n_env(); ++e)
      for (int k = 0; k < counts[e].n; ++k)
        force_at_start[counts[e].first + k] = lambda[problem.first_pair(e) + k];
  }

  int n_pair() const { return counts.back().first + counts.back().n; }
  int n_edge_pair() const {
    return static_cast<int>(
        std::count_if(pair.begin(), pair.end(), [](const PairContact& p) { return p.edge >= 0; }));
  }
  int n_points_of(int n) const {
    int count = 0;
    for (const PairContact& p : pair)
      for (const PairSide& side : p.side) count += side.n == n ? 1 : 0;
    return count;
  }
  double deepest() const { return *std::max_element(depth.begin(), depth.end()); }

 private:
  static constexpr int kWorldSlots = 2;  ///< of coupled rows, in every environment

  struct Identity : KeptPair {
    std::int32_t slot_of_edge = 0;
    Identity(KeptPair kept, std::int32_t of_edge) : KeptPair(kept), slot_of_edge(of_edge) {}
  };

  void add(int e, FemRandom* random) {
    const PairedEnvironment& of = problem.env[e];
    VfpiEnvironment<Precision>& own = env[e];
    Arrays& a = arrays.emplace_back(of, loop.rows(), e, problem.p.env_node_begin[e]);
    own.control->solution = static_cast<std::uint8_t>((e + 1) % 4);
    for (int i = 0; i < of.n_node(); ++i) {
      const Vec3<Real> v = cast<Real>(of.is_inactive ? Vec3d{} : random->vector(0.3));
      store_state<Real>(own, own.node[own.control->solution], a.row[i], v, DirectMemory{});
      solution.push_back(cast<double>(v));
    }
    const SoftRows& s = soft.emplace_back(a.soft_rows(of));

    const ObstacleContacts& obstacles = *of.contacts;
    a.slot.assign(a.flag.size(), -1);
    a.kept.assign(a.flag.size(), Vec3d{});
    SoftContacts& c = contacts.emplace_back(a.soft_contacts(of));
    c.surface = obstacles.surface.data();
    c.may_collide = obstacles.may_collide.data();
    c.rule = obstacles.rule.data();
    c.times = obstacles.times;
    c.kept = &a.kept[0].x;
    c.slot = a.slot.data();
    const SoftSearches* const searches = of.is_inactive ? nullptr : obstacles.soft_searches.get();
    surfaces.add(searches, {s.x, s.v, c.v_free}, c.near.reach);
    if (searches != nullptr)
      for (const auto& [i, j] : searches->search) rule.push_back(of.rule(i, j));
    add_forces(e, random);
    batch.n_node = std::max(batch.n_node, of.n_node());
    batch.n_obstacle = std::max(batch.n_obstacle, of.n_obstacle());
    batch.n_chunk = std::max(batch.n_chunk, static_cast<int>(own.n_chunk));
  }

  /// Writes the loop's forces: contacts with obstacles, an index without a contact, and kWorldSlots
  /// contacts of rows in pairs before the pairs.
  void add_forces(int e, FemRandom* random) {
    const ContactProblem& p = problem.p;
    VfpiEnvironment<Precision>& own = env[e];
    Arrays& a = arrays[e];
    const int first = p.env_contact_begin[e], first_pair = problem.first_pair(e),
              end = p.env_contact_begin[e + 1];
    const std::int32_t before = counts.empty() ? 0 : n_pair();
    PairCounts& count = counts.emplace_back();
    kept_range.emplace_back();
    count.first = before;
    count.n = end - first_pair;
    count.n_world_slot = kWorldSlots;
    force_at_start.resize(force_at_start.size() + static_cast<std::size_t>(count.n));
    own.first_coupled_slot = first_pair - first + 1;
    const int shift = 1 + kWorldSlots;
    a.lambda.assign(kNodeStride * static_cast<std::size_t>(end - first + shift),
                    std::numeric_limits<Real>::quiet_NaN());
    a.compliance.assign(static_cast<std::size_t>(end - first + shift),
                        std::numeric_limits<double>::quiet_NaN());
    for (int m = first; m < end; ++m) {
      const Contact<double>& c = p.contacts[m];
      const int slot = m - first + (m < first_pair ? 0 : shift);
      const Vec3d inside = project(Projection::strict, random->vector(2), c.mu1, c.mu2);
      const Vec3<Real> force = cast<Real>(m % 4 == 0 ? Vec3d{} : inside);
      DirectMemory{}.template store_node<Real>(a.lambda.data(), slot, force);
      lambda.push_back(
          in_cone<Real>(common_options().projection, cast<double>(force), c.mu1, c.mu2));
      if (m >= first_pair) continue;
      a.slot[problem.env[e].place(m - first)] = slot;
      a.compliance[slot] = largest_axis(compliance[m]) + common_options().invertible_omega_m_Ns;
    }
    own.lambda = a.lambda.data();
    own.compliance = a.compliance.data();
  }

  /// Sorts PairBatch::sorted_key and sorted_item.
  void sort_nodes() {
    std::vector<std::pair<std::uint64_t, std::int32_t>> sorted;
    for (int e = 0; e < problem.n_env(); ++e)
      for (int p = counts[e].first; p < counts[e].first + counts[e].n; ++p) {
        int place = 0;
        for (const PairSide& side : pair[p].side)
          for (int k = 0; k < side.n; ++k)
            sorted.emplace_back(pair_key(e, arrays[e].row[side.node[k]]), kPairNodes * p + place++);
      }
    std::sort(sorted.begin(), sorted.end());
    sorted.resize(key.size(), {~std::uint64_t{0}, 0});
    std::transform(sorted.begin(), sorted.end(), key.begin(),
                   [](const auto& n) { return n.first; });
    std::transform(sorted.begin(), sorted.end(), item.begin(),
                   [](const auto& n) { return n.second; });
  }

  /// KeptPair of a selected pair.
  Identity identity(int e, int p) const {
    const std::int32_t slot = surfaces.selected[p];
    std::size_t s = 0;
    while (slot >= surfaces.slots()[s].end()) ++s;
    const PairSlots& slots = surfaces.slots()[s];
    KeptPair own;
    own.slot = slot - surfaces.slots()[surfaces.first_search(e)].first;
    if (!slots.is_edge(slot)) return {own, 0};
    own.edge = surfaces.other[slots.other(slot)];
    return {own, (slot - slots.first - slots.n_vertex) % kEdgePairs};
  }
};

}  // namespace nodia::test
