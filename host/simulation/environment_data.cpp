#include "host/simulation/environment_data.hpp"

namespace nodia {

void EnvironmentData::advance_time() {
  ++state->step;
  state->time_s = time_after(state->step);
}

void EnvironmentData::own_state() {
  if (state.use_count() > 1) state = std::make_shared<State>(*state);
}

}  // namespace nodia
