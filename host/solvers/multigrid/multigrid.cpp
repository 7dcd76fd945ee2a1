#include "host/solvers/multigrid/multigrid.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "host/solvers/linear/power_start.hpp"
#include "host/solvers/linear/row_vectors.hpp"
#include "kernels/core/rotation.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/multigrid/multigrid_build.hpp"

namespace nodia {
namespace {

/// Factor on lambda_max, because a power iteration finds it from below.
constexpr double kGuard = 1.1;
constexpr int kColdProducts = 15, kWarmProducts = 4, kCoarseProducts = 8;
/// The coarsest level is inverted up to this number of rows, and smoothed above it.
constexpr int kDenseRows = 80;

Vec3f node_of(const PaddedNodes& nodes, std::size_t row) {
  const float* p = nodes.data() + kNodeStride * row;
  return {p[0], p[1], p[2]};
}

void set_node(PaddedNodes* nodes, std::size_t row, Vec3f value) {
  float* p = nodes->data() + kNodeStride * row;
  p[0] = value.x;
  p[1] = value.y;
  p[2] = value.z;
}

/// Dot product in double precision, summed in the order of rows.
double dot(const PaddedNodes& a, const PaddedNodes& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  return sum;
}

}  // namespace

bool Multigrid::set_topology(const std::shared_ptr<const Topology>& topology, AggregatePool* pool) {
  if (topology == topology_) return false;
  topology_ = topology;
  ++version_;
  rows_ = pool->of(topology);
  levels_.clear();
  levels_.resize(rows_->size());
  sizes_.clear();
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const AggregateLevel& rows = (*rows_)[l];
    Level& level = levels_[l];
    for (PaddedNodes* v : {&level.right, &level.x, &level.half, &level.step, &level.residual})
      *v = SlicedRows::nodes(rows.n_row());
    level.prolongation.resize(rows.aggregate.size());
    level.segment.assign(static_cast<std::size_t>(rows.n_group()), -1);
    for (const std::int32_t g : rows.cable) {
      const std::int32_t first = rows.group_begin[g], end = rows.group_begin[g + 1];
      level.segment[g] = static_cast<std::int32_t>(level.cable.size());
      level.cable.push_back({BodyKind::chain, first, end - first});
      for (std::int32_t i = first; i < end; ++i) level.cable_row.push_back(i);
    }
    std::int64_t n_value = 0;
    for (int g = 0; g < rows.n_group(); ++g) {
      const std::int64_t size = 3 * (rows.group_begin[g + 1] - rows.group_begin[g]);
      level.inverse_begin.push_back(n_value);
      if (level.segment[g] < 0) n_value += size * size;
    }
    level.inverse.resize(static_cast<std::size_t>(n_value));
    level.rounded_inverse.resize(level.inverse.size());
    sizes_.push_back({rows.n_row(), rows.n_group(), rows.n_aggregate(),
                      static_cast<int>(level.cable_row.size()), 0});
  }
  return true;
}

/// False if the matrix of the level is inverted.
bool Multigrid::is_smoothed(int l) const {
  return levels_[l].dense_inverse.n_row() == 0 && !levels_[l].is_eliminated;
}

MultigridLevel Multigrid::view(int l) {
  const AggregateLevel& rows = (*rows_)[l];
  Level& level = levels_[l];
  MultigridLevel view;
  view.n_row = rows.n_row();
  view.pattern = level.rounded_K.pattern();
  view.value = level.rounded_K.value();
  view.n_group = is_smoothed(l) ? rows.n_group() : 0;
  view.group_begin = rows.group_begin.data();
  view.inverse_begin = level.inverse_begin.data();
  view.inverse = level.rounded_inverse.data();
  view.lambda_max = level.lambda_max;
  view.cables = level.cables.system();
  view.segment = level.segment.data();
  view.n_cable_row = is_smoothed(l) ? static_cast<int>(level.cable_row.size()) : 0;
  view.cable_row = level.cable_row.data();
  view.wide_K = level.K->value.data();
  view.row_begin = level.K->pattern->row_begin.data();
  view.wide_column = level.K->pattern->column.data();
  view.right = level.right.data();
  view.x = level.x.data();
  view.half = level.half.data();
  view.step = level.step.data();
  view.residual = level.residual.data();
  view.n_aggregate = rows.n_aggregate();
  if (rows.n_aggregate() > 0) {
    view.member_begin = rows.member_begin.data();
    view.member = rows.member.data();
    view.aggregate = rows.aggregate.data();
    view.prolongation = level.rounded_prolongation.data();
    view.coarse_right = levels_[l + 1].right.data();
    view.coarse_x = levels_[l + 1].x.data();
  }
  view.n_dense_row = level.dense_inverse.n_row();
  view.dense_pattern = level.dense_inverse.pattern();
  view.dense_value = level.dense_inverse.value();
  if (level.is_eliminated) view.whole = level.elimination.system(*level.K);
  return view;
}

