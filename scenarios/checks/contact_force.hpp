/// The check contact_force: what it compares, its keys, its evaluator.
#pragma once

#include <optional>
#include <string>

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/tolerance.hpp"
#include "scenarios/checks/window.hpp"

namespace nodia {

enum class ContactForcePart { x, y, z, norm, normal };

/// Mean contact force of one object on another over steps. The force of a step is a component or
/// the norm of the sum of all contact forces, or the sum of the normal forces. Value: |mean -
/// value_N| [N].
struct ContactForce {
  static constexpr const char* kName = "contact_force";
  std::string on;  ///< name of a body, cable, robot or obstacle
  std::string by;  ///< name of another object; empty: all other objects
  ContactForcePart part = ContactForcePart::norm;
  double from_s = 0, to_s = 0;  ///< steps that end in (from, to] [s]
  double value_N = 0;
  std::optional<double> relative_tolerance;  ///< of |value_N| [-], > 0; exactly one is set
  std::optional<double> tolerance_N;         ///< [N], > 0
};

inline void visit_keys(DocumentVisitor& v, ContactForce& c) {
  v.text({"on", "name of a body, cable, robot or obstacle", "", true}, c.on);
  v.text({"by", "name of another; empty: by everything else"}, c.by);
  v.choice({"part", "of the sum, along the world's axes; its norm; normal: sum of normal forces"},
           c.part,
           Choices<ContactForcePart>{{"x", ContactForcePart::x},
                                     {"y", ContactForcePart::y},
                                     {"z", ContactForcePart::z},
                                     {"norm", ContactForcePart::norm},
                                     {"normal", ContactForcePart::normal}});
  visit_window(v, c);
  v.real({"value_N", "mean over the steps [N]", "", true}, c.value_N, Range::any());
  visit_tolerance(v, c, "of |mean - value| by |value| [-]");
}

/// Checks the keys against each other and the scene. @param path  dotted path @throws ValueError
void validate(const ContactForce& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const ContactForce& check);

}  // namespace nodia
