/// Assembly straight into the planes of the loop against the host's assembly and FillMatrix, bit
/// for bit.
#include <gtest/gtest.h>

#include <deque>
#include <limits>

#include "host/solvers/cond/loop_problem.hpp"
#include "host/step/soft_input.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/step/assemble_planes.hpp"
#include "kernels/vfpi/fill_matrix.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/random_soft_model.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

using test::count_different;
using test::FemRandom;
using test::OneLaneLauncher;
using test::RandomSoftModel;

constexpr int kOther = 5;

/// Environments of soft bodies, and in some of other rows; in one nothing is soft.
struct SoftProblem {
  ContactProblem p;
  std::deque<RandomSoftModel> models;

  SoftProblem(unsigned seed, double noise) {
    FemRandom random(seed + 1000);
    const int n_other[] = {0, kOther, 0, kOther};
    for (int e = 0; e < 4; ++e) {
      models.emplace_back(e == 2 ? seed : seed + e, noise, n_other[e]);
      models.back().step = models.front().step;
    }
    std::vector<std::shared_ptr<const BlockPattern>> patterns;
    for (const RandomSoftModel& m : models) patterns.push_back(m.model.pattern());
    p.A = BlockMatrix(BlockPattern::concatenate(patterns));
    p.theta = models.front().step.theta;
    p.step_s = models.front().step.step_s;
    p.soft.resize(models.size());
    for (std::size_t e = 0; e < models.size(); ++e) {
      add(e, &random);
      p.env_node_begin.push_back(p.n_node());
      p.env_contact_begin.push_back(p.n_contact());
    }
    p.mass.assign(p.b.size(), 1.0);
    p.derive_topology();
  }

 private:
  /// Three attachments, of which some hold the same nodes and the second lets go.
  static void attach_nodes(const RandomSoftModel& m, FemRandom* random, AttachmentStep* step,
                           std::vector<double>* diagonal, std::vector<Vec3d>* external) {
    auto attachments = std::make_shared<AttachedNodes>();
    auto place = std::make_shared<std::vector<Vec3d>>();
    std::vector<std::int32_t> last(m.x.size(), -1);
    attachments->begin.push_back(0);
    for (int a = 0; a < 3; ++a) {
      const double stiffness = random->uniform(1, 1000);
      const Pose frame{random->vector(1), random->rotation()};
      step->is_attached.push_back(a == 1 ? 0 : 1);
      step->target.push_back(frame);
      for (int i = a; i < static_cast<int>(m.x.size()); i += 2 + a) {
        const auto k = static_cast<std::int32_t>(attachments->attached_node.size());
        attachments->attached_node.push_back({i, a, -1, last[i] < 0 ? 1 : 0});
        if (last[i] >= 0) attachments->attached_node[last[i]].next = k;
        last[i] = k;
        place->push_back(random->vector(0.1));
        if (a == 1) continue;
        (*diagonal)[i] += m.step.theta_t() * stiffness;
        (*external)[i] += attachment_force(stiffness, frame.to_world(place->back()), m.x[i]);
      }
      attachments->begin.push_back(static_cast<std::int32_t>(attachments->attached_node.size()));
      attachments->stiffness_N_m.push_back(stiffness);
    }
    step->attached_nodes = attachments;
    step->place = place;
  }

