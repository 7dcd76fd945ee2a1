#include "host/solvers/multigrid/device_gradients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace nodia {
namespace {

constexpr const char* kGradients = "conjugate gradients";

}  // namespace

bool has_device_form(const Topology& topology) {
  return std::none_of(topology.bodies.begin(), topology.bodies.end(),
                      [](const Body& body) { return body.kind == BodyKind::chain; });
}

DeviceGradients::DeviceGradients(const DeviceMatrix* matrix, Multigrid* multigrid)
    : ConjugateGradients(multigrid), matrix_(*matrix) {
  matrix_.on_device(kGradients, [&] { send_rows(); });
}

/// Uploads the arrays that depend only on the topology.
void DeviceGradients::send_rows() {
  levels_ = std::vector<Level>(multigrid_.sizes().size());
  for (int l = 0; l < multigrid_.n_level(); ++l) {
    const Multigrid::Constants& from = multigrid_.constants(l);
    Level& to = levels_[static_cast<std::size_t>(l)];
    to.group_begin.assign(from.rows.group_begin, stream());
    to.segment.assign(from.segment, stream());
    to.inverse_begin.assign(from.inverse_begin, stream());
    to.member_begin.assign(from.rows.member_begin, stream());
    to.member.assign(from.rows.member, stream());
    to.aggregate.assign(from.rows.aggregate, stream());
    to.inverse.renew(from.n_inverse, stream());
    const std::size_t n_padded = SlicedRows::nodes(from.rows.n_row()).size();
    for (DeviceBuffer<float>* v : {&to.right, &to.x, &to.half, &to.step, &to.residual})
      v->renew(n_padded, stream());
  }
  const auto n_row = static_cast<std::size_t>(multigrid_.sizes()[0].n_row);
  inverse_.renew(multigrid_.constants(0).n_inverse, stream());
  for (DeviceBuffer<Vec3d>* v : {&r_, &x_, &rest_, &cycled_, &direction_, &product_})
    v->renew(n_row, stream());
  part_.renew(static_cast<std::size_t>(gradient_stride(static_cast<int>(n_row))), stream());
  goal_.renew(1, stream());
  state_.renew(1, stream());
}

void DeviceGradients::set_matrix(const BlockMatrix& K, const std::vector<std::int32_t>& blocks) {
  K_ = &K;
  is_sent_ = false;
  is_new_ = true;
  changed_ = blocks;
  multigrid_.leave_matrix(K);
}

void DeviceGradients::update_matrix(const std::vector<std::int32_t>& blocks) {
  is_sent_ = false;
  is_new_ = false;
  changed_ = blocks;
  multigrid_.leave_matrix(*K_);
}

/// Uploads the matrices and prolongations of the coarse levels.
void DeviceGradients::send_coarse_levels() {
  if (version_ == multigrid_.version()) return;
  for (int l = 0; l < multigrid_.n_level(); ++l) {
    const Multigrid::Constants& from = multigrid_.constants(l);
    Level& to = levels_[static_cast<std::size_t>(l)];
    to.prolongation.assign(from.prolongation, stream());
    to.dense_slice_begin.assign(from.dense_inverse.slice_begin(), stream());
    to.dense_column.assign(from.dense_inverse.columns(), stream());
    to.dense_value.assign(from.dense_inverse.values(), stream());
    if (l == 0 || !from.is_smoothed) continue;
    to.slice_begin.assign(from.K.slice_begin(), stream());
    to.column.assign(from.K.columns(), stream());
    to.value.assign(from.K.values(), stream());
    to.inverse.assign(from.inverse, stream());
  }
  version_ = multigrid_.version();
  lambda_max_.clear();
}

/// Uploads the pattern of K in slices.
void DeviceGradients::send_pattern() {
  if (pattern_ == matrix_.version()) return;
  const SlicedRows& sliced = multigrid_.constants(0).K;
  K_value_.renew(matrix_.size(), stream());
  block_.assign(sliced.blocks(), stream());
  place_.assign(sliced.places(), stream());
  levels_[0].slice_begin.assign(sliced.slice_begin(), stream());
  levels_[0].column.assign(sliced.columns(), stream());
  levels_[0].value.renew(sliced.values().size(), stream());
  pattern_ = matrix_.version();
  lambda_max_.clear();
}

MultigridBuild DeviceGradients::fine_build() {
  Level& fine = levels_[0];
  MultigridBuild build;
  build.K = K_value_.data();
  build.pattern = {fine.slice_begin.data(), fine.column.data(), block_.data()};
  build.rounded_K = fine.value.data();
  build.n_row = multigrid_.sizes()[0].n_row;
  build.place = place_.data();
  build.n_changed = static_cast<int>(changed_.size());
  build.changed = changed_block_.data();
  build.row_begin = matrix_.view().row_begin;
  build.column = matrix_.view().column;
  build.diagonal = matrix_.diagonal();
  build.n_group = multigrid_.sizes()[0].n_group;
  build.group_begin = fine.group_begin.data();
  build.inverse_begin = fine.inverse_begin.data();
  build.inverse = inverse_.data();
  build.rounded_inverse = fine.inverse.data();
  build.segment = fine.segment.data();
  return build;
}

