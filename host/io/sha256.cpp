#include "host/io/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "kernels/core/error.hpp"

namespace nodia {

struct Sha256::Impl {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~Impl() { EVP_MD_CTX_free(context); }
};

namespace {

void require_good(int code) {
  if (code != 1) throw RuntimeError("SHA-256: libcrypto refuses to compute it");
}

}  // namespace

Sha256::Sha256() : impl_(std::make_unique<Impl>()) {
  require_good(impl_->context ? EVP_DigestInit_ex(impl_->context, EVP_sha256(), nullptr) : 0);
}
Sha256::~Sha256() = default;

void Sha256::add(const void* bytes, std::size_t n_byte) {
  require_good(EVP_DigestUpdate(impl_->context, bytes, n_byte));
}

std::string Sha256::hex() {
  std::array<unsigned char, 32> digest{};
  require_good(EVP_DigestFinal_ex(impl_->context, digest.data(), nullptr));
  std::string text;
  for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

std::string sha256_of(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.hex();
}

std::string sha256_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
  Sha256 sum;
  std::vector<char> piece(std::size_t{1} << 20);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    sum.add(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof())
    throw InputError(fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
  return sum.hex();
}

}  // namespace nodia
