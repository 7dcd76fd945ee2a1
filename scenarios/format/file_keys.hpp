/// Visits the names of files in groups of keys.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/visitor.hpp"

namespace nodia {

/// Calls a function with the name of every file; it may change the name. Assets handles the files
/// among the choices of draw rules.
class FileKeys final : public DocumentVisitor {
 public:
  /// @param each  each(name)
  explicit FileKeys(std::function<void(std::string*)> each) : each_(std::move(each)) {}

  void file(const Key&, std::string& value) override { each_(&value); }

  void real(const Key&, double&, const Range&) override {}
  void integer(const Key&, int&, int, int) override {}
  void boolean(const Key&, bool&) override {}
  void text(const Key&, std::string&) override {}
  void word(const Key&, std::string&, const std::vector<std::string>&) override {}
  void unsigned_64(const Key&, std::uint64_t&) override {}
  void texts(const Key&, std::vector<std::string>&) override {}
  void vector(const Key&, Vec3d&, const Range&) override {}
  void quaternion(const Key&, Quaternion&) override {}
  void numbers(const Key&, std::vector<double>&, const std::vector<std::size_t>&,
               const Range&) override {}
  void points(const Key&, std::vector<Vec3d>&) override {}
  void numbers_by_name(const Key&, std::vector<NamedNumber>&) override {}
  void folders_by_name(const Key&, std::map<std::string, std::string>&) override {}
  void cells(const Key&, std::array<int, 3>&, int, int) override {}
  void values(const Key&, std::vector<YamlNode>&) override {}
  void draw_rules(const Key&, std::vector<DrawRule>&) override {}
  void exactly_one(const char*) override {}

 protected:
  OptionalValue begin_optional(const Key&, bool has_value) override {
    return has_value ? OptionalValue::present : OptionalValue::left_out;
  }
  void visit_group(const Key&, const std::function<void(DocumentVisitor&)>& visit) override {
    visit(*this);
  }
  void visit_named(const Key& key, GroupList& groups) override { visit_list(key, groups); }
  void visit_list(const Key&, GroupList& groups) override {
    for (std::size_t k = 0; k < groups.size(); ++k) groups.visit(*this, k);
  }
  void visit_tagged(const Key&, TaggedGroup& group) override { group.visit(*this); }

 private:
  std::function<void(std::string*)> each_;
};

}  // namespace nodia
