#include "host/solvers/linear/sparse_cholesky.hpp"

#include <Eigen/SparseCholesky>

#include "host/solvers/linear/analysed_pattern.hpp"
#include "host/solvers/linear/cholmod_cholesky.hpp"

namespace nodia {
namespace {

class SimplicialCholesky final : public SparseCholesky {
 public:
  bool factorise(const Eigen::SparseMatrix<double>& A) override {
    if (!analysed_.holds(A)) factor_.analyzePattern(A);
    factor_.factorize(A);
    return factor_.info() == Eigen::Success;
  }
  Eigen::MatrixXd solve(const Eigen::MatrixXd& rhs) const override { return factor_.solve(rhs); }
  LowerFactorView lower() override {
    const Eigen::SparseMatrix<double>& L = factor_.matrixL().nestedExpression();
    return {static_cast<int>(L.rows()), L.outerIndexPtr(), L.innerIndexPtr(), L.valuePtr(),
            factor_.permutationP().indices().data()};
  }
  FactorWork work() const override {
    const Eigen::SparseMatrix<double>& L = factor_.matrixL().nestedExpression();
    FactorWork work;
    for (Eigen::Index k = 0; k < L.cols(); ++k) {
      const double length = L.outerIndexPtr()[k + 1] - L.outerIndexPtr()[k];
      work.factorise += length * length / 2;
      work.solve += 2 * length;
    }
    return work;
  }

 private:
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor_;
  AnalysedPattern analysed_;
};

}  // namespace

std::unique_ptr<SparseCholesky> make_sparse_cholesky(Factoriser factoriser) {
  require_available(factoriser);
  if (factoriser == Factoriser::cholmod) return make_cholmod_cholesky();
  return std::make_unique<SimplicialCholesky>();
}

}  // namespace nodia
