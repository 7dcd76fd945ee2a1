/// Host input of an assembly into the columns of the loop, per step.
#pragma once

#include <cstdint>
#include <vector>

#include "host/base/threads.hpp"
#include "host/step/row_layout.hpp"
#include "kernels/step/soft_rows.hpp"

namespace nodia {

/// Source of an environment's state on the device.
enum class StateOf : std::uint8_t {
  none,      ///< no soft rows
  host,      ///< uploaded from the problem
  last_step  ///< computed from the last solution; equals the problem's state bit for bit
};

/// Part of the step for which the host has an environment's state.
enum class HostState : std::uint8_t { nothing, start, end };

struct SoftInput {
  std::vector<std::int32_t> first_node{0};  ///< [n_env + 1] first nodes in x and v
  std::vector<Vec3d> x, v;                  ///< soft nodes, environment by environment
  std::vector<StateOf> state;               ///< [n_env]
  std::vector<HostState> host_state;        ///< [n_env]: time of x and v
  std::vector<PlacedExternalForce> external_forces;
  std::vector<SentRow> sent;
  std::vector<double> value;  ///< blocks of the sent rows

  /// Returns whether only the device has the state of an environment.
  bool is_on_device(std::size_t env) const {
    return state[env] == StateOf::last_step && host_state[env] == HostState::nothing;
  }
  /// @param problem  with its sources
  /// @param rows     layout of the problem
  void gather(const ContactProblem& problem, const RowLayout& rows);
  /// Takes missing start-of-step states of environments [begin, end).
  /// @param fetch  fetch(begin, end), called for ranges of environments
  template <class Fetch>
  void take_starts(int begin, int end, const Fetch& fetch);
  /// Advances the states from the start to the end of the step, as a simulation does.
  /// @param problem  as gathered
  /// @param v_hat    v_hat(env, node), velocity of the solution [m/s]
  template <class Solution>
  void advance(const ContactProblem& problem, int begin, int end, const Solution& v_hat);

 private:
  void make_room(const ContactProblem& problem);
  void take_state(const SoftSource& source, int env);
};

template <class Fetch>
void SoftInput::take_starts(int begin, int end, const Fetch& fetch) {
  for (int e = begin; e < end; ++e) {
    const int first = e;
    for (; e < end && is_on_device(e); ++e) host_state[e] = HostState::start;
    if (first < e) fetch(first, e);
  }
}

template <class Solution>
void SoftInput::advance(const ContactProblem& p, int begin, int end, const Solution& v_hat) {
  const TimeStep time{p.step_s, p.theta};
  for_each_environment(end - begin, 0, [&](int k) {
    const int e = begin + k;
    if (state[e] == StateOf::none) return;
    host_state[e] = HostState::end;
    const std::int32_t shift = p.env_node_begin[e] - first_node[e];
    for (std::int32_t i = first_node[e]; i < first_node[e + 1]; ++i) {
      const Vec3d mean = v_hat(e, i + shift);
      v[i] = time.next_velocity(mean, v[i]);
      x[i] = x[i] + time.step_s * mean;
    }
  });
}

}  // namespace nodia
