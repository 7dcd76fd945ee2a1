/// Device memory, seen from the host without CUDA types. Every failure throws RuntimeError.
#pragma once

#include <cstddef>

namespace nodia {

void* device_allocate(std::size_t bytes);
void device_free(void* memory) noexcept;
void copy_to_device(void* device, const void* host, std::size_t bytes);
void copy_on_device(void* to, const void* from, std::size_t bytes);
/// All bytes zero.
void device_clear(void* memory, std::size_t bytes);
/// Waits for the work launched before it.
void copy_to_host(void* host, const void* device, std::size_t bytes);

}  // namespace nodia
