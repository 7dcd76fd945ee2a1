/// Parts of VfpiControl that the host and the device exchange at the start and the end of a solve.
#pragma once

#include "kernels/launch/element_kernel.hpp"
#include "kernels/vfpi/control.hpp"

namespace nodia {

/// Start values of the control of one environment.
struct ControlStart {
  std::int32_t new_w = 0;           ///< 1: the solve computes W again
  std::int32_t power_products = 0;  ///< products of the power iteration; 0: W is reused

  /// @param last  control of the last solve; its estimates hold if W is reused
  NODIA_HD VfpiControl control(Acceleration acceleration, const VfpiControl& last) const {
    VfpiControl control;
    control.extrapolation.kind = acceleration;
    control.new_w = new_w != 0;
    control.power_products = power_products;
    if (new_w == 0) {
      control.lambda_max = last.lambda_max;
      control.body_scale = last.body_scale;
    }
    return control;
  }
  bool operator==(const ControlStart&) const = default;
};

/// End values of the control, for reports, archives and the next start.
struct ControlEnd {
  VfpiControl::Stage stage = VfpiControl::Stage::waiting;
  SolveStatus status = SolveStatus::iteration_limit;
  StopReason reason = StopReason::none;
  bool absolute_floor = false;
  std::uint8_t solution = 0;
  std::int32_t iterations = 0, restarts = 0;
  std::int32_t power_products = 0;  ///< remaining products
  double velocity_step = 0, lambda_max = 0, body_scale = 0;

  NODIA_HD static ControlEnd of(const VfpiControl& c) {
    return {c.stage,         c.status,     c.reason,    c.absolute_floor,
            c.solution,      c.iterations, c.restarts,  c.power_products,
            c.velocity_step, c.lambda_max, c.body_scale};
  }
  void put(VfpiControl* c) const {
    c->stage = stage;
    c->status = status;
    c->reason = reason;
    c->absolute_floor = absolute_floor;
    c->solution = solution;
    c->iterations = iterations;
    c->restarts = restarts;
    c->power_products = power_products;
    c->velocity_step = velocity_step;
    c->lambda_max = lambda_max;
    c->body_scale = body_scale;
  }
};

/// Gathers the end values of all environments, one lane per environment.
struct GatherControlEnds : FlatListKernel<GatherControlEnds> {
  const VfpiControl* control = nullptr;
  ControlEnd* end = nullptr;  ///< out

  template <class Memory>
  NODIA_HD void visit(int e, Memory memory) const {
    memory.write(end + e, ControlEnd::of(memory.read(control + e)));
  }
};

}  // namespace nodia