/// Uploads K and the input of the finest level's smoother.
void DeviceGradients::send_matrix() {
  if (is_sent_) return;
  send_pattern();
  if (is_new_)
    copy_on_device(K_value_.data(), matrix_.view().value, matrix_.size() * sizeof(double),
                   stream());
  std::vector<double> value;
  value.reserve(9 * changed_.size());
  for (const std::int32_t k : changed_) {
    const double* const first = K_->value.data() + std::ptrdiff_t{9} * k;
    value.insert(value.end(), first, first + 9);
  }
  changed_block_.assign(changed_, stream());
  changed_value_.assign(value, stream());
  PutBlocks put;
  put.n = static_cast<int>(changed_.size());
  put.block = changed_block_.data();
  put.given = changed_value_.data();
  put.K = K_value_.data();
  build_.assign(std::array{fine_build()}, stream());
  make_fine_level_on_device(build_.data(), multigrid_.sizes()[0].n_row,
                            multigrid_.sizes()[0].n_group, is_new_, put, matrix_.queue());
  is_sent_ = true;
}

MultigridLevel DeviceGradients::view(int l) {
  const Multigrid::Constants& from = multigrid_.constants(l);
  Level& own = levels_[static_cast<std::size_t>(l)];
  MultigridLevel view;
  view.n_row = from.rows.n_row();
  view.pattern = {own.slice_begin.data(), own.column.data(), nullptr};
  view.value = own.value.data();
  view.n_group = from.is_smoothed ? from.rows.n_group() : 0;
  view.group_begin = own.group_begin.data();
  view.inverse_begin = own.inverse_begin.data();
  view.inverse = own.inverse.data();
  view.lambda_max = from.lambda_max;
  view.segment = own.segment.data();
  view.right = own.right.data();
  view.x = own.x.data();
  view.half = own.half.data();
  view.step = own.step.data();
  view.residual = own.residual.data();
  view.n_aggregate = from.rows.n_aggregate();
  if (view.n_aggregate > 0) {
    Level& next = levels_[static_cast<std::size_t>(l) + 1];
    view.member_begin = own.member_begin.data();
    view.member = own.member.data();
    view.aggregate = own.aggregate.data();
    view.prolongation = own.prolongation.data();
    view.coarse_right = next.right.data();
    view.coarse_x = next.x.data();
  }
  view.n_dense_row = from.dense_inverse.n_row();
  view.dense_pattern = {own.dense_slice_begin.data(), own.dense_column.data(), nullptr};
  view.dense_value = own.dense_value.data();
  if (l > 0) return view;
  view.given = rest_.data();
  view.solution = cycled_.data();
  return view;
}

/// Uploads the views with addresses and scales.
void DeviceGradients::send_views() {
  std::vector<double> lambda_max;
  for (int l = 0; l < multigrid_.n_level(); ++l)
    lambda_max.push_back(multigrid_.constants(l).lambda_max);
  if (lambda_max == lambda_max_) return;
  std::vector<MultigridLevel> levels;
  for (int l = 0; l < multigrid_.n_level(); ++l) levels.push_back(view(l));
  views_.assign(levels, stream());
  GradientView own;
  own.K = matrix_.view();
  own.K.value = K_value_.data();
  own.r = r_.data();
  own.x = x_.data();
  own.rest = rest_.data();
  own.cycled = cycled_.data();
  own.direction = direction_.data();
  own.product = product_.data();
  own.n_chunk = item_count(K_->n_row());
  own.part = part_.data();
  own.part_stride = static_cast<int>(part_.size());
  own.goal = goal_.data();
  own.state = state_.data();
  gradient_view_.assign(std::array{own}, stream());
  lambda_max_ = std::move(lambda_max);
}

GradientKey DeviceGradients::key() {
  return {gradient_view_.data(), &goal_.data()->loop, views_.data(), multigrid_.sizes()};
}

void DeviceGradients::begin(const std::vector<Vec3d>& r) {
  matrix_.on_device(kGradients, [&] {
    send_coarse_levels();
    send_matrix();
    send_views();
    r_.upload(r, stream());
    loop_.start(matrix_.queue(), key());
  });
}

GradientState DeviceGradients::take_steps(const GradientGoal& goal) {
  GradientState state;
  matrix_.on_device(kGradients, [&] {
    goal_.upload(std::array{goal}, stream());
    loop_.run(matrix_.launcher(), stream(), key());
    const LoopCondition ended = goal_.download(stream()).front().loop;
    if (ended.running != 0)
      throw RuntimeError(
          fmt::format("{}: the device has not decided after {} steps (at most {} were asked for)",
                      kGradients, ended.n_body, goal.most_iterations));
    state = state_.download(stream()).front();
    if (state.outcome == GradientOutcome::none)
      throw RuntimeError(fmt::format("{}: the device ended a step without a decision", kGradients));
  });
  return state;
}

void DeviceGradients::take(std::vector<Vec3d>* x) {
  matrix_.on_device(kGradients, [&] { *x = x_.download(stream()); });
}

}  // namespace nodia
