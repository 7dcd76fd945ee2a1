#include "scenarios/format/yaml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace nodia {
namespace {

bool is_one_of(const std::string& text, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// Words that some YAML readers take for null or a boolean. `y` and `on` are booleans in YAML 1.1.
bool is_reserved(const std::string& text) {
  std::string lower = text;
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return is_one_of(lower, {"", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n"});
}

/// True for a text that every YAML reader takes for a text without quotes.
bool is_word(const std::string& text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto other = [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+';
  };
  return !is_reserved(text) && letter(text.front()) && std::all_of(text.begin(), text.end(), other);
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r' || is_control(c)) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string scalar_text(const YamlNode& node) {
  return node.quoted ? quoted(node.text) : node.text;
}

std::string key_text(const YamlNode& node) {
  return is_word(node.key) ? node.key : quoted(node.key);
}

bool holds_groups(const YamlNode& node) {
  return !node.children.empty() &&
         (node.is_map() || std::any_of(node.children.begin(), node.children.end(),
                                       [](const YamlNode& child) { return child.is_map(); }));
}

void write_block(const YamlNode& map, int indent, std::string* out) {
  for (const YamlNode& child : map.children) {
    *out += fmt::format("{:{}}{}:", "", indent, key_text(child));
    if (!holds_groups(child)) {
      *out += fmt::format(" {}\n", flow(child));
      continue;
    }
    *out += "\n";
    if (child.is_map()) {
      write_block(child, indent + 2, out);
      continue;
    }
    for (const YamlNode& item : child.children) {
      *out += fmt::format("{:{}}- {}\n", "", indent + 2, flow(item));
    }
  }
}

}  // namespace

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

std::string flow(const YamlNode& node) {
  if (node.kind == YamlKind::null) return "null";
  if (node.kind == YamlKind::scalar) return scalar_text(node);
  std::string out;
  for (const YamlNode& child : node.children) {
    if (!out.empty()) out += ", ";
    if (node.is_map()) out += key_text(child) + ": ";
    out += flow(child);
  }
  return node.is_map() ? fmt::format("{{{}}}", out) : fmt::format("[{}]", out);
}

std::string write_yaml(const YamlNode& map) {
  std::string out;
  write_block(map, 0, &out);
  return out;
}

YamlNode yaml_plain(std::string value) {
  YamlNode node;
  node.kind = YamlKind::scalar;
  node.text = std::move(value);
  return node;
}

YamlNode yaml_scalar(double value) {
  std::string text = fmt::format("{}", value);
  // YAML 1.1 reads 1e-07 as a text.
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos)
    text.insert(exponent, ".0");
  return yaml_plain(text);
}

YamlNode yaml_text(std::string value) {
  YamlNode node = yaml_plain(std::move(value));
  node.quoted = !is_word(node.text);
  return node;
}

}  // namespace nodia
