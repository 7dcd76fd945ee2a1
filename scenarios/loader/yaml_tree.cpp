#include "scenarios/loader/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <map>
#include <set>
#include <sstream>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr std::size_t kMaxNodes = 200'000;
constexpr std::uintmax_t kMaxFileBytes = 8u << 20;

/// Length of the UTF-8 sequence at text[i], 0 where it is none.
std::size_t utf8_length(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
  };
  const unsigned first = byte(i);
  std::size_t length = 0;
  if (first < 0x80) length = 1;
  if (first >= 0xC2 && first < 0xE0) length = 2;
  if (first >= 0xE0 && first < 0xF0) length = 3;
  if (first >= 0xF0 && first < 0xF5) length = 4;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0u) != 0x80u) return 0;
  }
  return length;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

void require_text(const std::string& text, const YamlSource& source) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0 || is_control(text[i])) {
      throw InputError(fmt::format(
          "{}: not a text file (byte {} is neither UTF-8 text nor a line end)", source.label, i));
    }
    i += length;
  }
}

/// Builds the tree from the parser's events.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::shared_ptr<const YamlSource> source) : source_(std::move(source)) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark&, const std::string&) override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(node(mark, YamlKind::null), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto it = anchors_.find(anchor);
    if (it == anchors_.end()) fail(mark, "an alias inside the value it stands for");
    count(it->second.n_node, mark);
    YamlNode copy = it->second.node;
    copy.line = mark.line + 1;
    add(std::move(copy), 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    if (!tag.empty() && tag != "?" && tag != "!") fail(mark, "YAML tags are not supported");
    YamlNode scalar = node(mark, YamlKind::scalar);
    scalar.text = value;
    scalar.quoted = tag == "!";
    add(std::move(scalar), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlKind::sequence);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlKind::map);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

  YamlNode take() { return std::move(root_); }

 private:
  struct Frame {
    YamlNode node;
    YAML::anchor_t anchor = 0;
    std::size_t count_before = 0;
    bool has_key = false;
    YamlNode key;
    std::set<std::string> keys;
  };
  struct Anchored {
    YamlNode node;
    std::size_t n_node = 1;
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& what) const {
    YamlNode at;
    at.line = mark.line + 1;
    at.source = source_;
    throw InputError(fmt::format("{}: {}", location(at), what));
  }

  void count(std::size_t n, const YAML::Mark& mark) {
    n_node_ += n;
    if (n_node_ > kMaxNodes) {
      fail(mark, fmt::format("more than {} values, aliases expanded", kMaxNodes));
    }
  }

  YamlNode node(const YAML::Mark& mark, YamlKind kind) {
    count(1, mark);
    YamlNode made;
    made.kind = kind;
    made.line = mark.line + 1;
    made.source = source_;
    return made;
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlKind kind) {
    if (!tag.empty() && tag != "?" && tag != "!") fail(mark, "YAML tags are not supported");
    Frame frame;
    frame.count_before = n_node_;
    frame.node = node(mark, kind);
    frame.anchor = anchor;
    stack_.push_back(std::move(frame));
  }

  void close() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    add(std::move(frame.node), frame.anchor, n_node_ - frame.count_before);
  }

  void add(YamlNode value, YAML::anchor_t anchor, std::size_t n_node = 1) {
    if (anchor != 0) {
      YAML::Mark mark;
      mark.line = value.line - 1;
      count(n_node, mark);
      anchors_[anchor] = {value, n_node};
    }
    if (stack_.empty()) {
      root_ = std::move(value);
      return;
    }
    Frame& frame = stack_.back();
    if (!frame.node.is_map()) {
      frame.node.children.push_back(std::move(value));
      return;
    }
    if (!frame.has_key) {
      if (value.kind != YamlKind::scalar) {
        throw InputError(
            fmt::format("{}: a key must be a word (found {})", location(value), shown(value)));
      }
      if (!frame.keys.insert(value.text).second) {
        throw InputError(
            fmt::format("{}: {} is given twice (keep one)", location(value), shown(value)));
      }
      frame.key = std::move(value);
      frame.has_key = true;
      return;
    }
    value.key = std::move(frame.key.text);
    value.line = frame.key.line;
    frame.has_key = false;
    frame.node.children.push_back(std::move(value));
  }

  std::shared_ptr<const YamlSource> source_;
  YamlNode root_;
  std::vector<Frame> stack_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  std::size_t n_node_ = 0;
};

