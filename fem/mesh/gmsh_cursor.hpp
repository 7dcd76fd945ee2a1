/// Reading position in the bytes of a .msh file: words and numbers as text, numbers as
/// little-endian binary, and errors that name the place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nodia::gmsh {

class Cursor {
 public:
  Cursor(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  bool binary() const { return binary_; }
  void set_binary(bool binary) { binary_ = binary; }

  /// Throws InputError `name: line L: problem` (text) or `name: byte B: problem` (binary), at the
  /// last value read.
  [[noreturn]] void fail(const std::string& problem) const;
  /// The same as `key = value (must be rule)`.
  [[noreturn]] void fail(const std::string& key, const std::string& value,
                         const std::string& rule) const;

  // Text, in both modes.
  bool at_end();            ///< nothing but white space left
  std::string_view word();  ///< next run of non-blank characters
  std::string quoted();  ///< the text between the first and the last quote of the rest of this line
  std::int64_t text_integer(const std::string& key, std::int64_t low, std::int64_t high);
  double text_real(const std::string& key);
  void expect_word(std::string_view expected);
  /// Moves behind the next line end; only blanks may stand before it. Binary data begins there.
  void end_line();
  /// Moves behind the next `word` that starts a line.
  void skip_behind_line(std::string_view word);

  // Values of a section, as text or binary after the file's mode.
  std::int64_t integer(const std::string& key, std::int64_t low, std::int64_t high);  ///< 4 bytes
  std::int64_t size(const std::string& key, std::int64_t low, std::int64_t high);     ///< 8 bytes
  double real(const std::string& key);
  std::int32_t raw_integer();  ///< 4 bytes, always binary

  /// Fails unless `count` items of at least so many bytes each can still follow.
  void require_room(const std::string& key, std::int64_t count, std::int64_t bytes_binary,
                    std::int64_t bytes_text) const;
  std::size_t n_byte() const { return bytes_.size(); }

 private:
  void skip_blanks();
  template <class T>
  T raw();

  std::string_view bytes_;
  std::string name_;
  std::size_t position_ = 0;
  std::size_t value_begin_ = 0;  ///< of the last value read, for messages
  bool binary_ = false;
};

}  // namespace nodia::gmsh
