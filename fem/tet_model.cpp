#include "fem/tet_model.hpp"

#include <algorithm>
#include <cassert>

#include "fem/lanes.hpp"
#include "kernels/core/launch.hpp"

namespace nodia {

namespace {

/// Four tetrahedra side by side, for the vector units.
struct TetGroup {
  TetRest<Lanes> rest;
  std::int32_t node[4][kLanes];
};

/// One element's part V g_a g_b^T of an off-diagonal block: where g_a and g_b lie among the
/// corners.
struct Coupling {
  std::int32_t row, column;
};

TetVectors<Lanes> gather(const std::int32_t (&node)[4][kLanes], const Vec3d* x) {
  TetVectors<Lanes> v;
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
    const Mat3<Lanes> F = deformation_gradient(group.rest, gather(group.node, x));
    const Mat3<Lanes> R = polar_rotation(F);
    CornerData* out = corner_data + 4 * kLanes * static_cast<std::ptrdiff_t>(i);
    constexpr int kStride = 4 * sizeof(CornerData) / sizeof(double);
    const TetVectors<Lanes> f = tet_forces(group.rest, F, R);
    for (int a = 0; a < 4; ++a) store_transposed(f.corner[a], out[a].force, kStride);
    if (!with_gradients) return;
    const TetVectors<Lanes> g = rotated_gradients(group.rest, R);
    for (int a = 0; a < 4; ++a) store_transposed(g.corner[a], out[a].gradient, kStride);
  }
};

/// One block row: the elastic force, the diagonal block, the blocks right of it and their mirror
/// images.
struct TetModel::GatherRow {
  const TetModel& model;
  const AssemblyInput& in;
  double* value;
  Vec3d* force;

  // Columns of sum V g_a g_b^T, each (x, y, z, 0).
  struct OuterSum {
    Lanes x, y, z;

    void add(const double* g_a, const double* g_b) {
      const Lanes a = load_lanes(g_a);
      x += Lanes(g_b[0]) * a;
      y += Lanes(g_b[1]) * a;
      z += Lanes(g_b[2]) * a;
    }
    Mat3d matrix() const { return {{{x[0], y[0], z[0]}, {x[1], y[1], z[1]}, {x[2], y[2], z[2]}}}; }
  };

  void operator()(int i) const {
    const CornerData* data = model.corner_data_.data();
    const Lists& lists = *model.lists_;
    const BlockPattern& pattern = *model.pattern_;
    const Body& body = model.bodies_[model.node_body_[i]];
    const double factor = in.theta * in.step_s + body.rayleigh_stiffness_s;
    const double lambda = factor * body.lambda_Pa;
    const double mu = factor * body.mu_Pa;

    Lanes node_force;
    OuterSum sum;
    for (std::int32_t c = lists.corner_begin[i]; c < lists.corner_begin[i + 1]; ++c) {
      const CornerData& corner = data[lists.corner[c]];
      node_force += load_lanes(corner.force);
      sum.add(corner.gradient, corner.gradient);
    }
    force[i] = {node_force[0], node_force[1], node_force[2]};
    double diagonal = model.mass_[i] * (1 / (in.theta * in.step_s) + body.rayleigh_mass_1_s);
    if (in.extra_diagonal) diagonal += in.extra_diagonal[i];
    const Mat3d own = stiffness_block(sum.matrix(), lambda, mu);
    store_block(value + 9 * static_cast<std::ptrdiff_t>(pattern.diagonal[i]),
                Mat3d{{{own.row[0].x + diagonal, own.row[0].y, own.row[0].z},
                       {own.row[1].x, own.row[1].y + diagonal, own.row[1].z},
                       {own.row[2].x, own.row[2].y, own.row[2].z + diagonal}}});

    for (std::int32_t k = pattern.diagonal[i] + 1; k < pattern.row_begin[i + 1]; ++k) {
      OuterSum off;
      for (std::int32_t c = lists.coupling_begin[k]; c < lists.coupling_begin[k + 1]; ++c) {
        const Coupling& coupling = lists.coupling[c];
        off.add(data[coupling.row].gradient, data[coupling.column].gradient);
      }
      const Mat3d block = stiffness_block(off.matrix(), lambda, mu);
      store_block(value + 9 * static_cast<std::ptrdiff_t>(k), block);
      store_block(value + 9 * static_cast<std::ptrdiff_t>(lists.mirror[k]), transpose(block));
    }
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

void TetModel::finish() {
  assert(!pattern_);
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings;
  couplings.reserve(6 * tets_.size());
  for (const CorotationalTet& tet : tets_)
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) couplings.emplace_back(tet.node[a], tet.node[b]);
  pattern_ = BlockPattern::from_couplings(n_node(), couplings);

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

  lists->groups.resize((tets_.size() + kLanes - 1) / kLanes);
  for (std::size_t g = 0; g < lists->groups.size(); ++g) {
    for (int l = 0; l < kLanes; ++l) {
      const CorotationalTet& tet = tets_[std::min(g * kLanes + l, tets_.size() - 1)];
      TetGroup& group = lists->groups[g];
      for (int a = 0; a < 4; ++a) group.node[a][l] = tet.node[a];
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) group.rest.gradient(r, c).set(l, tet.rest.gradient(r, c));
      group.rest.volume.set(l, tet.rest.volume);
      group.rest.lambda.set(l, tet.rest.lambda);
      group.rest.mu.set(l, tet.rest.mu);
    }
  }
  corner_data_.resize(4 * kLanes * lists->groups.size());
  lists_ = std::move(lists);
}

void TetModel::evaluate_groups(const Vec3d* x, bool with_gradients, int n_thread) const {
  launch(static_cast<int>(lists_->groups.size()),
         EvaluateGroup{lists_->groups.data(), x, corner_data_.data(), with_gradients}, n_thread);
}

void TetModel::assemble(const AssemblyInput& in, double* value, Vec3d* elastic_force) const {
  assert(pattern_);
  evaluate_groups(in.x, true, in.n_thread);
  launch(n_node(), GatherRow{*this, in, value, elastic_force}, in.n_thread);
}

void TetModel::elastic_force(const Vec3d* x, Vec3d* force, int n_thread) const {
  assert(pattern_);
  evaluate_groups(x, false, n_thread);
  const auto gather_force = [this, force](int i) {
    Lanes sum;
    for (std::int32_t c = lists_->corner_begin[i]; c < lists_->corner_begin[i + 1]; ++c)
      sum += load_lanes(corner_data_[lists_->corner[c]].force);
    force[i] = {sum[0], sum[1], sum[2]};
  };
  launch(n_node(), gather_force, n_thread);
}

double TetModel::elastic_energy(const Vec3d* x) const {
  double sum = 0;
  int left = n_tet();
  for (const TetGroup& group : lists_->groups) {
    const Mat3<Lanes> F = deformation_gradient(group.rest, gather(group.node, x));
    const Lanes psi = tet_energy(group.rest, F, polar_rotation(F));
    for (int l = 0; l < std::min(kLanes, left); ++l) sum += psi[l];
    left -= kLanes;
  }
  return sum;
}

std::vector<double> TetModel::von_mises(const Vec3d* x) const {
  std::vector<double> stress;
  stress.reserve(kLanes * lists_->groups.size());
  for (const TetGroup& group : lists_->groups) {
    const Mat3<Lanes> F = deformation_gradient(group.rest, gather(group.node, x));
    const Lanes s = tet_von_mises(group.rest, F, polar_rotation(F));
    for (int l = 0; l < kLanes; ++l) stress.push_back(s[l]);
  }
  stress.resize(tets_.size());
  return stress;
}

}  // namespace nodia
