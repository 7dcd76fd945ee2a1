/// What a test sees of the library that takes the place of cuSPARSE (tests/cusparse_stand_in).
#pragma once

#include <cstddef>

namespace nodia::test {

/// The symbol `nodia_stand_in` of the library.
struct CusparseStandIn {
  const char* failing = nullptr;  ///< this function returns `status`
  int status = 0;
  /// Whether bytes are the device's; null: whatever they are, they are.
  bool (*on_device)(const void* begin, std::size_t bytes) = nullptr;
  const char* complaint = "";    ///< first rule that a caller broke
  const void* stream = nullptr;  ///< of the last handle
  int n_live = 0;                ///< handles and descriptors that were not destroyed
  int n_product = 0;
};

/// Of the workspace that it asks for.
inline constexpr std::size_t kStandInWorkspaceBytes = 96;

}  // namespace nodia::test
