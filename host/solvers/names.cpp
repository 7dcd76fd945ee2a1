#include "host/solvers/names.hpp"

#include <fmt/format.h>

#include <array>

#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"

namespace nodia {
namespace {

template <class Enum>
struct Named {
  Enum value;
  const char* name;
};

constexpr std::array kStatuses{Named{SolveStatus::converged, "converged"},
                               Named{SolveStatus::iteration_limit, "iteration_limit"},
                               Named{SolveStatus::stalled, "stalled"},
                               Named{SolveStatus::diverged, "diverged"},
                               Named{SolveStatus::infeasible, "infeasible"},
                               Named{SolveStatus::not_a_number, "not_a_number"},
                               Named{SolveStatus::failed, "failed"}};
constexpr std::array kStopRules{Named{StopRule::residual, "residual"},
                                Named{StopRule::paper, "paper"}};
constexpr std::array kProjections{Named{Projection::strict, "strict"},
                                  Named{Projection::proximal, "proximal"}};
constexpr std::array kWKinds{Named{WKind::frobenius, "frobenius"},
                             Named{WKind::bb1, "bb1"},
                             Named{WKind::bb2, "bb2"},
                             Named{WKind::bb_alternating, "bb-alternating"},
                             Named{WKind::alpha_identity, "alpha"},
                             Named{WKind::inf_norm, "inf-norm"}};
constexpr std::array kAccelerations{Named{Acceleration::none, "none"},
                                    Named{Acceleration::chebyshev, "chebyshev"},
                                    Named{Acceleration::nesterov, "nesterov"}};
constexpr std::array kPrecisions{Named{Precision::double_, "double"},
                                 Named{Precision::mixed, "mixed"},
                                 Named{Precision::float_, "float"}};
constexpr std::array kBackends{Named{Backend::cpu, "cpu"}, Named{Backend::cuda, "cuda"}};
constexpr std::array kFactorisers{Named{Factoriser::simplicial, "simplicial"},
                                  Named{Factoriser::cholmod, "cholmod"}};
constexpr std::array kAnswerRules{Named{AnswerRule::least_contact, "least_contact"},
                                  Named{AnswerRule::last, "last"},
                                  Named{AnswerRule::least_energy, "least_energy"}};

template <class Table, class Enum>
const char* find_name(const Table& table, Enum value) {
  for (const auto& entry : table)
    if (entry.value == value) return entry.name;
  return "unknown";
}

template <class Table>
auto find_value(const Table& table, const std::string& text, const std::string& key) {
  std::vector<std::string> names;
  for (const auto& entry : table) {
    if (text == entry.name) return entry.value;
    names.emplace_back(entry.name);
  }
  throw_bad_value(key, text, fmt::format("one of {}", fmt::join(names, ", ")),
                  fmt::format("did you mean {}?", nearest_name(text, names)));
}

}  // namespace

const char* name_of(SolveStatus value) {
  return find_name(kStatuses, value);
}
bool is_failure(SolveStatus value) {
  return value == SolveStatus::diverged || value == SolveStatus::not_a_number ||
         value == SolveStatus::failed;
}
const char* name_of(StopRule value) {
  return find_name(kStopRules, value);
}
const char* name_of(Projection value) {
  return find_name(kProjections, value);
}
const char* name_of(WKind value) {
  return find_name(kWKinds, value);
}
const char* name_of(Acceleration value) {
  return find_name(kAccelerations, value);
}
const char* name_of(Precision value) {
  return find_name(kPrecisions, value);
}
const char* name_of(Backend value) {
  return find_name(kBackends, value);
}
const char* name_of(Factoriser value) {
  return find_name(kFactorisers, value);
}
const char* name_of(AnswerRule value) {
  return find_name(kAnswerRules, value);
}

StopRule parse_stop_rule(const std::string& text, const std::string& key) {
  return find_value(kStopRules, text, key);
}
Projection parse_projection(const std::string& text, const std::string& key) {
  return find_value(kProjections, text, key);
}
WKind parse_w_kind(const std::string& text, const std::string& key) {
  return find_value(kWKinds, text, key);
}
Acceleration parse_acceleration(const std::string& text, const std::string& key) {
  return find_value(kAccelerations, text, key);
}
Precision parse_precision(const std::string& text, const std::string& key) {
  return find_value(kPrecisions, text, key);
}
Factoriser parse_factoriser(const std::string& text, const std::string& key) {
  return find_value(kFactorisers, text, key);
}
AnswerRule parse_answer_rule(const std::string& text, const std::string& key) {
  return find_value(kAnswerRules, text, key);
}

}  // namespace nodia
