#include <algorithm>
#include <limits>
#include <string>

#include "kernels/core/error.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/linalg/device/device_product.hpp"

namespace nodia {
namespace {

/// An object of the library, which destroys it.
using Owned = std::unique_ptr<void, int (*)(void*)>;

/// A matrix in the library's format: lists and values in device memory, and their descriptor.
template <class Real>
struct DescribedMatrix {
  DeviceBuffer<std::int32_t> begin, column;
  DeviceBuffer<Real> value;
  void* descriptor = nullptr;
  double bytes = 0;  ///< without padding
};

/// Values of A, blocks by rows.
template <class Real>
std::vector<Real> values_by_rows(const BlockCsrView<double>& A) {
  std::vector<Real> value(9 * static_cast<std::size_t>(A.row_begin[A.n_row]));
  for (std::size_t k = 0; k < value.size(); k += 9)
    for (int e = 0; e < 9; ++e) value[k + 3 * (e % 3) + e / 3] = static_cast<Real>(A.value[k + e]);
  return value;
}

/// Blocks by rows, each with its values by rows.
template <class Real>
DescribedMatrix<Real> bsr(const Cusparse& library, const BlockCsrView<double>& A,
                          DeviceStream stream) {
  const std::int32_t n_block = A.row_begin[A.n_row];
  DescribedMatrix<Real> m;
  m.begin.assign(std::vector(A.row_begin, A.row_begin + A.n_row + 1), stream);
  m.column.assign(std::vector(A.column, A.column + n_block), stream);
  m.value.assign(values_by_rows<Real>(A), stream);
  library.check(
      library.create_bsr(&m.descriptor, A.n_row, A.n_row, n_block, 3, 3, m.begin.data(),
                         m.column.data(), m.value.data(), cusparse::kInt32, cusparse::kInt32,
                         cusparse::kZeroBased, cusparse::kDataType<Real>, cusparse::kRowMajor),
      "cusparseCreateBsr", "3x3 blocks");
  m.bytes = n_block * (9.0 * sizeof(Real) + sizeof(std::int32_t)) +
            A.n_row * static_cast<double>(sizeof(std::int32_t));
  return m;
}

/// Scalar rows in slices of kSlicedEllRows: the k-th entries of a slice's rows are stored together.
/// Empty rows pad the last slice; entries with column -1 pad a slice to its longest row.
template <class Real>
DescribedMatrix<Real> sliced_ell(const Cusparse& library, const BlockCsrView<double>& A,
                                 int n_padded_row, DeviceStream stream) {
  const auto length = [&](int row) {
    return row < 3 * A.n_row ? 3 * (A.row_begin[row / 3 + 1] - A.row_begin[row / 3]) : 0;
  };
  std::vector<std::int32_t> begin{0};
  for (int first = 0; first < n_padded_row; first += kSlicedEllRows) {
    std::int32_t longest = 0;
    for (int row = first; row < first + kSlicedEllRows; ++row)
      longest = std::max(longest, length(row));
    const std::int64_t end = begin.back() + std::int64_t{longest} * kSlicedEllRows;
    if (end > std::numeric_limits<std::int32_t>::max())
      throw RuntimeError("cuSPARSE, sliced ELL: more than 2^31 values (take a smaller mesh)");
    begin.push_back(static_cast<std::int32_t>(end));
  }
  std::vector<std::int32_t> column(begin.back(), -1);
  std::vector<Real> value(begin.back(), 0);
  for (int row = 0; row < 3 * A.n_row; ++row) {
    std::int64_t at = begin[row / kSlicedEllRows] + row % kSlicedEllRows;
    for (std::int32_t b = A.row_begin[row / 3]; b < A.row_begin[row / 3 + 1]; ++b)
      for (int c = 0; c < 3; ++c, at += kSlicedEllRows) {
        column[at] = 3 * A.column[b] + c;
        value[at] = static_cast<Real>(A.value[9 * static_cast<std::int64_t>(b) + 3 * c + row % 3]);
      }
  }
  DescribedMatrix<Real> m;
  m.begin.assign(begin, stream);
  m.column.assign(column, stream);
  m.value.assign(value, stream);
  const std::int64_t n_entry = std::int64_t{9} * A.row_begin[A.n_row];
  library.check(
      library.create_sliced_ell(&m.descriptor, n_padded_row, n_padded_row, n_entry, begin.back(),
                                kSlicedEllRows, m.begin.data(), m.column.data(), m.value.data(),
                                cusparse::kInt32, cusparse::kInt32, cusparse::kZeroBased,
                                cusparse::kDataType<Real>),
      "cusparseCreateSlicedEll", "slices of " + std::to_string(kSlicedEllRows) + " rows");
  m.bytes = static_cast<double>(n_entry) * (sizeof(Real) + sizeof(std::int32_t)) +
            static_cast<double>(begin.size() * sizeof(std::int32_t));
  return m;
}

template <class Real>
class CusparseProduct : public DeviceProduct {
 public:
  CusparseProduct(const Cusparse& library, CusparseFormat format, const BlockCsrView<double>& A,
                  DeviceStream stream)
      : library_(library),
        format_(format),
        stream_(stream),
        n_row_(A.n_row),
        n_padded_(format == CusparseFormat::bsr ? 3 * A.n_row : whole_slices(3 * A.n_row)),
        x_buffer_(n_padded_),
        y_buffer_(n_padded_) {
    void* made = nullptr;
    library.check(library.create(&made), "cusparseCreate", what());
    handle_ = Owned(made, library.destroy);
    library.check(library.set_stream(made, stream), "cusparseSetStream", what());
    A_ = format == CusparseFormat::bsr ? bsr<Real>(library, A, stream)
                                       : sliced_ell<Real>(library, A, n_padded_, stream);
    matrix_ = Owned(A_.descriptor, library.destroy_matrix);
    x_ = vector_over(&x_buffer_);
    y_ = vector_over(&y_buffer_);
    std::size_t bytes = 0;
    library.check(library.product_buffer_size(made, cusparse::kNonTranspose, &one_, matrix_.get(),
                                              x_.get(), &zero_, y_.get(), cusparse::kDataType<Real>,
                                              cusparse::kDefaultAlgorithm, &bytes),
                  "cusparseSpMV_bufferSize", what());
    workspace_ = DeviceBuffer<std::byte>(bytes);
  }

