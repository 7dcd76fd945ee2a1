/// The known name nearest to a misspelt one, for messages about unknown keys and values.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace nodia {

/// Levenshtein distance: insertions, deletions and replacements of one character that turn `a` into
/// `b`.
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

/// The first of `known` with the least edit distance to `name`; empty where `known` is. Names
/// longer than 256 characters are compared by their beginning.
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

/// What other programs and people call something, and its name here.
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

/// Behind the last dot.
inline std::string last_part(const std::string& name) {
  return name.substr(name.rfind('.') + 1);
}

/// The known name that was meant; empty where there is none at all. One that is a letter away goes
/// before the rest, then a synonym, then names that begin like it (`density` for `density_kg_m3`),
/// then the least edit distance.
inline std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  const auto nearest_where = [&](const auto& good) {
    std::vector<std::string> some;
    for (const std::string& candidate : known)
      if (good(candidate)) some.push_back(candidate);
    return nearest_by_letters(name, some);
  };
  constexpr std::size_t kLeast = 3;  // letters that say something
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
           (whole.size() == part.size() || whole[part.size()] != '.');  // no group of it
  };
  std::string alike =
      nearest_where([&](const std::string& k) { return begins(k, name) || begins(name, k); });
  return alike.empty() ? nearest_by_letters(name, known) : alike;
}

}  // namespace nodia
