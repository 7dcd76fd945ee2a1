/// Cache of constant arrays in device memory.
#include "kernels/device/shared_arrays.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/core/content_hash.hpp"

namespace nodia {
namespace {

std::uint64_t hash_of(const void* bytes, std::size_t n) {
  ContentHash hash;
  hash.add(std::uint64_t{n});
  const auto* at = static_cast<const char*>(bytes);
  for (; n > 0; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    const std::size_t taken = std::min(n, sizeof word);
    std::memcpy(&word, at, taken);
    hash.add(word);
    n -= taken;
  }
  return hash.value();
}

}  // namespace

std::shared_ptr<SharedDeviceArrays::Array> SharedDeviceArrays::find_or_make(
    const std::shared_ptr<const void>& owner, const void* host, std::size_t bytes, bool* is_new) {
  const std::uint64_t hash = hash_of(host, bytes);
  const auto [begin, end] = by_content_.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (std::shared_ptr<Array> known = it->second.lock())
      if (known->bytes == bytes && std::memcmp(known->host, host, bytes) == 0) return known;
  auto made = std::make_shared<Array>();
  made->owner = owner;
  made->host = host;
  made->bytes = bytes;
  made->device = DeviceBuffer<std::byte>(bytes);
  if (by_content_.size() >= most_) {
    std::erase_if(by_content_, [](const auto& entry) { return entry.second.expired(); });
    most_ = std::max<std::size_t>(64, 2 * by_content_.size());
  }
  by_content_.emplace(hash, made);
  *is_new = true;
  return made;
}

std::size_t SharedDeviceArrays::n_held() const {
  return static_cast<std::size_t>(std::count_if(by_content_.begin(), by_content_.end(),
                                                [](const auto& e) { return !e.second.expired(); }));
}

}  // namespace nodia
