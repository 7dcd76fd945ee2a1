/// Finds the known name nearest to a misspelt one, for messages about unknown keys and values.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace nodia {

/// Levenshtein distance: number of insertions, deletions and replacements of one character that
/// change `a` to `b`.
inline int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// The first of `known` with the smallest edit distance to `name`; empty if `known` is. Of names
/// longer than 256 characters, only the beginning is compared.
inline std::string nearest_by_letters(const std::string& name,
                                      const std::vector<std::string>& known) {
  const std::string start = name.substr(0, 256);
  std::string nearest;
  int least = -1;
  for (const std::string& candidate : known) {
    const int distance = edit_distance(start, candidate);
    if (least < 0 || distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/// A name in other programs, and the name here.
struct Synonym {
  const char *word, *name;
};
inline constexpr Synonym kSynonyms[] = {
    {"plane", "half_space"},
    {"ground", "half_space"},
    {"floor", "half_space"},
    {"halfspace", "half_space"},
    {"cube", "box"},
    {"cuboid", "box"},
    {"block", "box"},
    {"ball", "sphere"},
    {"rod", "cylinder"},
    {"tube", "cylinder"},
    {"pipe", "cylinder"},
    {"pill", "capsule"},
    {"stl", "mesh"},
    {"obj", "mesh"},
    {"E", "youngs_modulus_Pa"},
    {"young", "youngs_modulus_Pa"},
    {"elasticity", "youngs_modulus_Pa"},
    {"nu", "poissons_ratio"},
    {"rho", "density_kg_m3"},
    {"mu", "friction"},
    {"coulomb", "friction"},
    {"bounce", "restitution"},
    {"dt", "step_s"},
    {"timestep", "step_s"},
    {"time_step", "step_s"},
    {"end_time", "duration_s"},
    {"t_end", "duration_s"},
    {"rotation", "orientation_wxyz"},
    {"quaternion", "orientation_wxyz"},
    {"origin", "position_m"},
    {"pose", "position_m"},
    {"type", "shape"},
    {"g", "gravity_m_s2"},
    {"rigids", "rigid_bodies"},
    {"ropes", "cables"},
    {"colliders", "obstacles"},
    {"soft_bodies", "bodies"},
};

/// Part of a name after its last dot.
inline std::string last_part(const std::string& name) {
  return name.substr(name.rfind('.') + 1);
}

/// The known name that `name` probably means; empty if no known name is similar. The first of: a
/// name one letter away, a synonym, a name that begins alike (`density` for `density_kg_m3`), and
/// the name with the least edit distance, if that is at most half of the longer name.
inline std::string similar_name(const std::string& name, const std::vector<std::string>& known) {
  const auto nearest_where = [&](const auto& good) {
    std::vector<std::string> some;
    for (const std::string& candidate : known)
      if (good(candidate)) some.push_back(candidate);
    return nearest_by_letters(name, some);
  };
  constexpr std::size_t kLeast = 3;  // fewest letters that are compared
  std::string slip = nearest_where([&](const std::string& k) {
    return name.size() >= kLeast && k.size() >= kLeast && k.size() <= name.size() + 1 &&
           name.size() <= k.size() + 1 && edit_distance(name, k) <= 1;
  });
  if (!slip.empty()) return slip;
  for (const Synonym& synonym : kSynonyms) {
    if (last_part(name) != synonym.word) continue;
    std::string meant =
        nearest_where([&](const std::string& k) { return last_part(k) == synonym.name; });
    if (!meant.empty()) return meant;
  }
  const auto begins = [](const std::string& whole, const std::string& part) {
    return part.size() >= kLeast && whole.starts_with(part) &&
           (whole.size() == part.size() || whole[part.size()] != '.');  // not a group of it
  };
  std::string alike =
      nearest_where([&](const std::string& k) { return begins(k, name) || begins(name, k); });
  if (!alike.empty()) return alike;
  std::string nearest = nearest_by_letters(name, known);
  const std::size_t longer = std::max(name.size(), nearest.size());
  const int distance = edit_distance(name.substr(0, 256), nearest);
  return 2 * static_cast<std::size_t>(distance) <= longer + 1 ? nearest : "";
}

/// The similar name, else the one with the least edit distance; empty if `known` is empty.
inline std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  std::string similar = similar_name(name, known);
  return similar.empty() ? nearest_by_letters(name, known) : similar;
}

/// Hint of a message that lists all known names: `did you mean NAME?`, empty if none is similar.
inline std::string similar_name_hint(const std::string& name,
                                     const std::vector<std::string>& known) {
  const std::string similar = similar_name(name, known);
  return similar.empty() ? "" : "did you mean " + similar + "?";
}

/// Hint of a message that does not list the known names: `did you mean NAME?`, or some of the known
/// names if none is similar.
inline std::string known_names_hint(const std::string& name,
                                    const std::vector<std::string>& known) {
  std::string similar = similar_name_hint(name, known);
  if (!similar.empty()) return similar;
  if (known.empty()) return "there is none";
  constexpr std::size_t kMost = 24;  // most names in a line
  std::string names;
  for (std::size_t k = 0; k < std::min(kMost, known.size()); ++k)
    names += (k == 0 ? "" : ", ") + known[k];
  return "known: " + names + (known.size() > kMost ? ", ..." : "");
}

}  // namespace nodia
