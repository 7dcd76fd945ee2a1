#include "fem/mesh/gmsh_cursor.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "kernels/core/error.hpp"
#include "kernels/core/input_file.hpp"
#include "kernels/core/number.hpp"

namespace nodia::gmsh {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == '\v';
}

}  // namespace

void Cursor::fail(const std::string& problem) const {
  const std::size_t at = std::min(value_begin_, bytes_.size());
  const auto line =
      1 + std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::string place = binary_ ? "byte " + std::to_string(at) : "line " + std::to_string(line);
  throw InputError(name_ + ": " + place + ": " + printable(problem, 200));
}

void Cursor::fail(const std::string& key, const std::string& value, const std::string& rule) const {
  fail(key + " = " + printable(value, 40) + " (must be " + rule + ")");
}

void Cursor::skip_blanks() {
  while (position_ < bytes_.size() && is_blank(bytes_[position_])) ++position_;
}

bool Cursor::at_end() {
  skip_blanks();
  return position_ == bytes_.size();
}

std::string_view Cursor::word() {
  skip_blanks();
  value_begin_ = position_;
  while (position_ < bytes_.size() && !is_blank(bytes_[position_])) ++position_;
  if (position_ == value_begin_) fail("the file ends too early (it may be truncated)");
  return bytes_.substr(value_begin_, position_ - value_begin_);
}

std::string Cursor::quoted() {
  value_begin_ = position_;
  const std::size_t line_end = std::min(bytes_.find('\n', position_), bytes_.size());
  const std::string_view rest = bytes_.substr(position_, line_end - position_);
  const std::size_t first = rest.find('"'), last = rest.rfind('"');
  if (first == last) fail("name", std::string(rest), "text in double quotes");
  position_ = line_end;
  return std::string(rest.substr(first + 1, last - first - 1));
}

std::int64_t Cursor::text_integer(const std::string& key, std::int64_t low, std::int64_t high) {
  const std::string_view text = word();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
    fail(key, std::string(text),
         "an integer in [" + std::to_string(low) + ", " + std::to_string(high) + "]");
  }
  return value;
}

double Cursor::text_real(const std::string& key) {
  const std::string_view text = word();
  const std::optional<double> value = parse_real(text);
  if (!value) fail(key, std::string(text), "a finite number");
  return *value;
}

void Cursor::expect_word(std::string_view expected) {
  const std::string_view found = word();
  if (found != expected) {
    fail("expected " + std::string(expected) + ", found " + printable(found, 40));
  }
}

void Cursor::end_line() {
  value_begin_ = position_;
  while (position_ < bytes_.size() && bytes_[position_] != '\n' && is_blank(bytes_[position_]))
    ++position_;
  if (position_ == bytes_.size()) fail("the file ends too early (it may be truncated)");
  if (bytes_[position_] != '\n') fail("expected a line end");
  ++position_;
}

void Cursor::skip_behind_line(std::string_view line) {
  value_begin_ = position_;
  for (std::size_t at = position_; (at = bytes_.find(line, at)) != std::string_view::npos;
       at += line.size()) {
    const std::size_t end = at + line.size();
    if (at > 0 && bytes_[at - 1] == '\n' && (end == bytes_.size() || is_blank(bytes_[end]))) {
      position_ = end;
      return;
    }
  }
  fail(std::string(line) + " is missing (the file may be truncated)");
}

template <class T>
T Cursor::raw() {
  value_begin_ = position_;
  if (bytes_.size() - position_ < sizeof(T)) fail("the file ends too early (it may be truncated)");
  T value;
  std::memcpy(&value, bytes_.data() + position_, sizeof(T));
  position_ += sizeof(T);
  return value;
}

std::int32_t Cursor::raw_integer() {
  return raw<std::int32_t>();
}

std::int64_t Cursor::integer(const std::string& key, std::int64_t low, std::int64_t high) {
  if (!binary_) return text_integer(key, low, high);
  const std::int64_t value = raw<std::int32_t>();
  if (value < low || value > high) {
    fail(key, std::to_string(value),
         "an integer in [" + std::to_string(low) + ", " + std::to_string(high) + "]");
  }
  return value;
}

std::int64_t Cursor::size(const std::string& key, std::int64_t low, std::int64_t high) {
  if (!binary_) return text_integer(key, low, high);
  const auto value = raw<std::uint64_t>();
  if (value < static_cast<std::uint64_t>(low) || value > static_cast<std::uint64_t>(high)) {
    fail(key, std::to_string(value),
         "an integer in [" + std::to_string(low) + ", " + std::to_string(high) + "]");
  }
  return static_cast<std::int64_t>(value);
}

double Cursor::real(const std::string& key) {
  return binary_ ? raw<double>() : text_real(key);
}

void Cursor::require_room(const std::string& key, std::int64_t count, std::int64_t bytes_binary,
                          std::int64_t bytes_text) const {
  const auto left = static_cast<std::int64_t>(bytes_.size() - position_);
  const std::int64_t most = (left + 1) / (binary_ ? bytes_binary : bytes_text);
  if (count < 0 || count > most) {
    fail(key, std::to_string(count),
         "at most " + std::to_string(most) +
             "; the rest of the file holds no more, it may be truncated");
  }
}

}  // namespace nodia::gmsh
