#include "tools/command/solver_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "host/solvers/solver_options.hpp"

namespace nodia::cli {
namespace {

/// A word of a flag and the value of its key.
struct Alias {
  const char *word, *value;
};

struct Flag {
  const char* name;
  const char* key;  ///< `solver.key`
  std::optional<std::string> SolverFlags::*value;
  std::vector<Alias> aliases{};   ///< empty: the flag takes the values of the key
  const char* meaning = nullptr;  ///< help of a flag with aliases; null: that of the key
};

const std::vector<Flag>& flags() {
  static const std::vector<Flag> all{
      {"--stop", "stop", &SolverFlags::stop},
      {"--tolerance", "tolerance", &SolverFlags::tolerance},
      {"--max-iterations", "max_iterations", &SolverFlags::max_iterations},
      {"--w", "w", &SolverFlags::w},
      {"--acceleration", "acceleration", &SolverFlags::acceleration},
      {"--chebyshev",
       "acceleration",
       &SolverFlags::chebyshev,
       {{"on", "chebyshev"}, {"off", "none"}},
       "Chebyshev acceleration"},
      {"--precision", "precision", &SolverFlags::precision},
      {"--threads", "threads", &SolverFlags::threads},
      {"--errors",
       "full_errors",
       &SolverFlags::errors,
       {{"estimate", "false"}, {"full", "true"}},
       "how error measures are computed; full: the energy error uses the exact Delassus diagonal"}};
  return all;
}

/// Meanings and values of the keys that all solvers share.
class KeyHelp final : public KeyVisitor {
 public:
  struct Help {
    std::string meaning, values;
  };

  KeyHelp() {
    SolverOptions defaults;
    visit_keys(static_cast<KeyVisitor&>(*this), defaults);
  }
  const Help& of(const std::string& key) const { return help_.at(key); }

  void real(const Key& key, double&, const Range&) override { add(key, "X"); }
  void optional_real(const Key& key, std::optional<double>&, const Range&) override {
    add(key, "X");
  }
  void integer(const Key& key, int&, int, int) override { add(key, "N"); }
  void boolean(const Key& key, bool&) override { add(key, "true|false"); }
  void text(const Key& key, std::string&) override { add(key, "TEXT"); }
  void word(const Key& key, std::string&, const std::vector<std::string>& words) override {
    add(key, fmt::format("{}", fmt::join(words, "|")));
  }
  void names(const Key& key, std::string&, const std::vector<std::string>&) override {
    add(key, "NAMES");
  }
  void group(const Key&, const std::function<void(KeyVisitor&)>&) override {}

 private:
  void add(const Key& key, const std::string& values) { help_[key.name] = {key.meaning, values}; }

  std::map<std::string, Help> help_;
};

std::string words_of_aliases(const Flag& flag, const char* between) {
  std::vector<std::string> words;
  for (const Alias& alias : flag.aliases) words.emplace_back(alias.word);
  return fmt::format("{}", fmt::join(words, between));
}

/// Value of the key for the given value of the flag.
std::string value_of(const Flag& flag, const std::string& given) {
  if (flag.aliases.empty()) return given;
  for (const Alias& alias : flag.aliases)
    if (given == alias.word) return alias.value;
  throw_bad_value(flag.name, given, words_of_aliases(flag, " or "), "");
}

}  // namespace

void SolverFlags::declare(CLI::App& app, const std::vector<FlagMeaning>& otherwise) {
  const KeyHelp keys;
  for (const Flag& flag : flags()) {
    const auto own = std::find_if(otherwise.begin(), otherwise.end(), [&](const FlagMeaning& m) {
      return std::string(m.flag) == flag.name;
    });
    if (own != otherwise.end() && !own->meaning) continue;
    const KeyHelp::Help& help = keys.of(flag.key);
    std::string meaning = flag.meaning ? flag.meaning : help.meaning;
    if (own != otherwise.end()) meaning = own->meaning;
    app.add_option(flag.name, this->*flag.value, meaning)
        ->type_name(flag.aliases.empty() ? help.values : words_of_aliases(flag, "|"))
        ->group("Solver");
  }
  thread_cap.declare(app);
}

std::vector<std::string> SolverFlags::settings() const {
  std::vector<std::string> settings;
  for (const Flag& flag : flags())
    if (const std::optional<std::string>& given = this->*flag.value)
      settings.push_back(fmt::format("solver.{}={}", flag.key, value_of(flag, *given)));
  return settings;
}

}  // namespace nodia::cli
