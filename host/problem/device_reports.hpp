/// Sums over the end of a step that is on the device.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/elements/attachment.hpp"
#include "kernels/step/soft_depths.hpp"
#include "kernels/step/soft_end.hpp"

namespace nodia {

/// Sums of all environments; the values of inactive environments are arbitrary.
struct DeviceReports {
  std::vector<SoftEnd> end;                     ///< [n_env]
  std::vector<SoftDepth> depth;                 ///< [body][obstacle], by environment
  std::vector<std::int32_t> depth_begin;        ///< [n_env + 1]
  std::vector<double> pair_depth;               ///< PairBatch::depth, [search], by environment
  std::vector<std::int32_t> pair_depth_begin;   ///< [n_env + 1]
  std::vector<AttachmentSums> attachment_sums;  ///< [attachment], by environment
  std::vector<std::int32_t> attachment_begin;   ///< [n_env + 1]
};

}  // namespace nodia
