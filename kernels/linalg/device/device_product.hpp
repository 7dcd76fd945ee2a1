/// y = A x on the device, alone: by the kernel of the loop's format, or by a library.
#pragma once

#include <memory>
#include <vector>

#include "kernels/device/cusparse.hpp"
#include "kernels/linalg/block_csr.hpp"
#include "kernels/linalg/sliced_product.hpp"

namespace nodia {

/// Holds A in its format and x and y, all of its number type.
class DeviceProduct {
 public:
  virtual ~DeviceProduct() = default;
  /// x of the products that follow, one vector a row.
  virtual void set_x(const std::vector<Vec3d>& x) = 0;
  /// y := A x as work of the stream; returns without waiting.
  virtual void launch() = 0;
  /// Waits for the last one.
  virtual std::vector<Vec3d> y() const = 0;
  /// What a product moves, counted once per use without padding.
  virtual double bytes() const = 0;
};

/// The format of the V-FPI loop (sliced_matrix.hpp); of floats in difference form.
/// @param A       on the host, symmetric in its pattern, every diagonal block present
/// @param stream  not the null stream; lives longer
template <class Real>
std::unique_ptr<DeviceProduct> sliced_product(const BlockCsrView<double>& A, DeviceStream stream);

enum class CusparseFormat {
  bsr,        ///< 3x3 blocks, by rows; needs the library of CUDA 13
  sliced_ell  ///< scalars, slices of kSlicedEllRows rows
};

/// A warp's.
inline constexpr int kSlicedEllRows = 32;

/// @param library  lives longer
/// @throws RuntimeError with the library's reason where it refuses
template <class Real>
std::unique_ptr<DeviceProduct> cusparse_product(const Cusparse& library, CusparseFormat format,
                                                const BlockCsrView<double>& A, DeviceStream stream);

/// The largest difference of y and A x over what rounding may bring: 2 n + 8 half units in the last
/// place of sum_j |A_ij| (|x_j| + |x_i|), where n values are added. At most one where y is right,
/// in whatever order it was added; infinite where it is not finite.
/// @param half_unit  2^-53 of double, 2^-24 of float
double rounding_excess(const BlockCsrView<double>& A, const std::vector<Vec3d>& x,
                       const std::vector<Vec3d>& y, double half_unit);

}  // namespace nodia