MultigridBuild Multigrid::build_arrays(int l) {
  const AggregateLevel& rows = (*rows_)[l];
  Level& level = levels_[l];
  MultigridBuild view;
  view.K = level.K->value.data();
  view.pattern = level.rounded_K.pattern();
  view.rounded_K = level.rounded_K.value();
  view.n_row = level.rounded_K.n_row();
  view.row_begin = level.K->pattern->row_begin.data();
  view.column = level.K->pattern->column.data();
  view.diagonal = level.K->pattern->diagonal.data();
  view.n_group = rows.n_group();
  view.group_begin = rows.group_begin.data();
  view.inverse_begin = level.inverse_begin.data();
  view.inverse = level.inverse.data();
  view.rounded_inverse = level.rounded_inverse.data();
  view.cables = level.cables.system(*level.K);
  view.segment = level.segment.data();
  if (rows.n_aggregate() > 0) {
    view.aggregate = rows.aggregate.data();
    view.prolongation = level.prolongation.data();
    view.n_coarse_block = static_cast<int>(level.coarsening.block.size()) - 1;
    view.coarse_block = level.coarsening.block.data();
    view.term = level.coarsening.term.data();
    view.coarse_K = levels_[l + 1].own_K.value.data();
  }
  return view;
}

void Multigrid::set_matrix(const BlockMatrix& K) {
  levels_[0].K = &K;
  round_matrix(0);
  invert_groups(0);
}

void Multigrid::update_matrix(const std::vector<std::int32_t>& blocks) {
  MultigridBuild build = build_arrays(0);
  build.place = levels_[0].rounded_K.place();
  build.changed = blocks.data();
  build.n_changed = static_cast<int>(blocks.size());
  launch_elements(launcher(), "round_blocks", RoundBlocks{}, &build, 1, build.n_changed);
  invert_groups(0);
}

void Multigrid::leave_matrix(const BlockMatrix& K) {
  levels_[0].K = &K;
  set_pattern_of_cycles(0);
  count_inverses(0);
}

void Multigrid::set_pattern_of_cycles(int l) {
  Level& level = levels_[l];
  const std::shared_ptr<const BlockPattern>& pattern = level.K->pattern;
  level.rounded_K.set_pattern(pattern);
  if (!level.cable.empty() && level.of_cables != pattern) {
    level.cables = ChainArrays(make_band_plan(*pattern, level.cable));
    level.of_cables = pattern;
  }
}

/// Rounds the matrix of a level for cycles.
void Multigrid::round_matrix(int l) {
  set_pattern_of_cycles(l);
  const MultigridBuild build = build_arrays(l);
  launch_elements(launcher(), "round_matrix", RoundMatrix{}, &build, 1, build.n_row);
}

void Multigrid::round_prolongation(int l) {
  Level& level = levels_[l];
  level.rounded_prolongation.resize(level.prolongation.size());
  for (std::size_t i = 0; i < level.prolongation.size(); ++i)
    level.rounded_prolongation[i] = {cast<float>(level.prolongation[i].t),
                                     cast<float>(level.prolongation[i].w)};
}

void Multigrid::invert_groups(int l) {
  const MultigridBuild build = build_arrays(l);
  launch_elements(launcher(), "invert_groups", InvertGroups{}, &build, 1, build.n_group);
  count_inverses(l);
}

void Multigrid::count_inverses(int l) {
  const AggregateLevel& rows = (*rows_)[l];
  for (int g = 0; g < rows.n_group(); ++g) {
    const double n = 3.0 * (rows.group_begin[g + 1] - rows.group_begin[g]);
    if (levels_[l].segment[g] < 0) multiply_adds_ += n * n * n;
  }
  multiply_adds_ += levels_[l].cables.work().factorise;
}

/// Updates the patterns of the coarse matrices after the pattern of K has changed.
void Multigrid::set_patterns() {
  for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
    Level& level = levels_[l];
    const std::shared_ptr<const BlockPattern>& fine = level.K->pattern;
    const bool same =
        level.coarsened != nullptr && (level.coarsened == fine || *level.coarsened == *fine);
    if (!same) {
      level.coarsening = make_coarsening(*fine, (*rows_)[l]);
      Level& coarse = levels_[l + 1];
      const bool kept =
          coarse.own_K.pattern != nullptr && *coarse.own_K.pattern == *level.coarsening.pattern;
      if (!kept) coarse.own_K = BlockMatrix(level.coarsening.pattern);
      coarse.K = &coarse.own_K;
    }
    level.coarsened = fine;
  }
}

