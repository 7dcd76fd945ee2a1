/// Any problem file: Siconos text, fclib, our own.
#pragma once

#include <string>
#include <variant>

#include "host/exchange/friction_problem.hpp"
#include "host/problem/contact_problem.hpp"

namespace nodia {

/// A problem of our own, with the starting point its file holds.
struct OwnProblem {
  ContactProblem problem;
  WarmStart warm;
};
using AnyProblem = std::variant<FrictionProblem, OwnProblem>;

/// Decided by what the file holds, not by its name. @throws InputError
AnyProblem read_problem(const std::string& path);

}  // namespace nodia
