/// Wavefront OBJ and STL. Any byte sequence ends in a mesh or in an InputError; nothing is
/// allocated that the file's size does not justify.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "fem/mesh/triangle_mesh.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/number.hpp"

namespace nodia {
namespace {

constexpr std::size_t kMaxItems = std::numeric_limits<std::int32_t>::max();

std::string read_bytes(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw InputError(path + ": no such file; check the path");
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw InputError(path + ": not a file; give an OBJ or STL file");
  }
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) throw InputError(path + ": cannot be read; check its permissions");
  return bytes;
}

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// For messages: short, and without bytes that a terminal would take as commands.
std::string printable(std::string_view s) {
  std::string out;
  for (const char c : s.substr(0, 40)) out += c >= ' ' && c <= '~' ? c : '?';
  return "'" + out + (s.size() > 40 ? "...'" : "'");
}

/// The words of a text file, line by line.
class Lines {
 public:
  Lines(std::string_view text, std::string path) : text_(text), path_(std::move(path)) {}

  /// Goes to the next line that is not blank; false at the end of the file.
  bool next() {
    while (begin_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', begin_), text_.size());
      split(text_.substr(begin_, end - begin_));
      begin_ = end + 1;
      ++number_;
      if (!words_.empty()) return true;
    }
    return false;
  }

  const std::vector<std::string_view>& words() const { return words_; }
  std::string place() const { return fmt::format("{}, line {}", path_, number_); }

  /// Three coordinates after `skip` words of the line.
  Vec3d point(std::size_t skip) const {
    if (words_.size() < skip + 3) {
      throw_bad_value(place() + ": coordinates", std::to_string(words_.size() - skip), "3 numbers",
                      "the file may be truncated");
    }
    return {number(skip), number(skip + 1), number(skip + 2)};
  }

 private:
  void split(std::string_view line) {
    words_.clear();
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    for (std::size_t i = 0; i < line.size();) {
      const std::size_t begin = i;
      while (i < line.size() && !is_space(line[i])) ++i;
      if (i > begin) words_.push_back(line.substr(begin, i - begin));
      while (i < line.size() && is_space(line[i])) ++i;
    }
  }

  double number(std::size_t k) const {
    const std::optional<double> value = parse_real(words_[k]);
    if (!value) {
      throw_bad_value(place() + ": coordinate", printable(words_[k]), "a finite number",
                      "with a decimal point");
    }
    return *value;
  }

  std::string_view text_;
  std::string path_;
  std::size_t begin_ = 0;
  std::size_t number_ = 0;
  std::vector<std::string_view> words_;
};

void require_triangles(const TriangleMesh& mesh, const std::string& path) {
  if (mesh.triangles.empty()) {
    throw InputError(path + ": no triangles found; is it an OBJ or STL file with a surface?");
  }
}

/// Adds a triangle unless it uses a vertex twice: such a one has no area, and without it its
/// neighbours meet.
void add_triangle(std::int32_t a, std::int32_t b, std::int32_t c, TriangleMesh* mesh) {
  if (a != b && b != c && c != a) mesh->triangles.push_back({a, b, c});
}

/// Vertex of a corner `v`, `v/vt`, `v//vn` or `v/vt/vn` of an OBJ face.
std::int32_t obj_vertex(std::string_view word, std::size_t n_vertex, const Lines& lines) {
  const std::string_view digits = word.substr(0, word.find('/'));
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const auto n = static_cast<std::int64_t>(n_vertex);
  const bool is_number = error == std::errc{} && end == digits.data() + digits.size();
  const bool is_tail_good =
      word.find_first_not_of("0123456789/-", digits.size()) == std::string_view::npos;
  if (!is_number || !is_tail_good || index == 0 || index > n || index < -n) {
    throw_bad_value(lines.place() + ": vertex of a face", printable(word),
                    fmt::format("one of the {} vertices above", n_vertex),
                    "vertices count from 1, or from the last one as -1");
  }
  return static_cast<std::int32_t>(index > 0 ? index - 1 : n + index);
}

