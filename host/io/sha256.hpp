/// SHA-256 of bytes and of files, as `sha256sum` prints it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace nodia {

/// Of bytes that come in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(const void* bytes, std::size_t n_byte);
  void add(std::string_view bytes) { add(bytes.data(), bytes.size()); }
  /// 64 hexadecimal digits; nothing can be added any more.
  std::string hex();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::string sha256_of(std::string_view bytes);

/// @throws InputError where the file cannot be read
std::string sha256_of_file(const std::string& path);

}  // namespace nodia
