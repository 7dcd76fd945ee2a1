#include "host/solvers/cond/loop_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "host/base/threads.hpp"
#include "host/errors/errors.hpp"
#include "host/solvers/linear/power_start.hpp"
#include "kernels/contact/contact_terms.hpp"
#include "kernels/contact/in_cone.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/same_bits.hpp"
#include "kernels/cpu/chunk_sum.hpp"
#include "kernels/vfpi/put_contact.hpp"

namespace nodia {
namespace {

const char* words_of(StopReason reason) {
  switch (reason) {
    case StopReason::first_iteration_not_finite:
      return "the first iteration is not finite: A, b, phi or the starting velocity is not";
    case StopReason::forces_unbounded:
      return "contact forces grow without bound: contacts contradict each other";
    case StopReason::safe_iteration_grew:
      return "the residual grew in the safe iteration too";
    case StopReason::residual_stands_still:
      return "the residual no longer falls";
    case StopReason::none:
      break;
  }
  return "";
}

template <class Real>
void put(Real* nodes, std::int64_t index, Vec3d value) {
  Real* p = nodes + kNodeStride * index;
  p[0] = static_cast<Real>(value.x);
  p[1] = static_cast<Real>(value.y);
  p[2] = static_cast<Real>(value.z);
  p[3] = 0;
}

/// Same for a vector in columns.
template <class Real>
void put_planes(Real* vector, std::int64_t row, Vec3d value) {
  store_planes<Real>(vector, static_cast<int>(row), cast<Real>(value), DirectMemory{});
}

template <class Real>
Vec3d get(const Real* nodes, std::int64_t index) {
  const Real* p = nodes + kNodeStride * index;
  return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}

bool device_makes_contacts(const ContactProblem& p) {
  for (int e = 0; !p.soft.empty() && e < p.n_env(); ++e)
    if (p.soft[static_cast<std::size_t>(e)].makes_contacts()) return true;
  return false;
}

}  // namespace

VfpiOptions vfpi_options(const CommonOptions& o, const CondOptions& own) {
  return {.stop = o.stop == StopRule::paper ? StopRule::paper : StopRule::residual,
          .tolerance = o.tolerance,
          .max_iterations = o.max_iterations,
          .check_every = o.check_every,
          .projection = o.projection,
          .w = own.w,
          .acceleration = own.acceleration,
          .under_relaxation = own.under_relaxation,
          .slow_start = own.slow_start,
          .omega = o.invertible_omega_m_Ns};
}

template <class Precision>
void LoopProblem<Precision>::set(const ContactProblem& problem, const WarmStart& warm) {
  problem_ = &problem;
  warm_ = &warm;
  const int n_env = problem.n_env();
  changes_.new_rows = needs_rows(problem);
  const std::vector<LoopState> states =
      changes_.new_rows ? states_for(problem) : std::vector<LoopState>{};
  const std::map<int, LoopState> given = std::exchange(given_, {});
  taken_ = false;
  changes_.renewed.assign(n_env, changes_.new_rows ? 1 : 0);
  if (changes_.new_rows)
    build_rows(states);
  else if (!given.empty())
    renew_rows(given);
  changes_.new_power_vector.assign(n_env, 0);
  changes_.new_weights = changes_.renewed;
  changes_.starts_from_solution.assign(n_env, 0);
  knows_solution_.resize(n_env, 0);
  smallest_mass_.resize(n_env, 0);
  compliance_.resize(problem.contacts.size());
  size_for(problem, &nodalization_);
  for_each_environment(n_env, 0, [&](int e) {
    delassus_diagonal_estimate(problem, e, &compliance_);
    nodalize(problem, e, compliance_, own_, &nodalization_);
  });
  device_makes_contacts_ = nodia::device_makes_contacts(problem);
  make_pair_room();
  if (device_makes_contacts_) {
    multi_contact_room_.resize(static_cast<std::size_t>(n_env), 0);
    ContactLayout::reserve(multi_contact_room_, pair_room_, &ranges_);
    PointConstraintSetUp::reserve(pair_room_, &ranges_);
  } else {
    contacts_.build(problem, rows_, &ranges_, &arrays_);
    point_constraints_.build(problem, rows_, nodalization_, &ranges_, &arrays_);
  }
  PartSetUp set_up{problem, rows_, nodalization_, options_.w, ranges_};
  PartsOfW::for_each([&](auto part) { part.prepare(set_up, &arrays_); });
  size_arrays();
  for (std::size_t e = 0; e < states.size(); ++e) restore(static_cast<int>(e), states[e]);
  if (!changes_.new_rows)
    for (const auto& [e, state] : given) restore_renewed(e, state);
  topology_ = problem.topology;

  steps_since_w_before_ = steps_since_w_;
  changes_.knows_w.clear();
  for (const int age : steps_since_w_) changes_.knows_w.push_back(age >= 0 ? 1 : 0);
  env_.resize(n_env);
  for_each_environment(n_env, 0, [&](int e) {
    VfpiEnvironment<Precision>& env = env_[e];
    env = environment_of(&arrays_, ranges_[e], problem.A.value.data());
    env.rows_share_contacts =
        !device_makes_contacts_ && (contacts_.rows_share_contacts(e) || env.n_contact_node > 0);
    env.cancel_bias = env.n_contact_node > 0 && own_.bias_cancellation;
    env.in_phases = iterates_in_phases(ranges_[e]);
    PartsOfW::for_each([&](auto part) { part.fill(set_up, e, &arrays_); });
    set_rows(e);
    set_point_constraints(e);
    device_makes_contacts_ ? reserve_contacts(e) : set_contacts(e);
    set_control(e);
  });
}

template <class Precision>
void LoopProblem<Precision>::make_pair_room() {
  const int n_env = problem_->n_env();
  pair_room_.assign(static_cast<std::size_t>(n_env), 0);
  for (int e = 0; device_makes_contacts_ && e < n_env; ++e) {
    if (problem_->soft[static_cast<std::size_t>(e)].may_have_pairs())
      pair_room_[static_cast<std::size_t>(e)] =
          ranges_[e].n_chunk * kBlockLanes - ranges_[e].first_contact_node_row;
  }
}

template <class Precision>
void LoopProblem<Precision>::withdraw() {
  steps_since_w_ = steps_since_w_before_;
  taken_ = true;
}

template <class Precision>
bool LoopProblem<Precision>::needs_rows(const ContactProblem& problem) const {
  return !device_can_make_contacts(problem) ||
         (!given_.empty() && !nodia::device_makes_contacts(problem));
}

template <class Precision>
bool LoopProblem<Precision>::device_can_make_contacts(const ContactProblem& problem) const {
  return taken_ && rows_.fits(problem) &&
         std::all_of(given_.begin(), given_.end(), [&](const auto& given) {
           return given.first < n_env() &&
                  (!is_of(given.second, problem, given.first) ||
                   given.second.marks.n_chunk == ranges_[given.first].n_chunk);
         });
}

/// True if a state has the sizes of the environment and room for its points.
template <class Precision>
bool LoopProblem<Precision>::is_of(const LoopState& m, const ContactProblem& p, int e) const {
  const auto n_node = static_cast<std::size_t>(p.env_node_begin[e + 1] - p.env_node_begin[e]);
  const std::size_t n_row = static_cast<std::size_t>(m.marks.n_chunk) * kBlockLanes;
  return m.marks.in_contact.size() == n_node && n_row >= n_node && m.w.size() == n_row &&
         m.w_unguarded.size() == n_row && m.power.size() == kNodeStride * n_row &&
         p.first_point(e + 1) - p.first_point(e) <= RowLayout::room(m.marks);
}

/// Initial state of every environment; empty for a new environment or one with more points.
template <class Precision>
std::vector<LoopState> LoopProblem<Precision>::states_for(const ContactProblem& p) const {
  std::vector<LoopState> states(static_cast<std::size_t>(p.n_env()));
  for (int e = 0; e < p.n_env(); ++e) {
    const bool is_known =
        given_.count(e) > 0 || (has_state(e) && *topology_[static_cast<std::size_t>(e)] ==
                                                    *p.topology[static_cast<std::size_t>(e)]);
    if (!is_known) continue;
    LoopState m = state(e);
    if (is_of(m, p, e)) states[static_cast<std::size_t>(e)] = std::move(m);
  }
  return states;
}

/// Builds all rows, for a new pattern or from stored marks.
template <class Precision>
void LoopProblem<Precision>::build_rows(const std::vector<LoopState>& states) {
  const int n_env = problem_->n_env();
  arrays_ = {};
  std::vector<RowMarks> marks;
  for (const LoopState& state : states) marks.push_back(state.marks);
  rows_.build(*problem_, marks, &ranges_, &arrays_);
  steps_since_w_.assign(n_env, -1);
  changes_.control_start.assign(n_env, {});
  n_contact_node_.assign(n_env, 0);
}

/// Rebuilds the rows of environments with a given state; other rows stay.
template <class Precision>
void LoopProblem<Precision>::renew_rows(const std::map<int, LoopState>& states) {
  std::map<int, RowMarks> marks;
  for (const auto& [e, state] : states) {
    const bool is_own = is_of(state, *problem_, e);
    marks[e] = is_own ? state.marks : rows_.marks_of(*problem_, e);
    changes_.renewed[e] = 1;
    steps_since_w_[e] = -1;
    n_contact_node_[e] = 0;
    knows_solution_[e] = 0;
  }
  changes_.renewed_lists = rows_.renew(*problem_, marks, &ranges_, &arrays_);
}

template <class Precision>
LoopState LoopProblem<Precision>::state(int e) const {
  const auto given = given_.find(e);
  if (given != given_.end()) return given->second;
  const LoopRange& range = ranges_[e];
  const std::int64_t first = range.first_row,
                     n_row = static_cast<std::int64_t>(range.n_chunk) * kBlockLanes;
  LoopState m;
  m.marks = rows_.marks(e);
  m.n_contact_node = n_contact_node_[e];
  m.w_age = steps_since_w_[e];
  m.lambda_max = arrays_.control[e].lambda_max;
  m.body_scale = arrays_.control[e].body_scale;
  const auto numbers = [](const auto* begin, std::int64_t n) {
    return std::vector<double>(begin, begin + n);
  };
  m.power = numbers(arrays_.power.data() + kNodeStride * first, kNodeStride * n_row);
  m.w = numbers(arrays_.w.data() + first, n_row);
  m.w_unguarded = numbers(arrays_.w_unguarded.data() + first, n_row);
  return m;
}

template <class Precision>
void LoopProblem<Precision>::restore(int e, const LoopState& m) {
  if (m.w.empty()) return;
  const std::int64_t first = ranges_[e].first_row;
  n_contact_node_[e] = m.n_contact_node;
  steps_since_w_[e] = m.w_age;
  arrays_.control[e].lambda_max = m.lambda_max;
  arrays_.control[e].body_scale = m.body_scale;
  const auto put_numbers = [](const std::vector<double>& from, auto* to) {
    std::transform(from.begin(), from.end(), to,
                   [](double x) { return static_cast<std::decay_t<decltype(*to)>>(x); });
  };
  put_numbers(m.power, arrays_.power.data() + kNodeStride * first);
  put_numbers(m.w, arrays_.w.data() + first);
  put_numbers(m.w_unguarded, arrays_.w_unguarded.data() + first);
}

/// Restores an environment with new rows, after its arrays have been cleared.
template <class Precision>
void LoopProblem<Precision>::restore_renewed(int e, const LoopState& m) {
  const LoopRange& range = ranges_[e];
  const std::int64_t first = range.first_row,
                     n_row = static_cast<std::int64_t>(range.n_chunk) * kBlockLanes;
  std::fill_n(arrays_.w.begin() + first, n_row, Real(1));
  std::fill_n(arrays_.w_unguarded.begin() + first, n_row, 0.0);
  arrays_.control[e] = {};
  if (is_of(m, *problem_, e)) restore(e, m);
}

template <class Precision>
bool LoopProblem<Precision>::iterates_in_phases(const LoopRange& range) const {
  VfpiEnvironment<Precision> env;
  static_cast<LoopCounts&>(env) = range;
  return env.n_coupled_slot > 0 || parts_of(env) != 0 || is_barzilai_borwein(options_.w);
}

template <class Precision>
void LoopProblem<Precision>::size_arrays() {
  needs_ = {};
  needs_.increment = kHasIncrement<Precision>;
  needs_.two_gradients = is_barzilai_borwein(options_.w);
  const bool has_pair_room =
      std::any_of(pair_room_.begin(), pair_room_.end(), [](std::int32_t n) { return n > 0; });
  needs_.point_constraints = problem_->points.size() > 0 || has_pair_room;
  needs_.gradient = needs_.increment || has_pair_room;
  for (const LoopRange& range : ranges_)
    needs_.gradient = needs_.gradient || iterates_in_phases(range);
  const bool on_device = execution_.backend == Backend::cuda;
  Arrays::each(
      [&](const auto& field, auto& array) {
        const bool made_there = field.written == Written::by_loop ||
                                (field.written == Written::contacts && device_makes_contacts_);
        if (is_needed(field, needs_) && !(on_device && made_there))
          array.resize(size_of(field, ranges_.back()));
      },
      arrays_);
  if (changes_.new_rows) std::fill(arrays_.w.begin(), arrays_.w.end(), Real(1));
}

template <class Precision>
void LoopProblem<Precision>::set_point_constraints(int e) {
  const LoopRange& range = ranges_[e];
  const ContactPoints& points = problem_->points;
  if (points.size() == 0) return;
  const std::int32_t first = problem_->first_point(e);
  std::transform(nodalization_.gain.begin() + first,
                 nodalization_.gain.begin() + first + range.n_contact_node,
                 arrays_.constraint_gain.begin() + range.first_contact_node,
                 [](double gain) { return static_cast<Real>(gain); });
  Real* jacobian = arrays_.constraint_jacobian.data() + 9 * range.first_part;
  for (std::int32_t part = points.begin[first]; part < points.begin[first + range.n_contact_node];
       ++part)
    for (const Vec3d& r : points.J[part].row)
      for (int axis = 0; axis < 3; ++axis) *jacobian++ = static_cast<Real>(r[axis]);
  // A row can have point constraints in one step and none in the next.
  std::fill_n(arrays_.constrained_force.begin() + kNodeStride * range.first_row,
              kNodeStride * kBlockLanes * static_cast<std::int64_t>(range.n_chunk), Real(0));
}

/// Sets the initial velocity of a row in all roles; on a device the others are copies of the first.
template <class Precision>
void LoopProblem<Precision>::set_roles(int e, std::int32_t local, Vec3<Real> v) {
  for (Real* role : env_[e].node)
    if (role != nullptr) store_state<Real>(env_[e], role, local, v, DirectMemory{});
}

/// Sets the rows of an environment; if it starts from the last solution, the loop has them already.
template <class Precision>
void LoopProblem<Precision>::set_rows(int e) {
  const ContactProblem& p = *problem_;
  const bool is_on_device = !p.soft.empty() && p.soft[static_cast<std::size_t>(e)].is_on_device;
  if (is_on_device)
    changes_.starts_from_solution[e] = 1;
  else
    set_new_rows(e);
  knows_solution_[e] = 0;
  env_[e].smallest_mass_rate = p.mass.empty() ? 0 : smallest_mass_[e] / (p.theta * p.step_s);
  if (steps_since_w_[e] < 0) start_power(e);
}

template <class Precision>
void LoopProblem<Precision>::set_new_rows(int e) {
  const ContactProblem& p = *problem_;
  double smallest = HUGE_VAL;
  const LoopRange& range = ranges_[e];
  Real* const env_b =
      device_makes_contacts_ ? nullptr : arrays_.b.data() + kNodeStride * range.first_row;
  // If the device makes pairs, the rows of their contact nodes begin there.
  bool same_start = execution_.backend == Backend::cuda && !changes_.new_rows &&
                    knows_solution_[e] != 0 &&
                    ((env_[e].n_contact_node == 0 && n_contact_node_[e] == 0) || may_have_pairs(e));
  for (std::int32_t node = p.env_node_begin[e]; node < p.env_node_begin[e + 1]; ++node) {
    const Vec3d v = warm_->v.empty() ? Vec3d{} : warm_->v[node];
    const std::int32_t local = rows_.local_row(node);
    if (env_b != nullptr) put_planes(env_b, local, p.b[node]);
    same_start =
        same_start &&
        same_bits(load_state<Real>(env_[e], env_[e].node[0], local, DirectMemory{}), cast<Real>(v));
    set_roles(e, local, cast<Real>(v));
    const double weight =
        std::exchange(arrays_.inverse_mass[range.first_row + local], inverse_mass_weight(p, node));
    if (weight != arrays_.inverse_mass[range.first_row + local]) changes_.new_weights[e] = 1;
    if (!p.mass.empty()) smallest = std::min(smallest, p.mass[node]);
  }
  smallest_mass_[e] = smallest;
  changes_.starts_from_solution[e] = same_start ? 1 : 0;
  // Contact nodes move with their points; set_contacts() adds the effect of their forces.
  const std::int32_t first_point = p.first_point(e), n_contact_node = env_[e].n_contact_node;
  for (std::int32_t k = 0; k < std::max(n_contact_node, n_contact_node_[e]); ++k) {
    const std::int32_t local = range.first_contact_node_row + k;
    const Vec3d v = k < n_contact_node && !warm_->v.empty()
                        ? p.points.velocity(first_point + k, warm_->v.data())
                        : Vec3d{};
    set_roles(e, local, cast<Real>(v));
    if (k >= n_contact_node) env_[e].w[local] = Real(1);
  }
}

/// Sets the initial vector of the power iteration.
template <class Precision>
void LoopProblem<Precision>::start_power(int e) {
  const ContactProblem& p = *problem_;
  changes_.new_power_vector[e] = 1;
  std::fill_n(env_[e].power,
              kNodeStride * kBlockLanes * static_cast<std::int64_t>(ranges_[e].n_chunk), Real(0));
  // The order of the nodes makes the start independent of the layout of the rows.
  for (std::int32_t node = p.env_node_begin[e]; node < p.env_node_begin[e + 1]; ++node) {
    const std::int64_t i = 3 * static_cast<std::int64_t>(node - p.env_node_begin[e]);
    put(env_[e].power, rows_.local_row(node),
        {power_start(i), power_start(i + 1), power_start(i + 2)});
  }
}

/// Adds contact force over kv to the velocity of a contact node.
template <class Precision>
void LoopProblem<Precision>::pull_contact_node(int e, std::int32_t side, const Contact<double>& c,
                                               Vec3d lambda) {
  const ContactProblem& p = *problem_;
  if (side == kWorld || !p.is_point(side)) return;
  const std::int32_t local = rows_.side_row(p, e, side);
  const Vec3d ahead = (1 / nodalization_.gain[side - p.n_node()]) * transpose_times(c.R, lambda);
  set_roles(e, local,
            load_state<Real>(env_[e], env_[e].node[0], local, DirectMemory{}) + cast<Real>(ahead));
}

template <class Precision>
void LoopProblem<Precision>::set_contacts(int e) {
  const ContactProblem& p = *problem_;
  const LoopRange& range = ranges_[e];
  bool is_common = options_.projection == Projection::strict && range.n_coupled_slot == 0 &&
                   !contacts_.rows_share_contacts(e);
  for (std::int32_t own_slot = 0; own_slot < range.n_slot; ++own_slot) {
    const std::int64_t slot = range.first_slot + own_slot;
    const std::int32_t m = contacts_.contact_of_slot(slot);
    if (m < 0) {
      put_no_contact(env_[e], own_slot, DirectMemory{});
      continue;
    }
    auto c = cast<Real>(p.contacts[m]);
    is_common = is_common && c.mu1 == c.mu2;
    c.side_i = rows_.side_row(p, e, c.side_i);
    if (c.side_j != kWorld) c.side_j = rows_.side_row(p, e, c.side_j);
    const Vec3d lambda = warm_->lambda.empty() ? Vec3d{} : warm_->lambda[m];
    if (env_[e].n_contact_node > 0) {
      pull_contact_node(e, p.contacts[m].side_i, p.contacts[m], lambda);
      pull_contact_node(e, p.contacts[m].side_j, p.contacts[m], -lambda);
      const double softness = nodalization_.softness[m];
      arrays_.softness[slot] = softness;
      put(arrays_.phi.data(), slot, p.contacts[m].phi);
      put(arrays_.bias_lambda.data(), slot, lambda);
      if (env_[e].cancel_bias) c.phi -= static_cast<Real>(softness) * cast<Real>(lambda);
    }
    put_contact(env_[e], own_slot, c, largest_axis(compliance_[m]) + options_.omega,
                cast<Real>(lambda), DirectMemory{});
  }
  env_[e].contacts = is_common ? ContactCase::common : ContactCase::general;
  if (env_[e].rows_share_contacts) env_[e].load = load_of(e);
}

/// EnvironmentFacts::load, summed in the order of the rows.
template <class Precision>
double LoopProblem<Precision>::load_of(int e) const {
  const ContactProblem& p = *problem_;
  std::vector<double> load(static_cast<std::size_t>(env_[e].n_chunk) * kBlockLanes);
  for (std::int32_t node = p.env_node_begin[e]; node < p.env_node_begin[e + 1]; ++node) {
    const std::int32_t row = rows_.local_row(node);
    load[row] = norm(cast<double>(load_planes<Real>(env_[e].b, row, DirectMemory{})));
  }
  for (std::int32_t m = p.env_contact_begin[e]; m < p.env_contact_begin[e + 1]; ++m)
    load[rows_.side_row(p, e, p.contacts[m].side_i)] += norm(p.contacts[m].phi) / compliance_[m].x;
  return chunk_sum(static_cast<int>(load.size()), 1, 0.0,
                   [&](int row, double* sum) { *sum += load[row]; });
}

/// Sets the values that are known before the contacts are made.
template <class Precision>
void LoopProblem<Precision>::reserve_contacts(int e) {
  const bool is_common = options_.projection == Projection::strict && !may_have_pairs(e) &&
                         problem_->soft[static_cast<std::size_t>(e)].has_common_contacts();
  env_[e].contacts = is_common ? ContactCase::common : ContactCase::general;
}

template <class Precision>
void LoopProblem<Precision>::make_multi_contact_room(std::vector<std::int32_t> room) {
  multi_contact_room_ = std::move(room);
  ContactLayout::reserve(multi_contact_room_, pair_room_, &ranges_);
  for (int e = 0; e < n_env(); ++e) static_cast<ContactCounts&>(env_[e]) = ranges_[e];
}

template <class Precision>
PairRooms LoopProblem<Precision>::pair_rooms() const {
  PairRooms rooms;
  rooms.n_contact_node_before = n_contact_node_;
  std::int32_t first = 0;
  for (int e = 0; e < n_env(); ++e) {
    PairRoom room = ContactLayout::pair_room(pair_room_[static_cast<std::size_t>(e)]);
    room.first_contact_node = first;
    room.in_phases = env_[e].in_phases ? 1 : 0;
    first += room.n_contact_node;
    rooms.room.push_back(room);
  }
  return rooms;
}

template <class Precision>
void LoopProblem<Precision>::take_pairs(const PairReport* report) {
  for (int e = 0; e < n_env(); ++e) {
    if (!may_have_pairs(e)) continue;
    n_contact_node_[e] = report[e].n_contact_node;
    changes_.control_start[e] = report[e].start;
    if (report[e].start.new_w != 0) steps_since_w_[e] = 0;
  }
}

template <class Precision>
void LoopProblem<Precision>::set_control(int e) {
  int& age = steps_since_w_[e];
  const std::int32_t n_contact_node = env_[e].n_contact_node;
  // If the device makes pairs, take_pairs() finds out whether their contact nodes changed.
  const bool same_nodes = may_have_pairs(e) || n_contact_node == n_contact_node_[e];
  if (!may_have_pairs(e)) n_contact_node_[e] = n_contact_node;
  // Contact nodes need a new W in every step.
  changes_.control_start[e] = next_start(n_contact_node == 0, same_nodes, &age);
  arrays_.control[e] = changes_.control_start[e].control(options_.acceleration, arrays_.control[e]);
}

/// @param may_keep    W of the last solve may be kept
/// @param same_nodes  the number of contact nodes has not changed
/// @param age         solves since W was computed; -1: never
template <class Precision>
ControlStart LoopProblem<Precision>::next_start(bool may_keep, bool same_nodes, int* age) const {
  ControlStart start;
  if (*age >= 0 && ++*age < own_.w_recycle_steps && may_keep && same_nodes) return start;
  start.new_w = 1;
  start.power_products = *age < 0 || !same_nodes ? kColdPowerProducts : kWarmPowerProducts;
  *age = 0;
  return start;
}

template <class Precision>
ControlStart LoopProblem<Precision>::control_start_after(int e, int k) const {
  int age = steps_since_w_[e];
  ControlStart start;
  while (k-- > 0) start = next_start(true, true, &age);
  return start;
}

template <class Precision>
ScheduleKey LoopProblem<Precision>::key(int begin, int end) const {
  ScheduleKey key;
  key.stop = options_.stop;
  key.check_every = options_.check_every;
  key.w = options_.w;
  for (int e = begin; e < end; ++e) {
    key.new_w = key.new_w || changes_.control_start[e].power_products > 0;
    key.parts |= parts_of(env_[e]);
    (env_[e].in_phases ? key.in_phases : key.in_one_pass) = true;
    if (!env_[e].in_phases && env_[e].contacts == ContactCase::general)
      key.one_pass_contacts = ContactCase::general;
    key.coupled = key.coupled || env_[e].n_coupled_slot > 0;
    if (may_have_pairs(e)) {
      key.new_w = key.in_phases = key.coupled = true;
      key.parts |= PartsOfW::bit_of<PointConstraintPart>();
    }
    key.rows_share_contacts = key.rows_share_contacts || env_[e].rows_share_contacts ||
                              (device_makes_contacts_ && env_[e].contacts == ContactCase::general);
  }
  // Uses one key for equal launches: these environments use the kernel of two-body contacts anyway,
  // and beside environments in phases those in one pass support contacts of any kind.
  key.coupled = key.coupled || (key.parts & ~PartsOfW::kAddToA) != 0;
  if (key.in_phases) key.one_pass_contacts = ContactCase::common;
  return key;
}

template <class Precision>
void LoopProblem<Precision>::take_reports(Solution* out) {
  const ContactProblem& p = *problem_;
  for (int e = 0; e < p.n_env(); ++e)
    if (arrays_.control[e].stage != VfpiControl::Stage::done ||
        arrays_.control[e].power_products > 0)
      throw RuntimeError(fmt::format(
          "V-FPI loop: it ended without a decision on environment {}, after {} iterations", e,
          arrays_.control[e].iterations));
  out->env.assign(p.n_env(), {});
  for_each_environment(p.n_env(), 0, [&](int e) {
    const VfpiControl& control = arrays_.control[e];
    SolveReport& report = out->env[e];
    report.status = control.status;
    report.reason = words_of(control.reason);
    report.iterations = control.iterations;
    report.work_units = 1 + changes_.control_start[e].power_products + control.iterations;
    report.velocity_step = control.velocity_step;
    report.lambda_max_WA = control.lambda_max;
    report.restarts = control.restarts;
    report.absolute_floor = control.absolute_floor;
    if (control.restarts > 0) steps_since_w_[e] = -1;  // W is the safe one and must be recomputed
  });
  taken_ = true;
}

template <class Precision>
void LoopProblem<Precision>::take_solutions(int begin, int end, Solution* out,
                                            const Real* solutions) {
  const ContactProblem& p = *problem_;
  out->v.resize(p.b.size());
  out->lambda.resize(device_makes_contacts_ ? 0 : p.contacts.size());
  for_each_environment(end - begin, 0, [&](int k) {
    const int e = begin + k;
    if (!device_makes_contacts_)
      std::fill(out->lambda.begin() + p.env_contact_begin[e],
                out->lambda.begin() + p.env_contact_begin[e + 1], Vec3d{});
    const Real* v = env_[e].node[arrays_.control[e].solution];
    const std::int32_t first = p.env_node_begin[e];
    for (std::int32_t node = first; node < p.env_node_begin[e + 1]; ++node) {
      const std::int32_t row = rows_.local_row(node);
      const Real* own =
          solutions == nullptr ? nullptr : solutions + 3 * (std::int64_t{first} + row);
      const Vec3<Real> solution = own == nullptr ? load_state<Real>(env_[e], v, row, DirectMemory{})
                                                 : Vec3<Real>{own[0], own[1], own[2]};
      // The next set() compares its start with these values.
      if (own != nullptr) set_roles(e, row, solution);
      out->v[node] = cast<double>(solution);
    }
    knows_solution_[e] = solutions == nullptr ? 0 : 1;
    const LoopRange& range = ranges_[e];
    for (std::int64_t slot = range.first_slot;
         !device_makes_contacts_ && slot < range.first_slot + range.n_slot; ++slot)
      if (const std::int32_t m = contacts_.contact_of_slot(slot); m >= 0)
        out->lambda[m] = in_cone<Real>(options_.projection, get(arrays_.lambda.data(), slot),
                                       p.contacts[m].mu1, p.contacts[m].mu2);
  });
}

template class LoopProblem<DoublePrecision>;
template class LoopProblem<MixedPrecision>;
template class LoopProblem<FloatPrecision>;

}  // namespace nodia
