#include "kernels/device/device_buffer.hpp"
#include "kernels/linalg/device/device_product.hpp"
#include "kernels/linalg/device/launch_sliced.hpp"
#include "kernels/linalg/sliced_arrays.hpp"

namespace nodia {
namespace {

template <class Real>
class SlicedDeviceProduct : public DeviceProduct {
 public:
  SlicedDeviceProduct(const BlockCsrView<double>& A, DeviceStream stream)
      : SlicedDeviceProduct(SlicedArrays<Real>(A), A, stream) {}

  void set_x(const std::vector<Vec3d>& x) override {
    std::vector<Real> padded(x_.size(), 0);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int c = 0; c < 3; ++c) padded[kNodeStride * i + c] = static_cast<Real>(x[i][c]);
    x_.upload(padded, stream_);
  }
  void launch() override {
    SlicedProductView<Real> view;
    view.n_row = n_padded_row_;
    view.pattern.slice_begin = slice_begin_.data();
    view.pattern.column = column_.data();
    view.value = value_.data();
    view.x = x_.data();
    view.y = y_.data();
    launch_sliced_on_device(view, stream_);
  }
  std::vector<Vec3d> y() const override {
    const std::vector<Real> planes = y_.download(stream_);
    std::vector<Vec3d> y(n_row_);
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] = cast<double>(load_planes<Real>(planes.data(), static_cast<int>(i), DirectMemory{}));
    return y;
  }
  double bytes() const override {
    return n_block_ * (9.0 * sizeof(Real) + sizeof(std::int32_t)) +
           n_row_ * (6.0 * sizeof(Real) + sizeof(std::int32_t));
  }

 private:
  SlicedDeviceProduct(const SlicedArrays<Real>& arrays, const BlockCsrView<double>& A,
                      DeviceStream stream)
      : stream_(stream),
        n_row_(A.n_row),
        n_block_(A.row_begin[A.n_row]),
        n_padded_row_(arrays.n_row),
        x_(static_cast<std::size_t>(kNodeStride) * arrays.n_row),
        y_(std::size_t{3} * arrays.n_row) {
    slice_begin_.assign(arrays.slice_begin, stream);
    column_.assign(arrays.column, stream);
    value_.assign(arrays.value, stream);
  }

  DeviceStream stream_;
  int n_row_, n_block_, n_padded_row_;
  DeviceBuffer<std::int32_t> slice_begin_, column_;
  DeviceBuffer<Real> value_, x_, y_;
};

}  // namespace

template <class Real>
std::unique_ptr<DeviceProduct> sliced_product(const BlockCsrView<double>& A, DeviceStream stream) {
  return std::make_unique<SlicedDeviceProduct<Real>>(A, stream);
}

template std::unique_ptr<DeviceProduct> sliced_product<float>(const BlockCsrView<double>&,
                                                              DeviceStream);
template std::unique_ptr<DeviceProduct> sliced_product<double>(const BlockCsrView<double>&,
                                                               DeviceStream);

}  // namespace nodia
