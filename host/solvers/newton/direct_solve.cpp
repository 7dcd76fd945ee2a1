#include "host/solvers/newton/direct_solve.hpp"

namespace nodia {
namespace {

/// Number of rows up to which a dense factor is faster.
constexpr int kMaxDenseRows = 24;

}  // namespace

void DirectSolve::set_pattern(const std::shared_ptr<const BlockPattern>& pattern,
                              const std::vector<Body>& bodies) {
  if (chains_.set_pattern(pattern, bodies)) {
    method_ = Method::chains;
  } else if (pattern->n_row() <= kMaxDenseRows) {
    method_ = Method::dense;
  } else {
    method_ = Method::sparse;
    set_sparse_pattern(pattern);
  }
}

void DirectSolve::set_sparse_pattern(const std::shared_ptr<const BlockPattern>& own) {
  if (sparse_ == nullptr) sparse_ = make_sparse_cholesky(factoriser_);
  if (pattern_ != nullptr && (own == pattern_ || *own == *pattern_)) return;
  pattern_ = own;
  const BlockPattern& pattern = *own;
  const int n = pattern.n_row();
  lower_.resize(3 * n, 3 * n);
  std::vector<std::int32_t> row;
  source_.clear();
  // K is symmetric: column c below the diagonal is row c to the right of it.
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < 3; ++c) {
      lower_.outerIndexPtr()[3 * i + c] = static_cast<int>(row.size());
      for (std::int32_t k = pattern.diagonal[i]; k < pattern.row_begin[i + 1]; ++k)
        for (int r = 0; r < 3; ++r) {
          if (pattern.column[k] == i && r < c) continue;
          row.push_back(3 * pattern.column[k] + r);
          source_.push_back(9 * k + 3 * r + c);  // entry (c, r) of block (i, column)
        }
    }
  lower_.resizeNonZeros(static_cast<Eigen::Index>(row.size()));
  lower_.outerIndexPtr()[3 * n] = static_cast<int>(row.size());
  std::copy(row.begin(), row.end(), lower_.innerIndexPtr());
}

bool DirectSolve::factorise_dense(const BlockMatrix& K) {
  const int n = K.n_row();
  matrix_.setZero(3 * n, 3 * n);
  for (int i = 0; i < n; ++i)
    for (std::int32_t k = K.pattern->row_begin[i]; k < K.pattern->row_begin[i + 1]; ++k) {
      const double* value = K.value.data() + 9 * static_cast<std::size_t>(k);
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
          matrix_(3 * i + r, 3 * K.pattern->column[k] + c) = value[3 * c + r];
    }
  if (!llt_) llt_.emplace();
  llt_->compute(matrix_);
  return llt_->info() == Eigen::Success;
}

bool DirectSolve::factorise(const BlockMatrix& K, const std::vector<Body>& bodies) {
  set_pattern(K.pattern, bodies);
  bool definite = false;
  if (method_ == Method::chains) {
    definite = chains_.factorise(K);
  } else if (method_ == Method::dense) {
    definite = factorise_dense(K);
  } else {
    for (std::size_t e = 0; e < source_.size(); ++e) lower_.valuePtr()[e] = K.value[source_[e]];
    definite = sparse_->factorise(lower_);
  }
  work_ = work_of_factor();
  multiply_adds_ += work_.factorise;
  return definite;
}

FactorWork DirectSolve::work_of_factor() const {
  if (method_ == Method::chains) return chains_.work();
  if (method_ == Method::sparse) return sparse_->work();
  const auto n = static_cast<double>(matrix_.rows());
  return {n * n * n / 6, n * n};
}

void DirectSolve::solve(const std::vector<Vec3d>& f, std::vector<Vec3d>* x) {
  multiply_adds_ += work_.solve;
  if (method_ == Method::chains) {
    chains_.solve(f, x);
    return;
  }
  const auto n = static_cast<Eigen::Index>(3 * f.size());
  const Eigen::Map<const Eigen::VectorXd> rhs(n > 0 ? &f.data()->x : nullptr, n);
  x->resize(f.size());
  Eigen::Map<Eigen::VectorXd> solution(n > 0 ? &x->data()->x : nullptr, n);
  if (method_ == Method::dense)
    solution = llt_->solve(rhs);
  else
    solution = sparse_->solve(rhs);
}

}  // namespace nodia