/// Sets the rigid motions of the aggregates about their centres.
void Multigrid::set_prolongation(int l, const std::vector<Vec3d>& position,
                                 const std::vector<Mat3d>& filter) {
  const AggregateLevel& rows = (*rows_)[l];
  Level& level = levels_[l];
  level.centre.assign(static_cast<std::size_t>(rows.n_aggregate()), Vec3d{});
  level.length.assign(level.centre.size(), 1);
  const bool finest = l == 0;
  // On coarse levels a row of translations has the position; a row of rotations follows it.
  const auto place = [&](std::int32_t i) {
    return finest ? position[i] : levels_[l - 1].centre[i / 2];
  };
  const std::int32_t stride = finest ? 1 : 2;
  for (std::int32_t a = 0; a < rows.n_aggregate(); ++a) {
    const std::int32_t first = rows.member_begin[a], end = rows.member_begin[a + 1];
    if (rows.is_fixed[a]) {
      for (std::int32_t e = first; e < end; ++e)
        level.prolongation[rows.member[e]] = e == first
                                                 ? Prolongation<double>{Mat3d::identity(), Mat3d{}}
                                                 : Prolongation<double>{Mat3d{}, Mat3d::identity()};
      continue;
    }
    const double share = static_cast<double>(stride) / (end - first);
    Vec3d centre{};
    for (std::int32_t e = first; e < end; e += stride) centre += share * place(rows.member[e]);
    double squared = 0;
    for (std::int32_t e = first; e < end; e += stride)
      squared += share * squared_norm(place(rows.member[e]) - centre);
    const double length = squared > 0 ? std::sqrt(squared) : 1;
    level.centre[a] = centre;
    level.length[a] = length;
    for (std::int32_t e = first; e < end; e += stride) {
      const std::int32_t i = rows.member[e];
      const Mat3d turn = (-1 / length) * skew(place(i) - centre);
      if (finest) {
        level.prolongation[i] = {filter[i], filter[i] * turn};
        continue;
      }
      level.prolongation[i] = {Mat3d::identity(), turn};
      level.prolongation[i + 1] = {Mat3d{},
                                   (levels_[l - 1].length[i / 2] / length) * Mat3d::identity()};
    }
  }
}

void Multigrid::build(const std::vector<Vec3d>& position, const std::vector<Mat3d>& filter) {
  constexpr double kTermWork = 162;
  ++version_;
  set_patterns();
  for (int l = 0; l + 1 < n_level(); ++l) {
    set_prolongation(l, position, filter);
    round_prolongation(l);
    const MultigridBuild build = build_arrays(l);
    launch_elements(launcher(), "coarsen_matrix", CoarsenMatrix{}, &build, 1, build.n_coarse_block);
    multiply_adds_ += kTermWork * static_cast<double>(levels_[l].coarsening.term.size());
    if (l + 2 == n_level()) invert_coarsest();
    if (is_smoothed(l + 1)) {
      round_matrix(l + 1);
      invert_groups(l + 1);
      std::vector<Vec3d> direction;
      levels_[l + 1].lambda_max = kGuard * power_iteration(l + 1, kCoarseProducts, &direction);
    }
  }
  if (n_level() == 1) invert_coarsest();
}

/// Multiply-adds of one cycle.
double Multigrid::work_of_cycle() const {
  double work = 0;
  for (const Level& level : levels_) {
    if (const double n = level.dense_inverse.n_row(); n > 0)
      work += 9 * n * n;
    else if (level.is_eliminated)
      work += level.elimination.work().solve;
    else
      work += 4 * (9.0 * level.K->pattern->n_block() + static_cast<double>(level.inverse.size()) +
                   level.cables.work().solve) +
              36.0 * level.K->n_row();
  }
  return work;
}

void Multigrid::invert_coarsest() {
  Level& level = levels_.back();
  if (level.K->n_row() <= kDenseRows) {
    invert_densely();
  } else {
    level.dense_inverse = {};
    level.is_eliminated = !level.cable.empty() &&
                          level.elimination.set_pattern(level.K->pattern, level.cable) &&
                          level.elimination.factorise(*level.K);
    if (level.is_eliminated) multiply_adds_ += level.elimination.work().factorise;
  }
  sizes_.back().n_dense_row = level.dense_inverse.n_row();
  sizes_.back().n_group = is_smoothed(n_level() - 1) ? rows_->back().n_group() : 0;
}