bool is_one_of(const std::string& text, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// Words that are nothing or a truth value to some reader; YAML 1.1 has y and on, YAML 1.2 not.
bool is_reserved(const std::string& text) {
  std::string lower = text;
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return is_one_of(lower, {"", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n"});
}

/// A text that every reader of YAML takes for a text without quotes.
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

/// On one line, in flow style.
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

const YamlNode* YamlNode::find(std::string_view name) const {
  if (!is_map()) return nullptr;
  for (const YamlNode& child : children) {
    if (child.key == name) return &child;
  }
  return nullptr;
}

YamlNode* YamlNode::find(std::string_view name) {
  return const_cast<YamlNode*>(static_cast<const YamlNode*>(this)->find(name));
}

YamlNode parse_yaml(const std::string& text, const std::shared_ptr<const YamlSource>& source) {
  require_text(text, *source);
  TreeBuilder builder(source);
  try {
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    TreeBuilder rest(source);
    if (parser.HandleNextDocument(rest)) {
      throw InputError(fmt::format("{}: more than one YAML document (keep one)", source->label));
    }
  } catch (const YAML::Exception& error) {
    YamlNode at;
    at.line = error.mark.line + 1;
    at.source = source;
    throw InputError(fmt::format("{}: not valid YAML ({})", location(at), error.msg));
  }
  return builder.take();
}

YamlNode read_yaml_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) {
    throw InputError(
        fmt::format("{}: no such file (check the name and the working directory)", path));
  }
  if (fs::is_directory(status)) {
    throw InputError(
        fmt::format("{}: is a directory (give a scenario file, e.g. soft_mat.yaml)", path));
  }
  if (!fs::is_regular_file(status))
    throw InputError(fmt::format("{}: is not a regular file", path));
  const std::uintmax_t size = fs::file_size(path, code);
  if (code) throw InputError(fmt::format("{}: cannot be read ({})", path, code.message()));
  if (size > kMaxFileBytes) {
    throw InputError(fmt::format("{}: {} bytes (a scenario file must be at most {})", path, size,
                                 kMaxFileBytes));
  }
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  if (!file) throw InputError(fmt::format("{}: cannot be read", path));
  auto source = std::make_shared<YamlSource>();
  source->label = path;
  source->directory = fs::absolute(path).parent_path();
  YamlNode root = parse_yaml(bytes.str(), source);
  if (root.kind == YamlKind::null)
    throw InputError(fmt::format("{}: is empty (must hold a scenario)", path));
  if (!root.is_map()) {
    throw InputError(fmt::format("{}: {} (must be keys and values, e.g. `name: soft_mat`)",
                                 location(root), shown(root)));
  }
  return root;
}

std::string location(const YamlNode& node) {
  if (!node.source) return "scenario";
  return node.source->has_lines ? fmt::format("{}:{}", node.source->label, std::max(1, node.line))
                                : node.source->label;
}

std::string shown(const YamlNode& node) {
  if (node.kind == YamlKind::null) return "nothing";
  if (node.is_map()) return "{...}";
  std::string text = node.is_sequence() ? flow(node) : node.text;
  constexpr std::size_t kWidth = 60;
  const bool cut = text.size() > kWidth;
  if (cut) text.resize(kWidth);
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7E) c = '?';
  }
  return cut ? text + "..." : text;
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
  // YAML 1.1 takes 1e-07 for a text.
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