  void add(std::size_t e, FemRandom* random) {
    const RandomSoftModel& m = models[e];
    const BlockPattern& pattern = *m.model.pattern();
    const int n_soft = m.model.n_node(), first = p.n_node(),
              first_block = p.A.pattern->row_begin[first];
    double* value = p.A.value.data() + 9 * static_cast<std::ptrdiff_t>(first_block);
    SoftSource& source = p.soft[e];
    source.model = &m.model;
    source.x = m.x.data();
    source.v = m.v.data();
    source.gravity = m.gravity;
    std::vector<double> diagonal(n_soft);
    std::vector<Vec3d> external(n_soft), external_force(n_soft), elastic(n_soft);
    if (e % 2 == 1) {
      attach_nodes(m, random, &source.attachments, &diagonal, &external);
      for (int i = 0; i < n_soft; i += 5)
        source.external_forces.push_back({i, external_force[i] = random->vector(4)});
    }
    m.model.assemble({m.x.data(), m.step, diagonal.data(), 1}, value, elastic.data());
    for (int i = 0; i < n_soft; ++i)
      p.b.push_back(
          right_hand_side(m.step, m.model.mass()[i], elastic[i], external[i], m.gravity, m.v[i]) +
          external_force[i]);
    // Rows that are others: those behind the nodes, and of one environment some nodes'.
    const auto change = [&](int row) {
      for (int k = pattern.row_begin[row]; k < pattern.row_begin[row + 1]; ++k)
        for (int i = 0; i < 9; ++i) value[9 * k + i] += random->uniform(-1, 1);
    };
    for (int row = n_soft; row < pattern.n_row(); ++row) {
      p.b.push_back(random->vector(3));
      change(row);
      value[9 * pattern.diagonal[row]] += 10;
    }
    if (e == 3)
      for (const int node : {0, n_soft / 2, n_soft - 1}) {
        source.others.push_back(node);
        change(node);
        p.b[first + node] += random->vector(1);
      }
    if (e == 2) {  // at rest, as a failed one
      source = {};
      for (int k = 0; k < 9 * pattern.n_block(); ++k) value[k] = 0;
      for (int row = 0; row < pattern.n_row(); ++row) {
        store_block(value + 9 * pattern.diagonal[row], 3.0 * Mat3d::identity());
        p.b[first + row] = {};
      }
    }
    for (int i = static_cast<int>(e); i < n_soft; i += 5) {  // rows leave the nodes' order
      Contact<double> c;
      c.side_i = first + i;
      c.R = Mat3d::identity();
      p.contacts.push_back(c);
    }
  }
};

/// The loop's arrays that an assembly writes.
template <class Precision>
struct Planes {
  using Real = typename Precision::Real;
  AlignedVector<typename Precision::Matrix> matrix;
  AlignedVector<double> exact;
  AlignedVector<Real> b;

  explicit Planes(const LoopArrays<Precision, HostMemory>& arrays)
      : matrix(arrays.matrix), exact(arrays.exact), b(arrays.b) {}
};

template <class T>
int count_different_values(const AlignedVector<T>& a, const AlignedVector<T>& b) {
  return count_different(std::vector<T>(a.begin(), a.end()), std::vector<T>(b.begin(), b.end()));
}

template <class Precision>
void expect_same_planes(const Planes<Precision>& a, const Planes<Precision>& b) {
  EXPECT_GT(a.matrix.size(), 0);
  EXPECT_EQ(count_different_values(a.matrix, b.matrix), 0);
  EXPECT_EQ(count_different_values(a.exact, b.exact), 0);
  EXPECT_EQ(count_different_values(a.b, b.b), 0);
}

/// As the CPU does: the host's A and b, and FillMatrix.
template <class Precision>
Planes<Precision> by_filling(const ContactProblem& p) {
  const WarmStart cold;
  LoopProblem<Precision> problem{CommonOptions{}, CondOptions{}};
  problem.set(p, cold);
  std::vector<WorkItem> work;
  for (int e = 0; e < p.n_env(); ++e)
    for (int chunk = 0; chunk < problem.environments()[e].n_chunk; ++chunk)
      work.push_back({e, chunk});
  const VfpiBatch<Precision> batch{
      problem.options(), p.n_env(), p.n_env(), problem.environments().data(), work.data(), nullptr};
  FillMatrix<Precision> fill;
  fill.batch = &batch;
  OneLaneLauncher().launch("fill_matrix", fill, static_cast<int>(work.size()));
  return Planes<Precision>(problem.arrays());
}

template <class T>
void poison(AlignedVector<T>* values) {
  std::fill(values->begin(), values->end(), std::numeric_limits<T>::quiet_NaN());
}

