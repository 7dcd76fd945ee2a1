#include "host/io/archive.hpp"

#include <fmt/format.h>

#include <cstring>

#include "kernels/core/error.hpp"

namespace nodia {

void Archive::bytes(void* value, std::size_t n_byte) {
  if (to_) {
    (*to_)[prefix_] = std::string(static_cast<const char*>(value), n_byte);
    return;
  }
  const std::string& kept = found();
  if (kept.size() != n_byte) refuse("has another size");
  std::memcpy(value, kept.data(), n_byte);
}

void Archive::one(std::string& text) {
  if (to_)
    (*to_)[prefix_] = text;
  else
    text = found();
}

const std::string& Archive::found() const {
  const auto value = from_->find(prefix_);
  if (value == from_->end()) refuse("is missing");
  return value->second;
}

void Archive::refuse(const char* why) const {
  throw InputError(fmt::format("checkpoint: {} {}", prefix_, why));
}

}  // namespace nodia
