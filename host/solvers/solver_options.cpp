#include "host/solvers/solver_options.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "host/solvers/automatic/automatic.hpp"
#include "host/solvers/catalogue.hpp"

namespace nodia {
namespace {

constexpr const char* kOwnGroup = "options of this solver alone";

/// Collects name and value of every key as text.
class KeyValues final : public KeyVisitor {
 public:
  explicit KeyValues(void (*visit)(KeyVisitor&, SolverOptions&), SolverOptions options) {
    visit(*this, options);
  }
  const std::vector<std::pair<std::string, std::string>>& all() const { return all_; }

  void real(const Key& key, double& value, const Range&) override {
    add(key, fmt::format("{}", value));
  }
  void optional_real(const Key& key, std::optional<double>& value, const Range&) override {
    add(key, value ? fmt::format("{}", *value) : "left out");
  }
  void integer(const Key& key, int& value, int, int) override { add(key, std::to_string(value)); }
  void boolean(const Key& key, bool& value) override { add(key, value ? "true" : "false"); }
  void text(const Key& key, std::string& value) override { add(key, value); }
  void word(const Key& key, std::string& value, const std::vector<std::string>&) override {
    add(key, value);
  }
  void names(const Key& key, std::string& value, const std::vector<std::string>&) override {
    add(key, value);
  }
  void group(const Key&, const std::function<void(KeyVisitor&)>& visit) override { visit(*this); }

 private:
  void add(const Key& key, const std::string& value) { all_.emplace_back(key.name, value); }

  std::vector<std::pair<std::string, std::string>> all_;
};

/// Rejects keys of one solver among the common keys if solvers are chosen per environment, because
/// they would be ignored without a message.
void refuse_keys_of_one(const SolverOptions& options) {
  for (const SolverEntry& entry : solver_catalogue()) {
    if (!entry.visit || entry.keys != KeysStand::among_all) continue;
    const KeyValues given(entry.visit, options), defaults(entry.visit, SolverOptions{});
    for (std::size_t k = 0; k < given.all().size(); ++k)
      if (const auto& [key, value] = given.all()[k]; value != defaults.all()[k].second)
        throw_bad_value(
            "solver." + key, value, "left out with solver auto",
            fmt::format("it belongs to {0}: solver.solver={0}, --solver {0}", entry.name));
  }
}

}  // namespace

void SolverOptions::validate() const {
  SolverOptions visited = *this;
  KeyCheck check("solver");
  visit_keys(check, visited);
  require_available(factor.factoriser);
  if (solver == kAutomaticName) refuse_keys_of_one(*this);
  stop_rule_of(*this);
}

void visit_keys(KeyVisitor& v, SolverOptions& o) {
  v.text({"solver", "name in the catalogue (nodia info lists them)", "try auto"}, o.solver);
  visit_iteration_keys(v, o);
  for (const SolverEntry& entry : solver_catalogue())
    if (entry.visit && entry.keys == KeysStand::among_all) entry.visit(v, o);
  visit_effort_keys(v, o);
  for (const SolverEntry& entry : solver_catalogue())
    if (entry.visit && entry.keys == KeysStand::in_own_group)
      v.group({entry.name, kOwnGroup}, [&](KeyVisitor& members) { entry.visit(members, o); });
  for (const StepperEntry& entry : stepper_catalogue())
    v.group({entry.name, kOwnGroup}, [&](KeyVisitor& members) { entry.visit(members, o); });
}

}  // namespace nodia
