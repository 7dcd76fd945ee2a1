/// Options that belong to one solver alone. A solver declares them in its own file and lists them
/// in its catalogue entry; scenario files, their schema and the command line follow from there.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace nodia {

/// A number in a range, one of several words, or a list of names; `solver.<name>.<key>` in a
/// scenario.
struct SolverParameter {
  const char* key;
  const char* description;  ///< with unit
  double number = 0;        ///< default of a number
  double low = 0, high = 0;
  bool low_open = false;
  std::vector<const char*> words;  ///< the first is the default; empty: a number or a list
  const char* text = nullptr;      ///< default of a list
  /// Of a list: throws InputError for a value it does not allow.
  void (*check)(const std::string& name, const std::string& value) = nullptr;

  static SolverParameter in(const char* key, const char* description, double number, double low,
                            double high) {
    return {key, description, number, low, high, false, {}, nullptr, nullptr};
  }
  static SolverParameter above(const char* key, const char* description, double number, double low);
  static SolverParameter one_of(const char* key, const char* description,
                                std::vector<const char*> words) {
    return {key, description, 0, 0, 0, false, std::move(words), nullptr, nullptr};
  }
  static SolverParameter list(const char* key, const char* description, const char* text,
                              void (*check)(const std::string& name, const std::string& value)) {
    return {key, description, 0, 0, 0, false, {}, text, check};
  }
  bool is_number() const { return words.empty() && !text; }
};

/// Values that differ from the defaults, by "<name>.<key>".
using SolverParameters = std::map<std::string, std::variant<double, std::string>>;

struct SolverOptions;

/// Value of a declared parameter of a solver in the catalogue, or its default.
double number_of(const SolverOptions& options, const std::string& solver, const std::string& key);
std::string word_of(const SolverOptions& options, const std::string& solver,
                    const std::string& key);
/// A number that must be whole. @throws InputError where it is not
int whole_number_of(const SolverOptions& options, const std::string& solver,
                    const std::string& key);

/// Throws InputError `solver.<name>.<key> = value (must be rule; hint)` for an unknown parameter or
/// a value it does not allow.
void validate(const SolverParameters& parameters);

}  // namespace nodia