TriangleMesh read_obj(std::string_view text, const std::string& path) {
  // Words whose lines say nothing about the surface.
  constexpr std::string_view kIgnored[] = {"vn", "vt", "vp", "o",      "g",     "s",
                                           "l",  "p",  "mg", "usemtl", "mtllib"};
  TriangleMesh mesh;
  std::vector<std::int32_t> polygon;
  Lines lines(text, path);
  while (lines.next()) {
    const std::vector<std::string_view>& words = lines.words();
    if (words[0] == "v") {
      if (mesh.vertices.size() == kMaxItems)
        throw InputError(lines.place() + ": too many vertices");
      mesh.vertices.push_back(lines.point(1));
    } else if (words[0] == "f") {
      polygon.clear();
      for (std::size_t k = 1; k < words.size() && words[k][0] != '#'; ++k) {
        polygon.push_back(obj_vertex(words[k], mesh.vertices.size(), lines));
      }
      if (polygon.size() < 3) {
        throw_bad_value(lines.place() + ": vertices of a face", std::to_string(polygon.size()),
                        ">= 3", "the file may be truncated");
      }
      for (std::size_t k = 2; k < polygon.size(); ++k) {
        add_triangle(polygon[0], polygon[k - 1], polygon[k], &mesh);
      }
    } else if (words[0][0] != '#' && std::find(std::begin(kIgnored), std::end(kIgnored),
                                               words[0]) == std::end(kIgnored)) {
      throw_bad_value(lines.place() + ": first word", printable(words[0]), "an OBJ keyword",
                      "polygons only: v, f and lines that may be passed over");
    }
  }
  require_triangles(mesh, path);
  return mesh;
}

/// Gives corners at equal positions one index, in the order of their first appearance.
class VertexMerger {
 public:
  explicit VertexMerger(TriangleMesh* mesh) : mesh_(mesh) {}

  std::int32_t index_of(Vec3d p) {
    p = p + Vec3d{0, 0, 0};  // -0 becomes 0
    const auto [entry, is_new] =
        index_.try_emplace(p, static_cast<std::int32_t>(mesh_->vertices.size()));
    if (is_new) mesh_->vertices.push_back(p);
    return entry->second;
  }

 private:
  struct Hash {
    std::size_t operator()(Vec3d p) const {
      std::uint64_t h = 0;
      for (const double c : {p.x, p.y, p.z}) {
        h = (h ^ std::bit_cast<std::uint64_t>(c)) * 0x9E3779B97F4A7C15u;
        h ^= h >> 32;
      }
      return h;
    }
  };
  struct Equal {
    bool operator()(Vec3d a, Vec3d b) const { return a.x == b.x && a.y == b.y && a.z == b.z; }
  };

  TriangleMesh* mesh_;
  std::unordered_map<Vec3d, std::int32_t, Hash, Equal> index_;
};

TriangleMesh read_ascii_stl(std::string_view text, const std::string& path) {
  TriangleMesh mesh;
  VertexMerger merger(&mesh);
  Lines lines(text, path);
  // The next line's words: `first`, and `second` where it is not empty.
  const auto expect = [&](std::string_view first, std::string_view second) {
    const std::string wanted = fmt::format("'{}{}{}'", first, second.empty() ? "" : " ", second);
    if (!lines.next()) {
      throw InputError(path + ": the file ends where " + wanted + " must follow; it is truncated");
    }
    const auto& words = lines.words();
    if (lower(words[0]) != first ||
        (!second.empty() && (words.size() < 2 || lower(words[1]) != second))) {
      throw_bad_value(lines.place() + ": line beginning with", printable(words[0]), wanted,
                      "is this an ASCII STL file?");
    }
  };
  const auto next_facet = [&] {
    if (!lines.next()) {
      throw InputError(path + ": the file ends inside a solid; it is truncated");
    }
    const std::string word = lower(lines.words()[0]);
    if (word != "facet" && word != "endsolid") {
      throw_bad_value(lines.place() + ": line beginning with", printable(lines.words()[0]),
                      "'facet' or 'endsolid'", "is this an ASCII STL file?");
    }
    return word == "facet";
  };
  while (lines.next()) {
    if (lower(lines.words()[0]) != "solid") {
      throw_bad_value(lines.place() + ": line beginning with", printable(lines.words()[0]),
                      "'solid'", "is this an ASCII STL file?");
    }
    while (next_facet()) {
      expect("outer", "loop");
      std::int32_t corner[3];
      for (std::int32_t& c : corner) {
        expect("vertex", "");
        if (mesh.vertices.size() == kMaxItems) {
          throw InputError(lines.place() + ": too many vertices");
        }
        c = merger.index_of(lines.point(1));
      }
      expect("endloop", "");
      expect("endfacet", "");
      add_triangle(corner[0], corner[1], corner[2], &mesh);
    }
  }
  require_triangles(mesh, path);
  return mesh;
}