/// Straight into the planes.
template <class Precision, class Launcher>
Planes<Precision> by_assembling(const ContactProblem& p, Launcher* launcher) {
  const WarmStart cold;
  LoopProblem<Precision> problem{CommonOptions{}, CondOptions{}};
  problem.set(p, cold);
  auto& arrays = problem.arrays();
  poison(&arrays.matrix);
  poison(&arrays.exact);
  std::vector<VfpiEnvironment<Precision>> env = problem.environments();
  for (int e = 0; e < p.n_env(); ++e) {
    env[e].block_value = nullptr;
    const Vec3d nan{std::nan(""), std::nan(""), std::nan("")};
    for (int row = p.env_node_begin[e]; row < p.env_node_begin[e + 1]; ++row)
      store_planes<typename Precision::Real>(env[e].b, problem.rows().local_row(row),
                                             cast<typename Precision::Real>(nan), DirectMemory{});
  }
  SoftInput input;
  input.gather(p, problem.rows());

  PlanesAssembly<Precision> assembly;
  std::vector<SoftRows> soft(env.size());
  std::vector<std::vector<std::int32_t>> node;
  std::vector<std::vector<test::PaddedNode>> padded_x, corner;
  std::vector<std::vector<SoftLoad>> load;
  std::vector<std::uint8_t> is_attached;
  std::vector<Vec3d> position;
  std::vector<Mat3d> rotation;
  const auto name = [&](const char* what, auto& array) {
    if constexpr (std::is_same_v<Launcher, RaceDetector>)
      if (!array.empty())
        launcher->name_region(array.data(), array.size() * sizeof(array[0]), what);
  };
  for (int e = 0; e < p.n_env(); ++e) {
    SoftRows& s = soft[e];
    const SoftSource& source = p.soft[e];
    if (source.model) s.model = source.model->view();
    s.step.step_s = p.step_s;
    s.step.theta = p.theta;
    s.gravity = source.gravity;
    node.push_back(problem.rows().nodes(e));
    s.n_row = static_cast<int>(node.back().size());
    s.node = node.back().data();
    s.x = reinterpret_cast<double*>(input.x.data()) + 3 * input.first_node[e];
    s.v = reinterpret_cast<double*>(input.v.data()) + 3 * input.first_node[e];
    padded_x.emplace_back(s.model.n_node);
    corner.emplace_back(kSliceNodes * slice_count(s.model.n_tet));
    const AttachmentStep& attachments = source.attachments;
    load.emplace_back(attachments.attached_nodes == nullptr ? 0 : s.model.n_node);
    s.padded_x = test::scalars(padded_x.back());
    s.corner = test::scalars(corner.back());
    s.load = load.back().empty() ? nullptr : load.back().data();
    if (attachments.attached_nodes != nullptr) {
      s.attachments = {attachments.attached_nodes->n_attachment(),
                       static_cast<std::int32_t>(attachments.attached_nodes->attached_node.size()),
                       static_cast<std::int32_t>(is_attached.size()),
                       attachments.attached_nodes->attached_node.data(),
                       attachments.attached_nodes->begin.data(),
                       attachments.attached_nodes->stiffness_N_m.data(),
                       attachments.place->data()};
      assembly.n_attached_node = std::max(assembly.n_attached_node, s.attachments.n_attached_node);
      for (std::size_t a = 0; a < attachments.is_attached.size(); ++a) {
        is_attached.push_back(attachments.is_attached[a]);
        position.push_back(attachments.target[a].position);
        rotation.push_back(attachments.target[a].rotation);
      }
    }
    assembly.n_node = std::max(assembly.n_node, s.model.n_node);
    assembly.n_tet = std::max(assembly.n_tet, s.model.n_tet);
    assembly.n_row = std::max(assembly.n_row, s.n_row);
    if constexpr (std::is_same_v<Launcher, RaceDetector>)
      if (s.model.n_tet > 0)
        launcher->name_region(s.model.slice, slice_count(s.model.n_tet) * sizeof(TetSlice),
                              "slice");
    name("padded_x", padded_x.back());
    name("corner", corner.back());
    name("load", load.back());
  }
  name("x", input.x);
  name("v", input.v);
  name("matrix", arrays.matrix);
  name("exact", arrays.exact);
  name("b", arrays.b);
  assembly.n_env = p.n_env();
  assembly.n_external_force = static_cast<int>(input.external_forces.size());
  assembly.n_sent = static_cast<int>(input.sent.size());
  assembly.env = env.data();
  assembly.soft = soft.data();
  assembly.targets = {is_attached.data(), {position.data(), rotation.data()}};
  assembly.external_force = input.external_forces.data();
  assembly.sent = input.sent.data();
  assembly.value = input.value.data();
  launch_planes(*launcher, assembly);
  return Planes<Precision>(arrays);
}

