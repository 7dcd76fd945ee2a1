/// Kernels that carry data in the launcher's memory over to the next step: the end-of-step state,
/// the last solution as the initial guess, and estimates of W.
#pragma once

#include "kernels/vfpi/control_ends.hpp"
#include "kernels/vfpi/environment.hpp"
#include "kernels/vfpi/soft_motion.hpp"

namespace nodia {

/// Data that one environment carries over.
struct Carried {
  std::int32_t advances = 0;       ///< 1: its nodes advance to the end of the last step
  std::int32_t from_solution = 0;  ///< 1: initial guess is the last solution; 0: role 0
  std::int32_t knows_w = 0;        ///< 1: W comes from an earlier solve
  ControlStart control;

  bool operator==(const Carried&) const = default;
};

/// Role in VfpiEnvironment::node that holds the last solution until its control restarts.
template <class Precision, class Memory>
NODIA_HD int role_of_solution(const VfpiEnvironment<Precision>& env, Memory memory) {
  return memory.read(&env.control->solution);
}

/// Advances soft nodes to the end of the solved step.
template <class Precision>
struct AdvanceNodes : EnvironmentKernel<AdvanceNodes<Precision>> {
  const VfpiEnvironment<Precision>* environment = nullptr;
  const Carried* carried = nullptr;
  const SoftRows* soft = nullptr;  ///< rows of the solved step

  template <class Memory>
  NODIA_HD void visit(int e, int row, Memory memory) const {
    using Real = typename Precision::Real;
    const SoftRows& own = soft[e];
    if (carried[e].advances == 0 || row >= own.n_row) return;
    const std::int32_t i = own.node[row];
    if (i < 0 || i >= own.model.n_node) return;
    const VfpiEnvironment<Precision>& env = environment[e];
    const auto v_hat =
        cast<double>(load_state<Real>(env, env.node[role_of_solution(env, memory)], row, memory));
    store_motion(own, i, end_of_step(own.step, load_motion(own, i, memory), v_hat), memory);
  }
};

/// Copies the initial guess into every role.
template <class Precision>
struct StartRoles : EnvironmentKernel<StartRoles<Precision>> {
  const VfpiEnvironment<Precision>* environment = nullptr;
  const Carried* carried = nullptr;

  template <class Memory>
  NODIA_HD void visit(int e, int row, Memory memory) const {
    using Real = typename Precision::Real;
    const VfpiEnvironment<Precision>& env = environment[e];
    if (row >= env.n_chunk * kBlockLanes) return;
    const int start = carried[e].from_solution != 0 ? role_of_solution(env, memory) : 0;
    const Vec3<Real> v = load_state<Real>(env, env.node[start], row, memory);
    for (int role = 0; role < 4; ++role)
      if (role != start) store_state<Real>(env, env.node[role], row, v, memory);
  }
};

/// Initialises the controls, one lane per environment.
struct StartControls : FlatListKernel<StartControls> {
  const Carried* carried = nullptr;
  Acceleration acceleration = Acceleration::none;
  VfpiControl* control = nullptr;  ///< from the last solve, or as the host wrote it

  template <class Memory>
  NODIA_HD void visit(int e, Memory memory) const {
    const VfpiControl last = memory.read(control + e);
    memory.write(control + e, carried[e].control.control(acceleration, last));
  }
};

/// Arguments for several environments; pointers into the launcher's memory.
template <class Precision>
struct StateCarry {
  int n_env = 0;
  int n_chunk = 0;                                  ///< maximum over the environments
  const VfpiEnvironment<Precision>* env = nullptr;  ///< [n_env]
  const SoftRows* soft = nullptr;                   ///< [n_env], for AdvanceNodes
  const Carried* carried = nullptr;                 ///< [n_env]
  VfpiControl* control = nullptr;                   ///< [n_env]
  Acceleration acceleration = Acceleration::none;

  bool operator==(const StateCarry&) const = default;
};

template <class Launcher, class Precision>
void launch_advance(Launcher&& launcher, const StateCarry<Precision>& c) {
  AdvanceNodes<Precision> kernel;
  kernel.environment = c.env;
  kernel.carried = c.carried;
  kernel.n_chunk = c.n_chunk;
  kernel.soft = c.soft;
  launcher.launch("advance_nodes", kernel, c.n_env * c.n_chunk);
}
template <class Launcher, class Precision>
void launch_start(Launcher&& launcher, const StateCarry<Precision>& c) {
  StartRoles<Precision> kernel;
  kernel.environment = c.env;
  kernel.carried = c.carried;
  kernel.n_chunk = c.n_chunk;
  launcher.launch("start_roles", kernel, c.n_env * c.n_chunk);
  StartControls controls;
  controls.carried = c.carried;
  controls.acceleration = c.acceleration;
  controls.control = c.control;
  launch_list(launcher, "start_controls", controls, c.n_env);
}

}  // namespace nodia
