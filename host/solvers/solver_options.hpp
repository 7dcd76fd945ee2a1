/// What a user chooses: a solver of the catalogue, what all of them take, and what single ones do.
#pragma once

#include <any>
#include <map>
#include <string>
#include <typeindex>

#include "host/solvers/options.hpp"

namespace nodia {

struct SolverOptions : CommonOptions {
  std::string solver = "auto";  ///< name in the catalogue

  /// The options of one solver alone, a struct that it declares:
  /// `options.of<CcsOptions>().penalty`.
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
  /// `auto` the keys of `cond` have their defaults: they say nothing to the others it may take.
  void validate() const;

 private:
  std::map<std::type_index, std::any> own_;  ///< those that were asked for, others have defaults
};

/// The keys of a scenario's group `solver`: of all solvers, and of each solver of the catalogue.
void visit_keys(KeyVisitor& v, SolverOptions& o);

}  // namespace nodia
