/// Names of options as users write them.
#pragma once

#include <string>

#include "host/solvers/contact_solver.hpp"

namespace nodia {

/// Each throws InputError `key = text (must be one of ...; did you mean ...?)` for an unknown name.
StopRule parse_stop_rule(const std::string& text, const std::string& key = "solver.stop");
Projection parse_projection(const std::string& text, const std::string& key = "solver.projection");
WKind parse_w_kind(const std::string& text, const std::string& key = "solver.w");
Acceleration parse_acceleration(const std::string& text,
                                const std::string& key = "solver.acceleration");
Precision parse_precision(const std::string& text, const std::string& key = "solver.precision");
AnswerRule parse_answer_rule(const std::string& text, const std::string& key = "solver.answer");
Factoriser parse_factoriser(const std::string& text, const std::string& key = "solver.factoriser");

}  // namespace nodia
