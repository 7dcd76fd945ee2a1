/// The check contact_force: what it compares, its keys, its evaluator.
#pragma once

#include <optional>
#include <string>

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/tolerance.hpp"
#include "scenarios/checks/window.hpp"

namespace nodia {

enum class ContactForcePart { x, y, z, norm, normal };

/// Mean over steps of a component of the sum of all contact forces on one object by another, of its
/// norm, or of the sum of the contacts' normal forces. Value: |mean - value_N| [N].
struct ContactForce {
  static constexpr const char* kName = "contact_force";
  std::string on;  ///< name of a body, cable, robot or obstacle
  std::string by;  ///< the same, or empty: by everything else
  ContactForcePart part = ContactForcePart::norm;
  double from_s = 0, to_s = 0;  ///< steps that end in (from, to] [s]
  double value_N = 0;
  std::optional<double> relative_tolerance;  ///< of |value_N| [-], > 0; exactly one of the two
  std::optional<double> tolerance_N;         ///< [N], > 0
};

template <class V>
void visit_keys(V& v, ContactForce& c) {
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

/// Rules between its keys and the scene. @param path  of the check @throws ValueError
void validate(const ContactForce& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const ContactForce& check);

}  // namespace nodia
