#include "fem/robot/urdf_element.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "kernels/core/error.hpp"
#include "kernels/core/number.hpp"

namespace nodia {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::vector<std::string_view> split_at_blanks(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin; (begin = text.find_first_not_of(kBlanks)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
  return words;
}

/// Roll, pitch and yaw [rad]: turns about the fixed axes x, y and z, in this order.
Mat3d rotation_of(Vec3d rpy) {
  const double cx = std::cos(rpy.x / 2), cy = std::cos(rpy.y / 2), cz = std::cos(rpy.z / 2);
  const double sx = std::sin(rpy.x / 2), sy = std::sin(rpy.y / 2), sz = std::sin(rpy.z / 2);
  return rotation_matrix(
      normalized(Quaternion{cx * cy * cz + sx * sy * sz, sx * cy * cz - cx * sy * sz,
                            cx * sy * cz + sx * cy * sz, cx * cy * sz - sx * sy * cz}));
}

/// True for an element that xacro replaces by others. Definitions are harmless.
bool is_unexpanded(pugi::xml_node node) {
  constexpr std::string_view kPrefix = "xacro:";
  const std::string_view name = node.name();
  if (!name.starts_with(kPrefix)) return false;
  const std::string_view kind = name.substr(kPrefix.size());
  return kind != "property" && kind != "arg" && kind != "macro";
}

std::string expansion_command(const std::string& name) {
  return fmt::format("expand it: pip install xacro && xacro {} > robot.urdf", name);
}

/// Hint for a value that is no number: how to expand xacro's expressions, empty if it has none.
std::string expansion_hint(std::string_view value, const std::string& name) {
  const bool has_expression =
      value.find("${") != std::string_view::npos || value.find("$(") != std::string_view::npos;
  return has_expression ? "it is an expression of xacro; " + expansion_command(name) : "";
}

}  // namespace

UrdfDocument::UrdfDocument(const std::string& text, std::string name) : name_(std::move(name)) {
  if (text.find('\0') != std::string::npos)
    throw InputError(fmt::format("{}: not a URDF file (it contains zero bytes)", name_));
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') line_ends_.push_back(i);
  const pugi::xml_parse_result parsed =
      document_.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) {
    const auto line = std::lower_bound(line_ends_.begin(), line_ends_.end(),
                                       static_cast<std::size_t>(parsed.offset));
    throw InputError(fmt::format("{}:{}: not a URDF file (must be well-formed XML: {})", name_,
                                 line - line_ends_.begin() + 1, parsed.description()));
  }
  const pugi::xml_node root = document_.document_element();
  if (std::string_view(root.name()) != "robot")
    throw InputError(fmt::format("{}: not a URDF file (the root element is <{}>, must be <robot>)",
                                 place_of(root), root.name()));
  const pugi::xml_node macro = root.find_node(is_unexpanded);
  if (macro)
    throw InputError(fmt::format("{}: <{}>: is a xacro file (must be URDF; {})", place_of(macro),
                                 macro.name(), expansion_command(name_)));
}

std::string UrdfDocument::place_of(pugi::xml_node node) const {
  const std::ptrdiff_t offset = node.offset_debug();
  if (offset < 0) return name_;
  const auto line =
      std::lower_bound(line_ends_.begin(), line_ends_.end(), static_cast<std::size_t>(offset));
  return fmt::format("{}:{}", name_, line - line_ends_.begin() + 1);
}

void UrdfElement::fail(const std::string& key, const std::string& value, const std::string& rule,
                       const std::string& hint) const {
  throw_bad_value(fmt::format("{}: {}: {}", document_->place_of(node_), owner_, key), value, rule,
                  hint);
}

UrdfElement UrdfElement::required_child(const char* tag, const std::string& hint) const {
  UrdfElement found = child(tag);
  if (!found) fail(tag, "missing", fmt::format("given as <{}> in <{}>", tag, this->tag()), hint);
  return found;
}

std::vector<UrdfElement> UrdfElement::children(const char* tag, const std::string& owner) const {
  std::vector<UrdfElement> all;
  for (const pugi::xml_node node : node_.children(tag)) all.emplace_back(*document_, node, owner);
  return all;
}

UrdfElement UrdfElement::first_child() const {
  for (const pugi::xml_node node : node_.children())
    if (node.type() == pugi::node_element) return {*document_, node, owner_};
  return {*document_, {}, owner_};
}

std::string UrdfElement::required_text(const char* attribute, const std::string& hint) const {
  std::string value = text(attribute);
  if (value.empty())
    fail(fmt::format("{} {}", tag(), attribute), has(attribute) ? "''" : "missing", "given", hint);
  return value;
}

double UrdfElement::number_of(const char* attribute, std::string_view word) const {
  const std::optional<double> value = parse_real(word);
  if (!value)
    fail(fmt::format("{} {}", tag(), attribute), fmt::format("'{}'", word), "a finite number",
         expansion_hint(word, document_->name()));
  return *value;
}

double UrdfElement::required_number(const char* attribute, const std::string& hint) const {
  const std::string value = required_text(attribute, hint);
  const std::vector<std::string_view> words = split_at_blanks(value);
  return number_of(attribute, words.size() == 1 ? words.front() : value);
}

double UrdfElement::number(const char* attribute, double if_missing) const {
  return has(attribute) ? required_number(attribute, "") : if_missing;
}

Vec3d UrdfElement::required_vector(const char* attribute, const std::string& hint) const {
  const std::string value = required_text(attribute, hint);
  const std::vector<std::string_view> words = split_at_blanks(value);
  if (words.size() != 3)
    fail(fmt::format("{} {}", tag(), attribute), fmt::format("'{}'", value), "three finite numbers",
         expansion_hint(value, document_->name()));
  Vec3d v;
  for (int axis = 0; axis < 3; ++axis) v[axis] = number_of(attribute, words[axis]);
  return v;
}

Vec3d UrdfElement::vector(const char* attribute, Vec3d if_missing) const {
  return has(attribute) ? required_vector(attribute, "") : if_missing;
}

Pose UrdfElement::origin() const {
  const UrdfElement origin = child("origin");
  if (!origin) return {};
  return {origin.vector("xyz", {}), rotation_of(origin.vector("rpy", {}))};
}

}  // namespace nodia
