#include "host/solvers/linear/forward_substitution.hpp"

#include <algorithm>
#include <vector>

namespace nodia {
namespace {

/// Rows of Y that are non-zero in more than this share of the contacts are stored dense.
constexpr double kDenseRow = 0.25;

/// The three columns of Y that belong to one contact: values[3 i + axis] in row rows[i].
struct ContactColumns {
  std::vector<int> rows;  ///< ascending
  std::vector<double> values;
};

class ForwardSubstitution {
 public:
  explicit ForwardSubstitution(const LowerFactorView& L)
      : L_(L), mark_(L.n, -1), work_(3 * static_cast<std::size_t>(L.n)) {}

  /// L^-1 P (rows 3 m to 3 m + 2 of J)^T.
  ContactColumns operator()(const Eigen::SparseMatrix<double, Eigen::RowMajor>& J, int m) {
    ContactColumns y;
    for (int axis = 0; axis < 3; ++axis) {
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator entry(J, 3 * m + axis);
           entry; ++entry) {
        const int position = L_.position[entry.col()];
        work_[3 * static_cast<std::size_t>(position) + axis] = entry.value();
        // A column reaches its ancestors in the elimination tree.
        for (int k = position; k >= 0 && mark_[k] != m; k = L_.parent(k)) {
          mark_[k] = m;
          y.rows.push_back(k);
        }
      }
    }
    std::sort(y.rows.begin(), y.rows.end());
    y.values.reserve(3 * y.rows.size());
    for (const int k : y.rows) eliminate(k, &y.values);
    return y;
  }

 private:
  void eliminate(int k, std::vector<double>* values) {
    double* x = work_.data() + 3 * static_cast<std::size_t>(k);
    const int begin = L_.column_begin[k], end = L_.column_begin[k + 1];
    const double x0 = x[0] / L_.value[begin], x1 = x[1] / L_.value[begin],
                 x2 = x[2] / L_.value[begin];
    x[0] = x[1] = x[2] = 0;
    values->insert(values->end(), {x0, x1, x2});
    for (int p = begin + 1; p < end; ++p) {
      double* y = work_.data() + 3 * static_cast<std::size_t>(L_.row[p]);
      y[0] -= L_.value[p] * x0;
      y[1] -= L_.value[p] * x1;
      y[2] -= L_.value[p] * x2;
    }
  }

  LowerFactorView L_;
  std::vector<int> mark_;     ///< last contact that reached a row
  std::vector<double> work_;  ///< zero between calls
};

/// Non-zeros of one row of Y: entry i has contact[i] and values[3 i + axis].
struct SparseRow {
  std::vector<int> contact;
  std::vector<double> values;
};

/// Lower triangle of D += y y^T.
void add_outer_product(const SparseRow& y, Eigen::MatrixXd* D) {
  for (std::size_t j = 0; j < y.contact.size(); ++j) {
    for (int c = 0; c < 3; ++c) {
      const double factor = y.values[3 * j + static_cast<std::size_t>(c)];
      double* column = D->data() + (3 * std::ptrdiff_t{y.contact[j]} + c) * D->rows();
      for (std::size_t i = j; i < y.contact.size(); ++i)
        for (int r = 0; r < 3; ++r)
          column[3 * y.contact[i] + r] += factor * y.values[3 * i + static_cast<std::size_t>(r)];
    }
  }
}

}  // namespace

Eigen::MatrixXd delassus_by_forward_substitution(
    const LowerFactorView& L, const Eigen::SparseMatrix<double, Eigen::RowMajor>& J) {
  const int n_contact = static_cast<int>(J.rows() / 3);
  std::vector<ContactColumns> columns;
  columns.reserve(static_cast<std::size_t>(n_contact));
  std::vector<int> count(static_cast<std::size_t>(L.n), 0);
  ForwardSubstitution substitute(L);
  for (int m = 0; m < n_contact; ++m) {
    columns.push_back(substitute(J, m));
    for (const int row : columns.back().rows) ++count[row];
  }

  std::vector<int> dense_index(static_cast<std::size_t>(L.n), -1);
  int n_dense = 0;
  for (int row = 0; row < L.n; ++row)
    if (count[row] > kDenseRow * n_contact) dense_index[row] = n_dense++;
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n_dense, 3 * n_contact);
  std::vector<SparseRow> sparse(static_cast<std::size_t>(L.n));
  for (int m = 0; m < n_contact; ++m) {
    const ContactColumns& y = columns[m];
    for (std::size_t i = 0; i < y.rows.size(); ++i) {
      const int row = y.rows[i];
      if (dense_index[row] >= 0) {
        for (int axis = 0; axis < 3; ++axis)
          dense(dense_index[row], 3 * m + axis) = y.values[3 * i + axis];
      } else {
        sparse[row].contact.push_back(m);
        sparse[row].values.insert(sparse[row].values.end(), &y.values[3 * i], &y.values[3 * i] + 3);
      }
    }
  }

  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(3 * n_contact, 3 * n_contact);
  D.selfadjointView<Eigen::Lower>().rankUpdate(dense.transpose());
  for (const SparseRow& row : sparse) add_outer_product(row, &D);
  D.triangularView<Eigen::StrictlyUpper>() = D.transpose();
  return D;
}

}  // namespace nodia
