#include "host/solvers/linear/cholmod_cholesky.hpp"

#if defined(NODIA_WITH_CHOLMOD)

#include <cholmod.h>

#include <vector>

#include "host/solvers/linear/analysed_pattern.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

class CholmodCholesky final : public SparseCholesky {
 public:
  CholmodCholesky() {
    cholmod_start(&common_);
    common_.print = 0;
    common_.final_ll = 1;  // L L^T always, because L D L^T would accept an indefinite matrix
  }
  CholmodCholesky(const CholmodCholesky&) = delete;
  CholmodCholesky& operator=(const CholmodCholesky&) = delete;
  ~CholmodCholesky() override {
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }

  bool factorise(const Eigen::SparseMatrix<double>& A) override {
    cholmod_sparse view{};
    view.nrow = static_cast<std::size_t>(A.rows());
    view.ncol = static_cast<std::size_t>(A.cols());
    view.nzmax = static_cast<std::size_t>(A.nonZeros());
    view.p = const_cast<int*>(A.outerIndexPtr());
    view.i = const_cast<int*>(A.innerIndexPtr());
    view.x = const_cast<double*>(A.valuePtr());
    view.stype = -1;
    view.itype = CHOLMOD_INT;
    view.xtype = CHOLMOD_REAL;
    view.dtype = CHOLMOD_DOUBLE;
    view.sorted = 1;
    view.packed = 1;
    if (!analysed_.holds(A) || factor_ == nullptr) {
      cholmod_free_factor(&factor_, &common_);
      factor_ = cholmod_analyze(&view, &common_);
    }
    return factor_ != nullptr && cholmod_factorize(&view, factor_, &common_) != 0 &&
           common_.status == CHOLMOD_OK && factor_->minor == factor_->n;
  }

  Eigen::MatrixXd solve(const Eigen::MatrixXd& rhs) const override {
    cholmod_dense view{};
    view.nrow = static_cast<std::size_t>(rhs.rows());
    view.ncol = static_cast<std::size_t>(rhs.cols());
    view.nzmax = static_cast<std::size_t>(rhs.size());
    view.d = view.nrow;
    view.x = const_cast<double*>(rhs.data());
    view.xtype = CHOLMOD_REAL;
    view.dtype = CHOLMOD_DOUBLE;
    cholmod_dense* x = cholmod_solve(CHOLMOD_A, factor_, &view, &common_);
    if (x == nullptr) throw RuntimeError("CHOLMOD: the solve failed (out of memory?)");
    Eigen::MatrixXd result =
        Eigen::Map<Eigen::MatrixXd>(static_cast<double*>(x->x), rhs.rows(), rhs.cols());
    cholmod_free_dense(&x, &common_);
    return result;
  }

  LowerFactorView lower() override {
    analysed_.forget();  // the factor becomes simplicial
    if (cholmod_change_factor(CHOLMOD_REAL, 1, 0, 1, 1, factor_, &common_) == 0)
      throw RuntimeError("CHOLMOD: the factor cannot be converted (out of memory?)");
    const int n = static_cast<int>(factor_->n);
    const int* unknown = static_cast<const int*>(factor_->Perm);
    position_.resize(factor_->n);
    for (int k = 0; k < n; ++k) position_[unknown[k]] = k;
    return {n, static_cast<const int*>(factor_->p), static_cast<const int*>(factor_->i),
            static_cast<const double*>(factor_->x), position_.data()};
  }
  FactorWork work() const override { return {common_.fl / 2, 2 * common_.lnz}; }

 private:
  mutable cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  AnalysedPattern analysed_;
  std::vector<int> position_;
};

}  // namespace

bool has_cholmod() {
  return true;
}

std::unique_ptr<SparseCholesky> make_cholmod_cholesky() {
  return std::make_unique<CholmodCholesky>();
}

}  // namespace nodia

#else

namespace nodia {

bool has_cholmod() {
  return false;
}

std::unique_ptr<SparseCholesky> make_cholmod_cholesky() {
  return nullptr;
}

}  // namespace nodia

#endif
