#include "host/io/keeper.hpp"

#include <fmt/format.h>

#include "kernels/core/error.hpp"

namespace nodia {

const std::string& Keeper::found() const {
  const auto value = from_->find(prefix_);
  if (value == from_->end()) refuse("is missing");
  return value->second;
}

void Keeper::refuse(const char* why) const {
  throw InputError(fmt::format("checkpoint: {} {}", prefix_, why));
}

}  // namespace nodia
