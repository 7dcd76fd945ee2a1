#include "host/solvers/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/solvers/contact_solver.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"

namespace nodia {
namespace {

struct Declared {
  std::string name;  ///< "<solver>.<key>"
  const SolverParameter* parameter;
};

std::vector<Declared> all_declared() {
  std::vector<Declared> all;
  for (const SolverEntry& entry : solver_catalogue())
    for (const SolverParameter& p : entry.parameters)
      all.push_back({fmt::format("{}.{}", entry.name, p.key), &p});
  return all;
}

const SolverParameter& find(const std::string& name) {
  std::vector<std::string> names;
  for (const Declared& declared : all_declared()) {
    if (declared.name == name) return *declared.parameter;
    names.push_back(declared.name);
  }
  throw InputError(fmt::format(
      "solver.{}: no such option of a solver{}", name,
      names.empty() ? "" : fmt::format(" (did you mean solver.{}?)", nearest_name(name, names))));
}

void check(const std::string& name, const SolverParameter& p, double value) {
  const bool good =
      std::isfinite(value) && (p.low_open ? value > p.low : value >= p.low) && value <= p.high;
  if (std::isfinite(p.high))
    require(good, "solver." + name, value,
            fmt::format("in {}{}, {}]", p.low_open ? '(' : '[', p.low, p.high), "");
  else
    require(good, "solver." + name, value, fmt::format("{} {}", p.low_open ? ">" : ">=", p.low),
            "");
}

void check(const std::string& name, const SolverParameter& p, const std::string& word) {
  if (p.text) {
    p.check("solver." + name, word);
    return;
  }
  const std::vector<std::string> words(p.words.begin(), p.words.end());
  if (std::find(words.begin(), words.end(), word) == words.end())
    throw_bad_value("solver." + name, word, fmt::format("one of {}", fmt::join(words, ", ")),
                    fmt::format("did you mean {}?", nearest_name(word, words)));
}

}  // namespace

SolverParameter SolverParameter::above(const char* key, const char* description, double number,
                                       double low) {
  return {key,  description, number,  low,    std::numeric_limits<double>::infinity(),
          true, {},          nullptr, nullptr};
}

double number_of(const SolverOptions& options, const std::string& solver, const std::string& key) {
  const std::string name = solver + "." + key;
  const auto given = options.parameters.find(name);
  return given == options.parameters.end() ? find(name).number : std::get<double>(given->second);
}

int whole_number_of(const SolverOptions& options, const std::string& solver,
                    const std::string& key) {
  const double value = number_of(options, solver, key);
  require(value == std::floor(value) && std::abs(value) <= 1e9,
          fmt::format("solver.{}.{}", solver, key), value, "a whole number", "");
  return static_cast<int>(value);
}

std::string word_of(const SolverOptions& options, const std::string& solver,
                    const std::string& key) {
  const std::string name = solver + "." + key;
  const auto given = options.parameters.find(name);
  if (given != options.parameters.end()) return std::get<std::string>(given->second);
  const SolverParameter& p = find(name);
  return p.text ? p.text : p.words.front();
}

void validate(const SolverParameters& parameters) {
  for (const auto& [name, value] : parameters) {
    const SolverParameter& p = find(name);
    if (p.is_number() != std::holds_alternative<double>(value))
      throw InputError(
          fmt::format("solver.{}: must be a {}", name, p.is_number() ? "number" : "word"));
    std::visit([&](const auto& v) { check(name, p, v); }, value);
  }
}

}  // namespace nodia
