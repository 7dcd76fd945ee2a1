/// What a step brings to the device and what the host is told of its end: one block of device
/// memory, with pages of the host that it is copied from and to.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "kernels/device/device_buffer.hpp"
#include "kernels/soft_step/soft_contacts.hpp"
#include "kernels/vfpi/carry_state.hpp"
#include "kernels/vfpi/control_ends.hpp"
#include "kernels/vfpi/device/step_parts.hpp"

namespace nodia {

/// An array in the block.
template <class T>
struct StepArray {
  std::size_t begin = 0;  ///< [B]
  std::size_t size = 0;
};

/// Numbers of a step that decide on the block's sizes.
struct StepSizes {
  std::size_t n_env = 0;
  // Of a step whose contacts are made there.
  std::size_t n_judged = 0;  ///< environments
  std::size_t n_depth = 0, n_attachment = 0;
  std::size_t n_obstacle = 0;

  bool operator==(const StepSizes&) const = default;
};

template <class Precision>
class StepBlock {
 public:
  // Told.
  StepArray<StepMoments> moments;
  StepArray<std::int32_t> has_room, n_rare;
  StepArray<SoftJudgement> judgement;
  StepArray<SoftEnd> soft_end;
  StepArray<SoftDepth> depth;
  StepArray<HoldSums> hold;
  StepArray<ControlEnd> control_end;
  StepArray<VfpiQueue> queue;  ///< brought and told
  // Brought.
  StepArray<VfpiBatch<Precision>> batch;
  StepArray<Carried> carried;
  StepArray<ObstaclePose> obstacle;  ///< the last: where it is as it was it is not brought

  /// Takes the sizes. @return whether they are others: then nothing is kept, there or here
  bool lay_out(const StepSizes& sizes, DeviceStream stream) {
    if (sizes == sizes_) return false;
    std::size_t end = 0;
    const auto place = [&end](auto& array, std::size_t n) {
      using T = std::remove_pointer_t<decltype(type_of(array))>;
      static_assert(alignof(T) <= kAlignment && std::is_trivially_copyable_v<T>);
      array = {end, n};
      end += (n * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    };
    place(moments, 1);
    place(has_room, 1);
    place(n_rare, sizes.n_judged);
    place(judgement, sizes.n_judged);
    place(soft_end, sizes.n_judged);
    place(depth, sizes.n_depth);
    place(hold, sizes.n_attachment);
    place(control_end, sizes.n_env);
    place(queue, 1);
    end_of_told_ = end;
    place(batch, 1);
    place(carried, sizes.n_env);
    place(obstacle, sizes.n_obstacle);
    sizes_ = {};
    here_ = nullptr;
    there_.renew(end, stream);
    here_ = std::make_unique<PinnedMemory>(end);
    sizes_ = sizes;
    return true;
  }

  /// In device memory.
  template <class T>
  T* there(const StepArray<T>& array) {
    return reinterpret_cast<T*>(there_.data() + array.begin);
  }
  /// On the host: to be brought, or as it was told.
  template <class T>
  T* here(const StepArray<T>& array) {
    return reinterpret_cast<T*>(static_cast<std::byte*>(here_->data()) + array.begin);
  }
  template <class T>
  std::vector<T> list(const StepArray<T>& array) {
    return {here(array), here(array) + array.size};
  }

  /// Brings what lies here, in one copy. Returns without waiting: it may change when the step has
  /// ended. @param obstacles  those too
  void bring(bool obstacles, DeviceStream stream) {
    const std::size_t end = obstacles ? there_.size() : obstacle.begin;
    here_->send(there_.data() + queue.begin, queue.begin, end - queue.begin, stream);
  }
  /// For StepParts.
  const void* record() const { return there_.data(); }
  std::size_t record_bytes() const { return end_of_told_; }
  PinnedMemory* told() { return here_.get(); }

 private:
  static constexpr std::size_t kAlignment = 8;
  template <class T>
  static T* type_of(const StepArray<T>&);

  StepSizes sizes_;
  std::size_t end_of_told_ = 0;
  DeviceBuffer<std::byte> there_;
  std::unique_ptr<PinnedMemory> here_;
};

}  // namespace nodia
