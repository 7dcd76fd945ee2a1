/// Visits the file names in groups of keys.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/core/pose.hpp"
#include "scenarios/format/draw_rule.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

/// Calls each() with every file name. The call may change the name.
class FileKeys {
 public:
  explicit FileKeys(std::function<void(std::string*)> each) : each_(std::move(each)) {}

  void file(const Key&, std::string& value) { each_(&value); }

  void real(const Key&, double&, const Range&) {}
  void integer(const Key&, int&, int, int) {}
  void unsigned_64(const Key&, std::uint64_t&) {}
  void boolean(const Key&, bool&) {}
  void text(const Key&, std::string&) {}
  void texts(const Key&, std::vector<std::string>&) {}
  void vector(const Key&, Vec3d&, const Range&) {}
  void quaternion(const Key&, Quaternion&) {}
  void numbers(const Key&, std::vector<double>&, const std::vector<std::size_t>&, const Range&) {}
  void points(const Key&, std::vector<Vec3d>&) {}
  void numbers_by_name(const Key&, std::vector<NamedNumber>&) {}
  void folders_by_name(const Key&, std::map<std::string, std::string>&) {}
  void cells(const Key&, std::array<int, 3>&, int, int) {}
  void values(const Key&, std::vector<YamlNode>&) {}
  /// Skips files in choices. The caller handles them, see Assets.
  void draw_rules(const Key&, std::vector<DrawRule>&) {}
  void exactly_one(const char*) {}
  template <class E>
  void choice(const Key&, E&, const Choices<E>&) {}

  template <class T, class Visit>
  void optional(const Key& key, std::optional<T>& value, const Visit& visit) {
    if (value) visit(key, *value);
  }
  template <class T>
  void group(const Key&, T& value) {
    visit_keys(*this, value);
  }
  template <class T>
  void named(const Key&, std::vector<T>& value) {
    for (T& member : value) visit_keys(*this, member);
  }
  template <class T>
  void list(const Key&, std::vector<T>& value) {
    for (T& member : value) visit_keys(*this, member);
  }
  template <class... Ts>
  void tagged(const Key&, std::variant<Ts...>& value) {
    std::visit([&](auto& alternative) { visit_keys(*this, alternative); }, value);
  }

 private:
  std::function<void(std::string*)> each_;
};

}  // namespace nodia
