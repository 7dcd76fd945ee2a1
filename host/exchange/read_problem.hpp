/// Reads any problem file: Siconos text, fclib, or nodia's own format.
#pragma once

#include <string>
#include <variant>

#include "host/exchange/friction_problem.hpp"
#include "host/problem/contact_problem.hpp"

namespace nodia {

/// A problem in nodia's format, with the initial guess in its file.
struct OwnProblem {
  ContactProblem problem;
  WarmStart warm;
};
using AnyProblem = std::variant<FrictionProblem, OwnProblem>;

/// The contents of the file, not its name, determine the format. @throws InputError
AnyProblem read_problem(const std::string& path);

}  // namespace nodia
