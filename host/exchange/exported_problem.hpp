/// Converts a ContactProblem to a FrictionProblem for other programs.
#pragma once

#include <string>

#include "host/exchange/friction_problem.hpp"
#include "host/problem/contact_problem.hpp"

namespace nodia {

/// M = A [kg/s], q = b [N], H = Jc^T with the frames and points of every contact, b = phi [m/s], r
/// = lambda [N]: a global problem in three dimensions with its environments one after the other.
/// @throws InputError for anisotropic friction, which the format does not have
FrictionProblem exported_problem(const ContactProblem& problem, const std::string& title);

}  // namespace nodia
