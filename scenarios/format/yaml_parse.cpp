#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "kernels/core/error.hpp"
#include "scenarios/format/yaml_fault.hpp"
#include "scenarios/format/yaml_text.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {
namespace {

constexpr std::size_t kMaxNodes = 200'000;

constexpr std::uintmax_t kMostYamlBytes = 8u << 20;

/// Length of the UTF-8 sequence at text[i]; 0 if it is invalid.
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
        std::string path;
        for (const Frame& outer : stack_)
          if (outer.has_key) path += outer.key.text + ".";
        throw InputError(fmt::format("{}: {} is given twice (keep one)", location(value),
                                     shown(yaml_plain(path + value.text))));
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

}  // namespace

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
    const YamlFault fault = yaml_fault(text, error.mark.line + 1, error.mark.column, error.msg);
    YamlNode at;
    at.line = fault.line;
    at.source = source;
    throw InputError(fmt::format("{}: not valid YAML: {}", location(at), fault.text));
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
  if (size > kMostYamlBytes) {
    throw InputError(fmt::format("{}: {} bytes (a scenario file must be at most {})", path, size,
                                 kMostYamlBytes));
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
    throw InputError(
        fmt::format("{}: is empty (must be a scenario; nodia list has examples)", path));
  if (!root.is_map()) {
    throw InputError(fmt::format("{}: {} (must be keys and values, e.g. `name: soft_mat`)",
                                 location(root), shown(root)));
  }
  return root;
}

}  // namespace nodia
