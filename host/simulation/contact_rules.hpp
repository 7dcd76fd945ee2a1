/// Converts contact options of the scene to the terms of kernels/contact/contact_terms.hpp.
#pragma once

#include "host/scene/friction_table.hpp"
#include "kernels/contact/contact_terms.hpp"

namespace nodia {

inline ContactTimes contact_times(const TimeOptions& time, const ContactOptions& contact) {
  return {time.step_s, time.theta, contact.rest_speed_m_s, contact.penetration_recovery,
          contact.recovery_speed_m_s};
}

/// @param restitution  larger restitution of both surfaces
inline ContactRule contact_rule(const ContactFriction& friction, double restitution) {
  return {friction.friction_1, friction.friction_2, friction.axis, restitution};
}

}  // namespace nodia