void Multigrid::invert_densely() {
  Level& level = levels_.back();
  const int n = level.K->n_row();
  level.is_eliminated = false;
  if (level.dense_inverse.n_row() != n) {
    auto pattern = std::make_shared<BlockPattern>();
    for (std::int32_t i = 0; i < n; ++i) {
      pattern->diagonal.push_back(i * n + i);
      for (std::int32_t j = 0; j < n; ++j) pattern->column.push_back(j);
      pattern->row_begin.push_back((i + 1) * n);
    }
    level.dense_inverse.set_pattern(pattern);
  }
  const Eigen::MatrixXd dense(level.K->to_eigen());
  const Eigen::LLT<Eigen::MatrixXd> llt(dense);
  const Eigen::MatrixXd inverse = llt.solve(Eigen::MatrixXd::Identity(3 * n, 3 * n));
  level.dense_inverse.fill([&](int i, int j, int r, int c) {
    return (inverse(3 * i + r, 3 * j + c) + inverse(3 * j + c, 3 * i + r)) / 2;
  });
  multiply_adds_ += 27.0 * n * n * n / 2;
}

/// Estimates lambda_max from below by the quotient z.D^-1 z/x.z with z = K x.
double Multigrid::power_iteration(int l, int n_product, std::vector<Vec3d>* direction) {
  Level& level = levels_[l];
  const auto n = static_cast<std::size_t>(level.K->n_row());
  start_power_iteration(*level.K, l == 0 ? topology_->bodies : std::vector<Body>{}, direction);
  for (std::size_t i = 0; i < n; ++i) set_node(&level.x, i, cast<float>((*direction)[i]));
  std::fill(level.right.begin(), level.right.end(), 0.0F);
  MultigridLevel own = view(l);
  own.n_group = (*rows_)[l].n_group();
  double lambda = 0;
  for (int k = 0; k < n_product; ++k) {
    launch_elements(launcher(), "residual_of_x", ResidualRows<false>{}, &own, 1, own.n_row);
    launch_elements(launcher(), "cable_residual_of_x", CableResidual<false>{}, &own, 1,
                    own.n_cable_row);
    launch_elements(launcher(), "apply_group_inverses", ApplyGroupInverses{}, &own, 1, own.n_group);
    multiply_adds_ += 9.0 * level.K->pattern->n_block() +
                      static_cast<double>(level.inverse.size()) + level.cables.work().solve;
    const double energy = -dot(level.x, level.residual);
    if (!(energy > 0) || !std::isfinite(energy)) break;
    lambda = dot(level.residual, level.half) / energy;
    const double scale = -1 / std::sqrt(dot(level.half, level.half));
    for (std::size_t i = 0; i < n; ++i)
      set_node(&level.x, i, static_cast<float>(scale) * node_of(level.half, i));
  }
  for (std::size_t i = 0; i < n; ++i) (*direction)[i] = cast<double>(node_of(level.x, i));
  return lambda > 0 && std::isfinite(lambda) ? lambda : 1;
}

void Multigrid::estimate_lambda_max(const BlockMatrix& K, std::vector<Vec3d>* direction) {
  set_matrix(K);
  const bool warm = direction->size() == static_cast<std::size_t>(K.n_row());
  levels_[0].lambda_max =
      kGuard * power_iteration(0, warm ? kWarmProducts : kColdProducts, direction);
}

std::vector<MultigridLevel> Multigrid::levels(const std::vector<Vec3d>& r, std::vector<Vec3d>* z) {
  std::vector<MultigridLevel> levels;
  for (int l = 0; l < n_level(); ++l) levels.push_back(view(l));
  levels[0].given = r.data();
  z->resize(r.size());
  levels[0].solution = z->data();
  return levels;
}

void Multigrid::cycle(const std::vector<Vec3d>& r, std::vector<Vec3d>* z) {
  launch_cycle(launcher(), levels(r, z).data(), 1, sizes_.data(), n_level());
  count(1, 0);
}

void Multigrid::count(int n_cycle, int n_product) {
  multiply_adds_ += n_cycle * work_of_cycle() + n_product * 9.0 * levels_[0].K->pattern->n_block();
}

Multigrid::Constants Multigrid::constants(int l) const {
  const Level& level = levels_[l];
  return {(*rows_)[l],          level.segment,         level.inverse_begin,
          level.inverse.size(), level.rounded_inverse, level.rounded_prolongation,
          level.rounded_K,      level.dense_inverse,   is_smoothed(l),
          level.lambda_max};
}

}  // namespace nodia
