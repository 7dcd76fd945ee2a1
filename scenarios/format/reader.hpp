/// Reads groups of keys from a YAML tree and refuses everything that they do not allow.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/draw_rule.hpp"
#include "scenarios/format/visitor.hpp"
#include "scenarios/format/yaml_path.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// Begins the name of a file of a package: package://NAME/PATH.
inline constexpr std::string_view kPackagePrefix = "package://";

/// Reads one group of keys, given as a map. Values that are left out keep their defaults. All
/// functions throw InputError `file:line: key = value (must be rule; hint)`.
class Reader final : public DocumentVisitor {
 public:
  /// @param path  of the group, for messages; empty at the top
  Reader(const YamlNode& group, std::string path);

  /// Must be called last. Refuses a required key that is left out, and keys that nothing read.
  void finish() const;

  void real(const Key& key, double& value, const Range& range) override;
  void integer(const Key& key, int& value, int low, int high) override;
  void boolean(const Key& key, bool& value) override;
  void text(const Key& key, std::string& value) override;
  void word(const Key& key, std::string& value, const std::vector<std::string>& words) override;
  void unsigned_64(const Key& key, std::uint64_t& value) override;
  void texts(const Key& key, std::vector<std::string>& value) override;
  void file(const Key& key, std::string& value) override;
  void vector(const Key& key, Vec3d& value, const Range& range) override;
  void quaternion(const Key& key, Quaternion& value) override;
  void numbers(const Key& key, std::vector<double>& value, const std::vector<std::size_t>& sizes,
               const Range& range) override;
  void points(const Key& key, std::vector<Vec3d>& value) override;
  void numbers_by_name(const Key& key, std::vector<NamedNumber>& value) override;
  void folders_by_name(const Key& key, std::map<std::string, std::string>& value) override;
  void cells(const Key& key, std::array<int, 3>& value, int low, int high) override;
  void values(const Key& key, std::vector<YamlNode>& value) override;
  void draw_rules(const Key& key, std::vector<DrawRule>& value) override;
  void exactly_one(const char* what) override;

 protected:
  OptionalValue begin_optional(const Key& key, bool has_value) override;
  void visit_group(const Key& key, const std::function<void(DocumentVisitor&)>& visit) override;
  void visit_named(const Key& key, GroupList& groups) override;
  void visit_list(const Key& key, GroupList& groups) override;
  void visit_tagged(const Key& key, TaggedGroup& group) override;

 private:
  /// Value of a key; null if it is left out.
  const YamlNode* take(const Key& key);
  [[noreturn]] void refuse_missing() const;
  bool is_known(const YamlNode& child) const;
  std::string file_path(const YamlNode& node, const std::string& key, const std::string& rule,
                        const std::string& hint) const;
  std::string path_of(const YamlNode& node) const { return joined(path_, node.key); }
  double number(const YamlNode& node, const std::string& path, const Range& range,
                const char* hint) const;
  std::int64_t whole_number(const YamlNode& node, const std::string& path, std::int64_t low,
                            std::int64_t high, const char* hint) const;
  std::array<double, 4> tuple(const YamlNode& node, const std::string& path, std::size_t n,
                              const Range& range, const char* hint) const;
  void require_name(const YamlNode& node, const std::string& path) const;
  [[noreturn]] void refuse(const YamlNode& node, const std::string& rule,
                           const std::string& hint) const;
  [[noreturn]] void refuse_choice(const YamlNode& node,
                                  const std::vector<std::string>& names) const;

  const YamlNode& group_;
  std::string path_;
  std::vector<std::string> known_;
  std::optional<Key> missing_;  ///< the first required key that is left out
};

}  // namespace nodia
