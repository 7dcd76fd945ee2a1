/// Memory accesses that a shadow records.
#pragma once

#include "kernels/launch/memory.hpp"
#include "tests/devices/race_detector/shadow.hpp"

namespace nodia {

/// Interface of DirectMemory for one lane. Records each access before it is made. An access that is
/// out of bounds or misaligned is skipped and reads zero.
class RaceMemory {
 public:
  explicit RaceMemory(RaceShadow* shadow) : shadow_(shadow) {}

  template <class T>
  T read(const T* p) const {
    return may(p, sizeof(T), alignof(T), RaceAccess::read) ? direct_.read(p) : T{};
  }
  template <class T>
  T read_in_place(const T* p) const {
    return read(p);
  }
  template <class T>
  T read_members(const T* p) const {
    return read(p);
  }
  template <class T>
  void write(T* p, T value) const {
    if (may(p, sizeof(T), alignof(T), RaceAccess::write)) direct_.write(p, value);
  }

  template <class P>
  P load(const Scalar<P>* p) const {
    static_assert(std::is_arithmetic_v<P>, "a lane of the device is one scalar");
    return read(p);
  }
  template <class P>
  void store(Scalar<P>* p, P value) const {
    static_assert(std::is_arithmetic_v<P>, "a lane of the device is one scalar");
    write(p, value);
  }

  // A vector load reads a node with its padding.
  template <class P>
  Vec3<P> load_node(const Scalar<P>* nodes, int first) const {
    return may_node(node(nodes, first), RaceAccess::read)
               ? direct_.template load_node<P>(nodes, first)
               : Vec3<P>{};
  }
  template <class P>
  Vec3<P> load_unpadded_node(const Scalar<P>* nodes, int first) const {
    const Scalar<P>* p = nodes + std::int64_t{3} * first;
    return {load<P>(p), load<P>(p + 1), load<P>(p + 2)};
  }
  template <class P>
  void store_node(Scalar<P>* nodes, int first, Vec3<P> value) const {
    if (may_node(node(nodes, first), RaceAccess::write))
      direct_.template store_node<P>(nodes, first, value);
  }
  template <class P>
  Vec3<P> gather_node(const Scalar<P>* nodes, const std::int32_t* offset) const {
    const std::int32_t at = read(offset);
    return may_node(nodes + at, RaceAccess::read) ? direct_.template gather_node<P>(nodes, &at)
                                                  : Vec3<P>{};
  }

 private:
  bool may(const void* p, std::size_t bytes, std::size_t alignment, RaceAccess kind) const {
    return shadow_->access(p, bytes, alignment, kind);
  }
  template <class T>
  static const T* node(const T* nodes, int index) {
    return nodes + static_cast<std::int64_t>(kNodeStride) * index;
  }
  template <class T>
  bool may_node(const T* p, RaceAccess kind) const {
    static_assert(std::is_arithmetic_v<T>, "a lane of the device is one scalar");
    return may(p, kNodeStride * sizeof(T), kNodeStride * sizeof(T), kind);
  }

  RaceShadow* shadow_;
  DirectMemory direct_;
};

}  // namespace nodia
