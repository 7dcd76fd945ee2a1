#include "fem/soft/tet_model.hpp"

#include <algorithm>
#include <cassert>

#include "kernels/cpu/chunk_sum.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/cpu/over_items.hpp"
#include "kernels/step/assemble.hpp"

namespace nodia {

namespace {

/// Writes a tetrahedron to a lane of a slice.
void put(const CorotationalTet& tet, int lane, TetSlice* slice) {
  for (int a = 0; a < 4; ++a) slice->node[a][lane] = kNodeStride * tet.node[a];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) slice->gradient[3 * r + c][lane] = tet.rest.gradient(r, c);
  slice->volume[lane] = tet.rest.volume;
  slice->lambda[lane] = tet.rest.lambda;
  slice->mu[lane] = tet.rest.mu;
}

}  // namespace

/// Data that finish() builds: masses, materials, and gather lists. The tetrahedra of every list are
/// in ascending order.
struct TetModel::Lists {
  std::shared_ptr<const BlockPattern> pattern;
  std::vector<ElasticBody> bodies;
  std::vector<std::int32_t> node_body;
  std::vector<double> mass;
  std::vector<TetSlice> slices;
  std::vector<std::int32_t> corner_begin;    // [n_node + 1] first index in corner
  std::vector<std::int32_t> corner;          // corners of each node
  std::vector<std::int32_t> coupling_begin;  // [n_block + 1] first index in coupling
  std::vector<Coupling> coupling;            // couplings of each block right of the diagonal
  std::vector<std::int32_t> mirror;          // [n_block] index of block (j, i) for block (i, j)
};

int TetModel::add_body(const TetMesh& rest, const Material& material) {
  assert(!pattern_);
  const int first_node = n_node();
  const double lambda = material.lame_lambda_Pa();
  const double mu = material.lame_mu_Pa();
  mass_.resize(mass_.size() + rest.nodes.size(), 0.0);
  node_body_.resize(mass_.size(), static_cast<std::int32_t>(bodies_.size()));
  bodies_.push_back({lambda, mu, material.rayleigh_mass_1_s, material.rayleigh_stiffness_s});
  for (const auto& nodes : rest.tets) {
    CorotationalTet tet;
    TetVectors<double> x;
    for (int a = 0; a < 4; ++a) {
      tet.node[a] = first_node + nodes[a];
      x.corner[a] = rest.nodes[nodes[a]];
    }
    tet.rest = make_tet_rest(x, lambda, mu);
    for (const std::int32_t node : tet.node)
      mass_[node] += material.density_kg_m3 * tet.rest.volume / 4;
    tets_.push_back(tet);
  }
  return first_node;
}

std::vector<std::pair<std::int32_t, std::int32_t>> TetModel::couplings() const {
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings;
  couplings.reserve(6 * tets_.size());
  for (const CorotationalTet& tet : tets_)
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) couplings.emplace_back(tet.node[a], tet.node[b]);
  return couplings;
}

void TetModel::finish(std::shared_ptr<const BlockPattern> pattern) {
  assert(!pattern_);
  pattern_ = std::move(pattern);
  const std::vector<std::pair<std::int32_t, std::int32_t>> couplings = this->couplings();

  auto lists = std::make_shared<Lists>();
  lists->pattern = pattern_;
  lists->bodies = bodies_;
  lists->node_body = node_body_;
  lists->mass = mass_;
  lists->mirror.resize(pattern_->n_block());
  for (int i = 0; i < pattern_->n_row(); ++i)
    for (int k = pattern_->row_begin[i]; k < pattern_->row_begin[i + 1]; ++k)
      lists->mirror[k] = pattern_->find(pattern_->column[k], i);

  // Counting sort of the corners by node and of the couplings by block.
  lists->corner_begin.assign(mass_.size() + 1, 0);
  lists->coupling_begin.assign(lists->mirror.size() + 1, 0);
  std::vector<std::int32_t> block;
  block.reserve(couplings.size());
  for (const auto& [i, j] : couplings) {
    block.push_back(pattern_->find(std::min(i, j), std::max(i, j)));
    ++lists->coupling_begin[block.back() + 1];
  }
  for (const CorotationalTet& tet : tets_)
    for (const std::int32_t node : tet.node) ++lists->corner_begin[node + 1];
  for (std::size_t i = 1; i < lists->corner_begin.size(); ++i)
    lists->corner_begin[i] += lists->corner_begin[i - 1];
  for (std::size_t k = 1; k < lists->coupling_begin.size(); ++k)
    lists->coupling_begin[k] += lists->coupling_begin[k - 1];
  lists->corner.resize(4 * tets_.size());
  lists->coupling.resize(couplings.size());
  std::vector<std::int32_t> next_corner(lists->corner_begin);
  std::vector<std::int32_t> next_coupling(lists->coupling_begin);
  std::size_t pair = 0;
  for (int e = 0; e < n_tet(); ++e) {
    const std::int32_t* node = tets_[e].node;
    for (int a = 0; a < 4; ++a) {
      lists->corner[next_corner[node[a]]++] = corner_index(e, a);
      for (int b = a + 1; b < 4; ++b) {
        const bool ascending = node[a] < node[b];
        lists->coupling[next_coupling[block[pair++]]++] = {corner_index(e, ascending ? a : b),
                                                           corner_index(e, ascending ? b : a)};
      }
    }
  }

  lists->slices.resize(slice_count(n_tet()));
  for (int e = 0; e < static_cast<int>(lists->slices.size()) * kSliceTets; ++e)
    put(tets_[std::min(e, n_tet() - 1)], e % kSliceTets, &lists->slices[e / kSliceTets]);
  corners_.resize(lists->slices.size());
  nodes_.resize(mass_.size());
  lists_ = std::move(lists);
}

