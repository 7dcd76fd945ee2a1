/// Options of a run: the solver's name, the common options, and the options of single solvers.
#pragma once

#include <any>
#include <map>
#include <string>
#include <typeindex>

#include "host/solvers/options.hpp"

namespace nodia {

struct SolverOptions : CommonOptions {
  std::string solver = "auto";  ///< name in the catalogue

  /// Options of one solver, in the struct that it declares: `options.of<CcsOptions>().penalty`.
  template <class Own>
  Own& of() {
    std::any& own = own_[typeid(Own)];
    if (!own.has_value()) own = Own{};
    return *std::any_cast<Own>(&own);
  }
  template <class Own>
  const Own& of() const {
    static const Own defaults{};
    const auto found = own_.find(typeid(Own));
    return found == own_.end() ? defaults : *std::any_cast<Own>(&found->second);
  }

  /// Throws InputError `solver.key = value (must be rule; hint)` for the first broken rule. Under
  /// `auto` the keys of `cond` must have their defaults, because other solvers ignore them.
  void validate() const;

 private:
  std::map<std::type_index, std::any> own_;  ///< options that were accessed; others have defaults
};

/// Visits the keys of the group `solver`: common ones, and those of each solver of the catalogue.
void visit_keys(KeyVisitor& v, SolverOptions& o);

}  // namespace nodia
