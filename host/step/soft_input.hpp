/// What an assembly into the planes of the loop takes from the host in every step.
#pragma once

#include <cstdint>
#include <vector>

#include "host/base/threads.hpp"
#include "host/step/row_layout.hpp"
#include "kernels/step/soft_rows.hpp"

namespace nodia {

/// How the state of an environment comes to where it is assembled.
enum class StateOf : std::uint8_t {
  none,      ///< no soft rows
  host,      ///< as the problem has it
  last_step  ///< what the last step's answer makes of its state, which is the problem's bit for bit
};

/// What is known on the host of an environment's state in the step.
enum class StateHere : std::uint8_t { nothing, start, end };

struct SoftInput {
  std::vector<std::int32_t> first_node{0};  ///< [n_env + 1] of the environments' nodes in x and v
  std::vector<Vec3d> x, v;                  ///< of soft nodes, environment by environment
  std::vector<StateOf> state;               ///< [n_env]
  std::vector<StateHere> here;              ///< [n_env]: what x and v are
  std::vector<PlacedPush> pushes;
  std::vector<SentRow> sent;
  std::vector<double> value;  ///< of the blocks of the sent rows

  /// Whether the state of an environment is where it is assembled alone.
  bool is_elsewhere(std::size_t env) const {
    return state[env] == StateOf::last_step && here[env] == StateHere::nothing;
  }
  /// @param problem  with its sources
  /// @param rows     its layout
  void gather(const ContactProblem& problem, const RowLayout& rows);
  /// Takes the states of environments [begin, end) at the start of the step that are not here.
  /// @param fetch  fetch(begin, end), of neighbours
  template <class Fetch>
  void take_starts(int begin, int end, const Fetch& fetch);
  /// Takes them to the end of the step, as a simulation does with the answer; from their start.
  /// @param problem  that was gathered
  /// @param v_hat    v_hat(env, node), the answer [m/s]
  template <class Answer>
  void advance(const ContactProblem& problem, int begin, int end, const Answer& v_hat);

 private:
  void make_room(const ContactProblem& problem);
  void take_state(const SoftSource& source, int env);
};

template <class Fetch>
void SoftInput::take_starts(int begin, int end, const Fetch& fetch) {
  for (int e = begin; e < end; ++e) {
    const int first = e;
    for (; e < end && is_elsewhere(e); ++e) here[e] = StateHere::start;
    if (first < e) fetch(first, e);
  }
}

template <class Answer>
void SoftInput::advance(const ContactProblem& p, int begin, int end, const Answer& v_hat) {
  const TimeStep time{p.step_s, p.theta};
  for_each_environment(end - begin, 0, [&](int k) {
    const int e = begin + k;
    if (state[e] == StateOf::none) return;
    here[e] = StateHere::end;
    const std::int32_t shift = p.env_node_begin[e] - first_node[e];
    for (std::int32_t i = first_node[e]; i < first_node[e + 1]; ++i) {
      const Vec3d mean = v_hat(e, i + shift);
      v[i] = time.next_velocity(mean, v[i]);
      x[i] = x[i] + time.step_s * mean;
    }
  });
}

}  // namespace nodia