AssemblyView TetModel::view() const {
  assert(pattern_);
  AssemblyView v;
  v.n_node = n_node();
  v.n_tet = n_tet();
  v.n_block = pattern_->n_block();
  v.n_body = static_cast<int>(bodies_.size());
  v.slice = lists_->slices.data();
  v.body = lists_->bodies.data();
  v.node_body = lists_->node_body.data();
  v.mass = lists_->mass.data();
  v.row_begin = pattern_->row_begin.data();
  v.column = pattern_->column.data();
  v.diagonal = pattern_->diagonal.data();
  v.mirror = lists_->mirror.data();
  v.corner_begin = lists_->corner_begin.data();
  v.corner = lists_->corner.data();
  v.coupling_begin = lists_->coupling_begin.data();
  v.coupling = lists_->coupling.data();
  return v;
}

/// Copies positions into padded nodes.
const double* TetModel::pad(const Vec3d* x, int n_thread, std::vector<Node>* nodes) const {
  nodes->resize(mass_.size());
  for_items(n_node(), n_thread, [&](int i) { (*nodes)[i] = {x[i].x, x[i].y, x[i].z, 0}; });
  return nodes->empty() ? nullptr : nodes->data()->value;
}

void TetModel::unpad(Vec3d* force, int n_thread) const {
  for_items(n_node(), n_thread, [&](int i) {
    const double* node = nodes_[i].value;
    force[i] = {node[0], node[1], node[2]};
  });
}

void TetModel::assemble(const AssemblyInput& in, double* value, Vec3d* elastic_force) const {
  AssembleRows rows;
  rows.model = view();
  rows.corner = corners_.empty() ? nullptr : corners_.data()->node;
  rows.step = in.time;
  rows.extra_diagonal = in.extra_diagonal;
  rows.value = value;
  // The forces may replace x in nodes_: the tetrahedra have read x by then.
  rows.elastic_force = nodes_.empty() ? nullptr : nodes_.data()->value;
  const auto launch = [&](auto tets) {
    tets.model = rows.model;
    tets.corner = corners_.empty() ? nullptr : corners_.data()->node;
    tets.x = pad(in.x, in.n_thread, &nodes_);
    launch_assembly(CpuLauncher(chosen_isa(), in.n_thread), tets, rows);
  };
  if (in.turned) {
    EvaluateTurnedTets tets;
    tets.turned = pad(in.turned, in.n_thread, &turned_);
    launch(tets);
  } else {
    launch(EvaluateTets{});
  }
  unpad(elastic_force, in.n_thread);
}

void TetModel::elastic_force(const Vec3d* x, Vec3d* force, int n_thread) const {
  EvaluateTets tets;
  GatherForces forces;
  forces.model = tets.model = view();
  forces.corner = tets.corner = corners_.empty() ? nullptr : corners_.data()->node;
  tets.x = pad(x, n_thread, &nodes_);
  tets.with_gradients = false;
  // The forces may replace x in nodes_: EvaluateTets has read x by then.
  forces.elastic_force = nodes_.empty() ? nullptr : nodes_.data()->value;
  launch_forces(CpuLauncher(chosen_isa(), n_thread), tets, forces);
  unpad(force, n_thread);
}

void TetModel::measure(TetMeasure measure, const Vec3d* x, int n_thread) const {
  measured_.resize(lists_->slices.size() * kSliceTets);
  MeasureTets tets;
  tets.model = view();
  tets.x = pad(x, n_thread, &nodes_);
  tets.measure = measure;
  tets.value = measured_.data();
  CpuLauncher(chosen_isa(), n_thread).launch("measure_tets", tets, item_count(n_tet()));
}

double TetModel::elastic_energy(const Vec3d* x, int n_thread) const {
  measure(TetMeasure::energy, x, n_thread);
  return chunk_sum(n_tet(), n_thread, 0.0, [&](int e, double* energy) {
    *energy += measured_[static_cast<std::size_t>(e)];
  });
}

std::vector<double> TetModel::von_mises(const Vec3d* x) const {
  measure(TetMeasure::von_mises, x, 1);
  return {measured_.begin(), measured_.begin() + n_tet()};
}

}  // namespace nodia
