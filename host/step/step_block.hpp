/// Block of device memory for the uploads and reports of steps. Every step that is launched before
/// the host has read the report of the first step has its own page of pinned host memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "kernels/device/device_buffer.hpp"
#include "kernels/step/carry_state.hpp"
#include "kernels/step/soft_contacts.hpp"
#include "kernels/vfpi/control_ends.hpp"
#include "kernels/vfpi/device/step_parts.hpp"

namespace nodia {

/// Array in the block.
template <class T>
struct StepArray {
  std::size_t begin = 0;  ///< [B]
  std::size_t size = 0;
};

/// Decisions about accepting a step: SoftStepBatch::can_be_taken, PairBatch::fit.
struct StepGates {
  std::int32_t can_be_taken = 0, pairs_fit = 0;
};

/// Counts of a step that determine the sizes of the block.
struct StepSizes {
  std::size_t n_env = 0;
  // Counts of a step whose contacts are made on the device.
  std::size_t n_evaluated = 0;  ///< environments
  std::size_t n_depth = 0, n_attachment = 0;
  std::size_t n_obstacle = 0;
  std::size_t n_paired = 0, n_search = 0;  ///< environments whose soft surfaces may collide

  bool operator==(const StepSizes&) const = default;
};

template <class Precision>
class StepBlock {
 public:
  // Downloaded.
  StepArray<StepMoments> moments;
  StepArray<StepGates> gates;
  StepArray<std::int32_t> n_multi_contact;
  StepArray<SoftEvaluation> evaluation;
  StepArray<SoftEnd> soft_end;
  StepArray<SoftDepth> depth;
  StepArray<AttachmentSums> attachment_sums;
  StepArray<PairReport> pairs;
  StepArray<double> pair_depth;
  StepArray<ControlEnd> control_end;
  // Uploaded and downloaded.
  StepArray<std::int32_t>
      continues;  ///< the first upload; a step that follows another one skips it
  StepArray<VfpiQueue> queue;
  // Uploaded.
  StepArray<VfpiBatch<Precision>> batch;
  StepArray<Carried> carried;
  StepArray<ObstaclePose> obstacle;  ///< the last upload; skipped if nothing has moved

  /// Sets the sizes. @return whether they have changed; then the contents are lost
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
    place(gates, 1);
    place(n_multi_contact, sizes.n_evaluated);
    place(evaluation, sizes.n_evaluated);
    place(soft_end, sizes.n_evaluated);
    place(depth, sizes.n_depth);
    place(attachment_sums, sizes.n_attachment);
    place(pairs, sizes.n_paired);
    place(pair_depth, sizes.n_search);
    place(control_end, sizes.n_env);
    place(continues, 1);
    place(queue, 1);
    end_of_reports_ = end;
    place(batch, 1);
    place(carried, sizes.n_env);
    place(obstacle, sizes.n_obstacle);
    sizes_ = {};
    host_.clear();
    device_.renew(end, stream);
    select_page(0);
    uploaded_page_ = 0;
    sizes_ = sizes;
    return true;
  }
  /// Selects the page of host(). Existing pages keep their contents.
  void select_page(std::size_t page) {
    while (host_.size() <= page) host_.push_back(std::make_unique<PinnedMemory>(device_.size()));
    page_ = page;
  }

  /// Address in device memory.
  template <class T>
  T* device(const StepArray<T>& array) {
    return reinterpret_cast<T*>(device_.data() + array.begin);
  }
  /// Address on the host, for the next upload or with the last report.
  template <class T>
  T* host(const StepArray<T>& array) {
    return host_at(page_, array);
  }
  template <class T>
  std::vector<T> list(const StepArray<T>& array) {
    return {host(array), host(array) + array.size};
  }

  /// Uploads the page in one copy. Returns without waiting; the page may change when the step has
  /// ended.
  /// @param follows    the host has not read the report of the step before
  /// @param obstacles  whether the poses of obstacles are uploaded
  void upload(bool follows, bool obstacles, DeviceStream stream) {
    const std::size_t begin = follows ? queue.begin : continues.begin,
                      end = obstacles ? device_.size() : obstacle.begin;
    host_[page_]->send(device_.data() + begin, begin, end - begin, stream);
    uploaded_page_ = page_;
  }
  /// Sets host(obstacle) to its value in the step that was uploaded last.
  void repeat_poses() {
    if (uploaded_page_ != page_)
      std::copy_n(host_at(uploaded_page_, obstacle), obstacle.size, host(obstacle));
  }
  /// Downloads the report in one copy; returns without waiting.
  void fetch(DeviceStream stream) { host_[page_]->fetch(device_.data(), end_of_reports_, stream); }

 private:
  static constexpr std::size_t kAlignment = 8;
  template <class T>
  static T* type_of(const StepArray<T>&);
  template <class T>
  T* host_at(std::size_t page, const StepArray<T>& array) {
    return reinterpret_cast<T*>(static_cast<std::byte*>(host_[page]->data()) + array.begin);
  }

  StepSizes sizes_;
  std::size_t end_of_reports_ = 0;
  std::size_t page_ = 0, uploaded_page_ = 0;  ///< brought_: page of the last upload
  DeviceBuffer<std::byte> device_;
  std::vector<std::unique_ptr<PinnedMemory>> host_;
};

}  // namespace nodia
