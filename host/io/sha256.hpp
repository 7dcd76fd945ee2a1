/// SHA-256 of bytes and of files, in the form of `sha256sum`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace nodia {

/// SHA-256 of bytes that are added piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(const void* bytes, std::size_t n_byte);
  void add(std::string_view bytes) { add(bytes.data(), bytes.size()); }
  /// 64 hexadecimal digits; no bytes can be added after this call.
  std::string hex();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::string sha256_of(std::string_view bytes);

/// @throws InputError if the file cannot be read
std::string sha256_of_file(const std::string& path);

}  // namespace nodia
