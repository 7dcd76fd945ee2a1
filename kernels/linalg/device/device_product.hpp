/// Product y = A x on the device, without other work: with the kernel of the loop's format, or with
/// a library.
#pragma once

#include <memory>
#include <vector>

#include "kernels/device/cusparse.hpp"
#include "kernels/linalg/block_csr.hpp"
#include "kernels/linalg/sliced_product.hpp"

namespace nodia {

/// Stores A in its format, and x and y, all in its number type.
class DeviceProduct {
 public:
  virtual ~DeviceProduct() = default;
  /// Sets x of the following products, one vector per row.
  virtual void set_x(const std::vector<Vec3d>& x) = 0;
  /// Enqueues y := A x on the stream; returns without waiting.
  virtual void launch() = 0;
  /// y of the last product; waits for it.
  virtual std::vector<Vec3d> y() const = 0;
  /// Bytes that a product reads and writes, each use counted once, without padding.
  virtual double bytes() const = 0;
};

/// Product in the format of the V-FPI loop (sliced_matrix.hpp); for floats in difference form.
/// @param A       on the host, with a symmetric pattern and every diagonal block
/// @param stream  not the null stream; must outlive the product
/// @param stream  not the null stream; lives longer
template <class Real>
std::unique_ptr<DeviceProduct> sliced_product(const BlockCsrView<double>& A, DeviceStream stream);

enum class CusparseFormat {
  bsr,        ///< 3x3 blocks, by rows; needs the library of CUDA 13
  sliced_ell  ///< scalars, slices of kSlicedEllRows rows
};

/// Rows of a warp.
inline constexpr int kSlicedEllRows = 32;

/// Product of cuSPARSE. @param library  must outlive the product
/// @throws RuntimeError with the library's reason if it fails
template <class Real>
std::unique_ptr<DeviceProduct> cusparse_product(const Cusparse& library, CusparseFormat format,
                                                const BlockCsrView<double>& A, DeviceStream stream);

/// Largest difference of y and A x divided by a bound of the rounding: 2 n + 8 half units in the
/// last place of sum_j |A_ij| (|x_j| + |x_i|), where n values are added. At most one if y is right,
/// for any order of the sums; infinite if y is not finite.
/// @param half_unit  2^-53 for double, 2^-24 for float
double rounding_excess(const BlockCsrView<double>& A, const std::vector<Vec3d>& x,
                       const std::vector<Vec3d>& y, double half_unit);

}  // namespace nodia