  void set_x(const std::vector<Vec3d>& x) override {
    std::vector<Real> scalars(n_padded_, 0);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int c = 0; c < 3; ++c) scalars[3 * i + c] = static_cast<Real>(x[i][c]);
    x_buffer_.upload(scalars, stream_);
  }
  void launch() override {
    library_.check(library_.product(handle_.get(), cusparse::kNonTranspose, &one_, matrix_.get(),
                                    x_.get(), &zero_, y_.get(), cusparse::kDataType<Real>,
                                    cusparse::kDefaultAlgorithm, workspace_.data()),
                   "cusparseSpMV", what());
  }
  std::vector<Vec3d> y() const override {
    const std::vector<Real> scalars = y_buffer_.download(stream_);
    std::vector<Vec3d> y(n_row_);
    for (std::size_t i = 0; i < y.size(); ++i)
      for (int c = 0; c < 3; ++c) y[i][c] = scalars[3 * i + c];
    return y;
  }
  double bytes() const override { return A_.bytes + 6.0 * n_row_ * sizeof(Real); }

 private:
  static int whole_slices(int n_row) {
    return (n_row + kSlicedEllRows - 1) / kSlicedEllRows * kSlicedEllRows;
  }
  std::string what() const {
    return std::string(format_ == CusparseFormat::bsr ? "3x3 blocks" : "sliced ELL") +
           (sizeof(Real) == sizeof(double) ? ", double" : ", float");
  }
  Owned vector_over(DeviceBuffer<Real>* values) const {
    void* made = nullptr;
    library_.check(
        library_.create_vector(&made, n_padded_, values->data(), cusparse::kDataType<Real>),
        "cusparseCreateDnVec", what());
    return Owned(made, library_.destroy_vector);
  }

  const Cusparse& library_;
  CusparseFormat format_;
  DeviceStream stream_;
  int n_row_, n_padded_;
  const Real one_ = 1, zero_ = 0;
  DeviceBuffer<Real> x_buffer_, y_buffer_;
  DescribedMatrix<Real> A_;
  DeviceBuffer<std::byte> workspace_;
  Owned handle_{nullptr, nullptr}, matrix_{nullptr, nullptr};
  Owned x_{nullptr, nullptr}, y_{nullptr, nullptr};
};

}  // namespace

template <class Real>
std::unique_ptr<DeviceProduct> cusparse_product(const Cusparse& library, CusparseFormat format,
                                                const BlockCsrView<double>& A,
                                                DeviceStream stream) {
  return std::make_unique<CusparseProduct<Real>>(library, format, A, stream);
}

template std::unique_ptr<DeviceProduct> cusparse_product<float>(const Cusparse&, CusparseFormat,
                                                                const BlockCsrView<double>&,
                                                                DeviceStream);
template std::unique_ptr<DeviceProduct> cusparse_product<double>(const Cusparse&, CusparseFormat,
                                                                 const BlockCsrView<double>&,
                                                                 DeviceStream);

}  // namespace nodia
