/// Gathers the host input of an assembly.
#include "host/step/soft_input.hpp"

#include <algorithm>
#include <cstring>

#include "fem/soft/tet_model.hpp"

namespace nodia {
namespace {

int node_count(const SoftSource& source) {
  return source.model == nullptr ? 0 : source.model->n_node();
}

bool same_bits(const Vec3d* a, const Vec3d* b, int n) {
  return n == 0 || std::memcmp(a, b, static_cast<std::size_t>(n) * sizeof(Vec3d)) == 0;
}

/// Adds a row of A and b. @param node  index in the environment
void send(const ContactProblem& p, const RowLayout& rows, int env, std::int32_t node,
          SoftInput* input) {
  const BlockPattern& pattern = *p.A.pattern;
  const std::int32_t first = p.env_node_begin[env], row = first + node;
  const auto begin = p.A.value.begin() + 9 * std::ptrdiff_t{pattern.row_begin[row]};
  SentRow sent;
  sent.env = env;
  sent.row = rows.local_row(row);
  sent.first_block = pattern.row_begin[row] - pattern.row_begin[first];
  sent.first_value = static_cast<std::int32_t>(input->value.size() / 9);
  sent.b = p.b[row];
  input->sent.push_back(sent);
  input->value.insert(input->value.end(), begin,
                      p.A.value.begin() + 9 * std::ptrdiff_t{pattern.row_begin[row + 1]});
}

}  // namespace

/// Allocates the soft rows. An environment without soft rows keeps its room, because it may only be
/// inactive. An environment that was never active gets room for all of its rows, so that the rows
/// of others do not move when it becomes active.
void SoftInput::make_room(const ContactProblem& p) {
  const auto n_env = static_cast<std::size_t>(p.n_env());
  bool fits = state.size() == n_env;
  for (std::size_t e = 0; e < n_env && fits; ++e)
    fits = p.soft[e].model == nullptr ||
           first_node[e + 1] - first_node[e] == p.soft[e].model->n_node();
  if (fits) return;
  first_node.assign(1, 0);
  for (std::size_t e = 0; e < n_env; ++e)
    first_node.push_back(first_node.back() + (p.soft[e].model == nullptr
                                                  ? p.env_node_begin[e + 1] - p.env_node_begin[e]
                                                  : p.soft[e].model->n_node()));
  x.resize(static_cast<std::size_t>(first_node.back()));
  v.resize(x.size());
  state.assign(n_env, StateOf::none);
  host_state.assign(n_env, HostState::nothing);
}

void SoftInput::take_state(const SoftSource& source, int env) {
  const int n = node_count(source);
  Vec3d* const own_x = x.data() + first_node[env];
  Vec3d* const own_v = v.data() + first_node[env];
  if (n == 0) {
    state[env] = StateOf::none;
    host_state[env] = HostState::nothing;
    return;
  }
  if (source.is_on_device) {
    state[env] = StateOf::last_step;
    host_state[env] = HostState::nothing;
    return;
  }
  if (host_state[env] == HostState::end && same_bits(own_x, source.x, n) &&
      same_bits(own_v, source.v, n)) {
    state[env] = StateOf::last_step;
  } else {
    std::copy_n(source.x, n, own_x);
    std::copy_n(source.v, n, own_v);
    state[env] = StateOf::host;
  }
  host_state[env] = HostState::start;
}

void SoftInput::gather(const ContactProblem& p, const RowLayout& rows) {
  make_room(p);
  for_each_environment(p.n_env(), 0,
                       [&](int e) { take_state(p.soft[static_cast<std::size_t>(e)], e); });
  external_forces.clear();
  sent.clear();
  value.clear();
  for (int e = 0; e < p.n_env(); ++e) {
    const SoftSource& source = p.soft[static_cast<std::size_t>(e)];
    for (const NodeForce& external_force : source.external_forces)
      external_forces.push_back({e, external_force.node, external_force.force});
    for (const std::int32_t node : source.others) send(p, rows, e, node, this);
    const std::int32_t n_row = p.env_node_begin[e + 1] - p.env_node_begin[e];
    for (std::int32_t node = node_count(source); node < n_row; ++node) send(p, rows, e, node, this);
  }
}

}  // namespace nodia
