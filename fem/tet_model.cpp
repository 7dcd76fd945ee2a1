#include "fem/tet_model.hpp"

#include <algorithm>
#include <cassert>

#include "fem/lanes.hpp"
#include "kernels/assembly/assemble_row.hpp"
#include "kernels/assembly/evaluate_tet.hpp"

namespace nodia {

namespace {

/// Four tetrahedra side by side, for the vector units.
struct TetGroup {
  TetRest<Double4> rest;
  std::int32_t node[4][kTetLanes];
};

/// A column of a block in four lanes; the fourth is zero.
struct LaneColumn {
  Double4 v;

  static LaneColumn load(const double* nodes, int i, DirectMemory) {
    return {load_lanes(nodes + static_cast<std::ptrdiff_t>(kNodeStride) * i)};
  }
  void add(LaneColumn a) { v += a.v; }
  void add_scaled(double s, LaneColumn a) { v += Double4(s) * a.v; }
  Vec3d vector() const { return {v[0], v[1], v[2]}; }
};

TetVectors<Double4> gather(const std::int32_t (&node)[4][kTetLanes], const Vec3d* x) {
  TetVectors<Double4> v;
  for (int a = 0; a < 4; ++a) {
    const Vec3d &p = x[node[a][0]], &q = x[node[a][1]], &r = x[node[a][2]], &s = x[node[a][3]];
    v.corner[a] = {{p.x, q.x, r.x, s.x}, {p.y, q.y, r.y, s.y}, {p.z, q.z, r.z, s.z}};
  }
  return v;
}

}  // namespace

/// What finish() fixes: who gathers what, tetrahedra ascending in every list.
struct TetModel::Lists {
  std::vector<TetGroup> groups;              // the last one repeats the last tetrahedron
  std::vector<std::int32_t> corner_begin;    // [n_node + 1] into corner
  std::vector<std::int32_t> corner;          // the corners of a node
  std::vector<std::int32_t> coupling_begin;  // [n_block + 1] into coupling
  std::vector<Coupling> coupling;            // of the blocks right of the diagonal
  std::vector<std::int32_t> mirror;          // [n_block] block (j, i) of block (i, j)
};

/// Rotation, elastic forces and, for the stiffness, rotated gradients of four tetrahedra.
struct TetModel::EvaluateGroup {
  const TetGroup* groups;
  const Vec3d* x;
  CornerData* corner_data;
  bool with_gradients;

  [[gnu::flatten]] void operator()(int i) const {
    const TetGroup& group = groups[i];
    double* out = corner_data[4 * kTetLanes * static_cast<std::ptrdiff_t>(i)].nodes;
    evaluate_tet(group.rest, gather(group.node, x), with_gradients,
                 [out](int k, const Vec3<Double4>& vector) {
                   store_transposed(vector, out + kNodeStride * k, 4 * kCornerScalars);
                 });
  }
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
  lists->mirror.resize(pattern_->n_block());
  for (int i = 0; i < n_node(); ++i)
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
      lists->corner[next_corner[node[a]]++] = 4 * e + a;
      for (int b = a + 1; b < 4; ++b) {
        const bool ascending = node[a] < node[b];
        lists->coupling[next_coupling[block[pair++]]++] = {4 * e + (ascending ? a : b),
                                                           4 * e + (ascending ? b : a)};
      }
    }
  }

  lists->groups.resize((tets_.size() + kTetLanes - 1) / kTetLanes);
  for (std::size_t g = 0; g < lists->groups.size(); ++g) {
    for (int l = 0; l < kTetLanes; ++l) {
      const CorotationalTet& tet = tets_[std::min(g * kTetLanes + l, tets_.size() - 1)];
      TetGroup& group = lists->groups[g];
      for (int a = 0; a < 4; ++a) group.node[a][l] = tet.node[a];
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) group.rest.gradient(r, c).set(l, tet.rest.gradient(r, c));
      group.rest.volume.set(l, tet.rest.volume);
      group.rest.lambda.set(l, tet.rest.lambda);
      group.rest.mu.set(l, tet.rest.mu);
    }
  }
  corner_data_.resize(4 * kTetLanes * lists->groups.size());
  lists_ = std::move(lists);
}

AssemblyView TetModel::view() const {
  assert(pattern_);
  AssemblyView v;
  v.n_node = n_node();
  v.n_tet = n_tet();
  v.n_block = pattern_->n_block();
  v.n_body = static_cast<int>(bodies_.size());
  v.tet = tets_.data();
  v.body = bodies_.data();
  v.node_body = node_body_.data();
  v.mass = mass_.data();
  v.row_begin = pattern_->row_begin.data();
  v.diagonal = pattern_->diagonal.data();
  v.mirror = lists_->mirror.data();
  v.corner_begin = lists_->corner_begin.data();
  v.corner = lists_->corner.data();
  v.coupling_begin = lists_->coupling_begin.data();
  v.coupling = lists_->coupling.data();
  return v;
}

void TetModel::evaluate_groups(const Vec3d* x, bool with_gradients, int n_thread) const {
  const EvaluateGroup evaluate{lists_->groups.data(), x, corner_data_.data(), with_gradients};
#pragma omp parallel for schedule(static) num_threads(n_thread) if (n_thread > 1)
  for (int g = 0; g < static_cast<int>(lists_->groups.size()); ++g) evaluate(g);
}

void TetModel::assemble(const AssemblyInput& in, double* value, Vec3d* elastic_force) const {
  evaluate_groups(in.x, true, in.n_thread);
  const AssemblyView model = view();
  const AssemblyStep step{in.step_s, in.theta};
  const double* corner = corner_data_.data()->nodes;
#pragma omp parallel for schedule(static) num_threads(in.n_thread) if (in.n_thread > 1)
  for (int i = 0; i < n_node(); ++i)
    elastic_force[i] =
        assemble_row<LaneColumn>(model, step, corner, in.extra_diagonal, i, value, DirectMemory{});
}

void TetModel::elastic_force(const Vec3d* x, Vec3d* force, int n_thread) const {
  evaluate_groups(x, false, n_thread);
  const AssemblyView model = view();
  const double* corner = corner_data_.data()->nodes;
#pragma omp parallel for schedule(static) num_threads(n_thread) if (n_thread > 1)
  for (int i = 0; i < n_node(); ++i)
    force[i] = gather_force<LaneColumn>(model, corner, i, DirectMemory{});
}

double TetModel::elastic_energy(const Vec3d* x) const {
  double sum = 0;
  int left = n_tet();
  for (const TetGroup& group : lists_->groups) {
    const Mat3<Double4> F = deformation_gradient(group.rest, gather(group.node, x));
    const Double4 psi = tet_energy(group.rest, F, polar_rotation(F));
    for (int l = 0; l < std::min(kTetLanes, left); ++l) sum += psi[l];
    left -= kTetLanes;
  }
  return sum;
}

std::vector<double> TetModel::von_mises(const Vec3d* x) const {
  std::vector<double> stress;
  stress.reserve(kTetLanes * lists_->groups.size());
  for (const TetGroup& group : lists_->groups) {
    const Mat3<Double4> F = deformation_gradient(group.rest, gather(group.node, x));
    const Double4 s = tet_von_mises(group.rest, F, polar_rotation(F));
    for (int l = 0; l < kTetLanes; ++l) stress.push_back(s[l]);
  }
  stress.resize(tets_.size());
  return stress;
}

}  // namespace nodia