template <class Precision>
void expect_bits_of_the_host(const ContactProblem& p) {
  const Planes<Precision> filled = by_filling<Precision>(p);
  OneLaneLauncher one_lane;
  expect_same_planes(filled, by_assembling<Precision>(p, &one_lane));
  for (const CpuIsa isa : available_isas()) {
    SCOPED_TRACE(name_of(isa));
    const CpuLauncher in_packs(isa, 2);
    expect_same_planes(filled, by_assembling<Precision>(p, &in_packs));
  }
}

TEST(AssemblePlanes, HasTheBitsOfTheHostsAssembly) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const SoftProblem s(seed, seed % 3 == 0 ? 1e-3 : seed % 3 == 1 ? 0.1 : 0.5);
    expect_bits_of_the_host<DoublePrecision>(s.p);
    expect_bits_of_the_host<MixedPrecision>(s.p);
    expect_bits_of_the_host<FloatPrecision>(s.p);
  }
}

template <class Precision>
void expect_no_race(const ContactProblem& p, unsigned seed) {
  RaceDetector launcher({.seed = seed, .n_block = 4, .strict_regions = true});
  expect_same_planes(by_filling<Precision>(p), by_assembling<Precision>(p, &launcher));
  EXPECT_TRUE(launcher.conflicts().empty());
}

TEST(AssemblePlanes, IsFreeOfRacesAndOfAccessesOutOfBounds) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE(seed);
    const SoftProblem s(seed, 0.3);
    expect_no_race<DoublePrecision>(s.p, seed + 1);
    expect_no_race<MixedPrecision>(s.p, seed + 1);
    expect_no_race<FloatPrecision>(s.p, seed + 1);
  }
}

/// The same of one body as scenes have it.
void expect_bits_of_mesh(const TetMesh& mesh) {
  TetModel model;
  Material material;
  model.add_body(mesh, material);
  model.finish();
  FemRandom random(3);
  std::vector<Vec3d> x, v;
  for (const Vec3d& node : mesh.nodes) {
    x.push_back(node + random.vector(1e-3));
    v.push_back(random.vector(1));
  }
  ContactProblem p;
  p.A = BlockMatrix(model.pattern());
  p.b.resize(x.size());
  p.mass.assign(x.size(), 1.0);
  p.env_node_begin = {0, p.n_node()};
  p.env_contact_begin = {0, 0};
  const TimeStep step{p.step_s, p.theta};
  model.assemble({x.data(), step, nullptr, 1}, p.A.value.data(), p.b.data());
  const Vec3d gravity{0, 0, -9.81};
  for (std::size_t i = 0; i < x.size(); ++i)
    p.b[i] = right_hand_side(step, model.mass()[i], p.b[i], {}, gravity, v[i]);
  p.derive_topology();
  p.soft.resize(1);
  p.soft[0].model = &model;
  p.soft[0].x = x.data();
  p.soft[0].v = v.data();
  p.soft[0].gravity = gravity;
  expect_bits_of_the_host<DoublePrecision>(p);
  expect_bits_of_the_host<MixedPrecision>(p);
  expect_bits_of_the_host<FloatPrecision>(p);
}

TEST(AssemblePlanes, HasTheBitsOfTheHostsAssemblyForMatsAndBalls) {
  expect_bits_of_mesh(mesh_mat({0.2, 0.2, 0.01}, 900));
  expect_bits_of_mesh(mesh_ball(0.1, 1200));
}

TEST(AssemblePlanes, ACopyOfAProblemHasNoSources) {
  SoftProblem s(1, 0.1);
  ContactProblem copy = s.p;
  EXPECT_FALSE(s.p.soft.empty());
  EXPECT_TRUE(copy.soft.empty());
  s.p = copy;
  EXPECT_TRUE(s.p.soft.empty());
  SoftProblem other(2, 0.1);
  const ContactProblem moved = std::move(other.p);
  EXPECT_FALSE(moved.soft.empty());
}

}  // namespace
}  // namespace nodia
