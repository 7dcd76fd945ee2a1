#include "host/solvers/cond/loop_state.hpp"

namespace nodia {

SolverState LoopState::lists() const {
  return {{"in_contact", {marks.in_contact.begin(), marks.in_contact.end()}},
          {"n_chunk", {static_cast<double>(marks.n_chunk)}},
          {"n_virtual", {static_cast<double>(n_contact_node)}},
          {"w_age", {static_cast<double>(w_age)}},
          {"lambda_max", {lambda_max}},
          {"body_scale", {body_scale}},
          {"power", power},
          {"w", w},
          {"w_unguarded", w_unguarded}};
}

LoopState LoopState::from_lists(const SolverState& lists) {
  LoopState state;
  const auto list = [&](const char* name) {
    const auto found = lists.find(name);
    return found == lists.end() ? std::vector<double>{} : found->second;
  };
  const auto number = [&](const char* name) {
    const std::vector<double> numbers = list(name);
    return numbers.size() == 1 ? numbers.front() : 0.0;
  };
  for (const double marked : list("in_contact")) state.marks.in_contact.push_back(marked != 0);
  state.marks.n_chunk = static_cast<std::int32_t>(number("n_chunk"));
  state.n_contact_node = static_cast<std::int32_t>(number("n_virtual"));
  state.w_age = static_cast<int>(number("w_age"));
  state.lambda_max = number("lambda_max");
  state.body_scale = number("body_scale");
  state.power = list("power");
  state.w = list("w");
  state.w_unguarded = list("w_unguarded");
  return state;
}

}  // namespace nodia