constexpr std::size_t kStlHeader = 84;    // 80 bytes of text, the number of triangles
constexpr std::size_t kStlTriangle = 50;  // normal, three corners, two bytes more

std::uint32_t little_endian(std::string_view bytes, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[offset + k])) << (8 * k);
  }
  return value;
}

bool has_binary_stl_size(std::string_view bytes) {
  return bytes.size() >= kStlHeader &&
         bytes.size() - kStlHeader == kStlTriangle * std::size_t{little_endian(bytes, 80)};
}

TriangleMesh read_binary_stl(std::string_view bytes, const std::string& path) {
  if (bytes.size() < kStlHeader) {
    throw_bad_value(path + ": size of the file", std::to_string(bytes.size()), ">= 84 bytes",
                    "it is no STL file, or truncated");
  }
  const std::size_t n_triangle = little_endian(bytes, 80);
  if (!has_binary_stl_size(bytes) || n_triangle > kMaxItems / 3) {
    throw_bad_value(path + ": size of the file", std::to_string(bytes.size()),
                    fmt::format("84 + 50 x {} triangles, the number at offset 80", n_triangle),
                    "it is no STL file, or truncated");
  }
  TriangleMesh mesh;
  mesh.triangles.reserve(n_triangle);
  VertexMerger merger(&mesh);
  for (std::size_t t = 0; t < n_triangle; ++t) {
    std::int32_t corner[3];
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t offset = kStlHeader + kStlTriangle * t + 12 * (c + 1);
      Vec3d p;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t at = offset + 4 * axis;
        p[static_cast<int>(axis)] = double{std::bit_cast<float>(little_endian(bytes, at))};
        if (!std::isfinite(p[static_cast<int>(axis)])) {
          throw_bad_value(fmt::format("{}, offset {}: coordinate", path, at),
                          p[static_cast<int>(axis)], "a finite number", "the file is damaged");
        }
      }
      corner[c] = merger.index_of(p);
    }
    add_triangle(corner[0], corner[1], corner[2], &mesh);
  }
  require_triangles(mesh, path);
  return mesh;
}

}  // namespace

TriangleMesh read_triangle_mesh(const std::string& path) {
  const std::string extension = lower(std::filesystem::path(path).extension().string());
  if (extension != ".obj" && extension != ".stl") {
    throw_bad_value(path + ": extension", printable(extension), "'.obj' or '.stl'",
                    "convert the mesh to one of them");
  }
  const std::string bytes = read_bytes(path);
  if (bytes.empty()) throw InputError(path + ": the file is empty; give an OBJ or STL file");
  if (extension == ".obj") return read_obj(bytes, path);
  // Binary files may begin with the word of ASCII ones, but only they have the size that they
  // state.
  if (!has_binary_stl_size(bytes) && lower(std::string_view(bytes).substr(0, 5)) == "solid") {
    return read_ascii_stl(bytes, path);
  }
  return read_binary_stl(bytes, path);
}

}  // namespace nodia
