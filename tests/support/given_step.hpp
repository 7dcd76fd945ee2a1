/// State and contacts of a step made by hand, for what takes a StepView.
#pragma once

#include "host/simulation/simulation.hpp"

namespace nodia::test {

class GivenStep final : public StepSource {
 public:
  GivenStep(const State& state, const StepContactsView& contacts)
      : state_(state), contacts_(contacts) {}
  /// Without contacts.
  explicit GivenStep(const State& state) : GivenStep(state, none()) {}

  const State& state() const override { return state_; }
  StepContactsView contacts() const override { return contacts_; }

 private:
  static StepContactsView none() {
    static const std::vector<Contact<double>> contacts;
    static const std::vector<Vec3d> lambda;
    static const std::vector<ContactState> state;
    static const std::vector<ContactSides> sides;
    return {contacts, lambda, state, sides};
  }

  const State& state_;
  StepContactsView contacts_;
};

}  // namespace nodia::test
