/// W of chains: elimination in segments against dense factors, and its kernel by every launcher.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <vector>

#include "host/solvers/cond/loop_problem.hpp"
#include "kernels/core/error.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/dense_algebra.hpp"
#include "tests/support/random_problem.hpp"

namespace nodia {
namespace {

struct Always {
  template <class Environment>
  static bool enabled(const Environment&, const VfpiControl&, const VfpiOptions&) {
    return true;
  }
};

/// out := B^-1 in, by rows of the loop.
struct SolveRows : ChainInverse<DoublePrecision, SolveRows, Always> {
  const Vec3d* in = nullptr;
  Vec3d* out = nullptr;

  template <class Memory>
  NODIA_HD Vec3d g(const Environment&, int row, Memory memory) const {
    return memory.read(in + row);
  }
  template <class Memory>
  NODIA_HD void result(const Environment&, int row, Vec3d x, Memory memory) const {
    memory.write(out + row, x);
  }
};

/// The chains of a problem with one environment.
class ChainW {
 public:
  explicit ChainW(const RandomProblemOptions& options)
      : loop_(CommonOptions{}, CondOptions{}), problem_(random_problem(options)) {
    const WarmStart cold;
    loop_.set(problem_, cold);
    env_ = loop_.environments();
    for (int chunk = 0; chunk < env_[0].n_chunk; ++chunk) work_.push_back({0, chunk});
    batch_.n_env = 1;
    batch_.env = env_.data();
    batch_.work = work_.data();
  }

  const VfpiEnvironment<DoublePrecision>& env() const { return env_[0]; }
  /// Free rows, link by link.
  std::vector<int> free_rows() const {
    std::vector<int> rows;
    for (int i = 0; i < kRowsOfLink * env().n_link; ++i)
      if (env().chain_row[i] >= 0) rows.push_back(env().chain_row[i]);
    return rows;
  }
  /// B of the free rows.
  Eigen::MatrixXd dense() const {
    const int n = kValuesOfLink * env().n_link;
    using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n, n);
    for (int k = 0; k < env().n_link; ++k) {
      const double* m = env().chain_matrix + 2 * kLinkMatrixSize * k;
      all.block<6, 6>(6 * k, 6 * k) = Eigen::Map<const Matrix6>(m);
      if (k == 0) continue;
      const Eigen::Map<const Matrix6> left(m + kLinkMatrixSize);
      all.block<6, 6>(6 * k, 6 * k - 6) = left;
      all.block<6, 6>(6 * k - 6, 6 * k) = left.transpose();
    }
    std::vector<int> kept;
    for (int i = 0; i < n; ++i)
      if (env().chain_row[i / 3] >= 0) kept.push_back(i);
    return all(kept, kept);
  }
  /// B^-1 x of the free rows, by launch(kernel, items).
  template <class Launch>
  Eigen::VectorXd solve(const Eigen::VectorXd& x, const Launch& launch) {
    const std::vector<int> rows = free_rows();
    std::vector<Vec3d> in(env().n_chunk * kBlockLanes), out(in.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      in[rows[i]] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
    double* const work = loop_.arrays().chain_work.data();
    std::fill_n(work, loop_.arrays().chain_work.size(), std::numeric_limits<double>::quiet_NaN());
    SolveRows kernel;
    kernel.batch = &batch_;
    kernel.in = in.data();
    kernel.out = out.data();
    launch(kernel, static_cast<int>(work_.size()));
    Eigen::VectorXd y(x.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (int k = 0; k < 3; ++k) y[3 * i + k] = out[rows[i]][k];
    return y;
  }

 private:
  LoopProblem<DoublePrecision> loop_;
  ContactProblem problem_;
  std::vector<VfpiEnvironment<DoublePrecision>> env_;
  std::vector<WorkItem> work_;
  VfpiBatch<DoublePrecision> batch_;
};

template <class Isa>
void in_packs(const SolveRows& kernel, int n_item) {
  for (int item = 0; item < n_item; ++item) run_item<Isa>(kernel, item);
}

Eigen::VectorXd some_vector(Eigen::Index n, unsigned seed) {
  Eigen::VectorXd x(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = std::sin(1.7 * static_cast<double>(i + 1) * seed);
  return x;
}

RandomProblemOptions chains(int n_link, int n_chain) {
  return {.seed = static_cast<unsigned>(n_link),
          .n_node = 4,
          .n_world_contact = 1,
          .n_pair_contact = 0,
          .n_link = n_link,
          .n_chain = n_chain};
}

TEST(ChainW, IsTheInverseOfADenseMatrixWhateverTheLength) {
  for (const int n_link : {1, 2, 3, 7, 8, 9, 15, 16, 17, 18, 31, 33, 64, 65, 128, 131, 400}) {
    ChainW w(chains(n_link, 1));
    const Eigen::MatrixXd B = w.dense();
    const Eigen::VectorXd x = some_vector(B.rows(), 1);
    const Eigen::VectorXd expected = test::solve_symmetric(B, x);
    const Eigen::VectorXd y = w.solve(x, in_packs<Portable>);
    EXPECT_LT((y - expected).norm(), 1e-11 * expected.norm()) << n_link << " links";
  }
}

TEST(ChainW, OfSeveralChainsIsEachOnesOwn) {
  ChainW w(chains(7, 13));  // 7 to 19 links: as long as the segments, shorter and longer
  EXPECT_EQ(w.env().n_chain, 13);
  EXPECT_LT(w.env().n_chunk, 13);  // some blocks have several
  const Eigen::MatrixXd B = w.dense();
  const Eigen::VectorXd x = some_vector(B.rows(), 2);
  const Eigen::VectorXd expected = test::solve_symmetric(B, x);
  EXPECT_LT((w.solve(x, in_packs<Portable>) - expected).norm(), 1e-11 * expected.norm());
}

TEST(ChainW, IsSymmetricAndPositiveDefinite) {
  for (const int n_link : {5, 30}) {
    ChainW w(chains(n_link, 1));
    const auto n = static_cast<Eigen::Index>(3 * w.free_rows().size());
    Eigen::MatrixXd W(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      W.col(i) = w.solve(Eigen::VectorXd::Unit(n, i), in_packs<Portable>);
    EXPECT_LT((W - W.transpose()).norm(), 1e-12 * W.norm());
    const Eigen::VectorXd values = test::eigenvalues(W);
    EXPECT_GT(values.minCoeff(), 0);
    EXPECT_NEAR(values.minCoeff() * test::eigenvalues(w.dense()).maxCoeff(), 1, 1e-9);
  }
}

TEST(ChainW, HasTheSameBitsInPacksOfAnyWidthAndInAnyOrder) {
  for (const int n_link : {3, 8, 21, 97}) {
    ChainW w(chains(n_link, 3));
    const Eigen::VectorXd x = some_vector(3 * static_cast<Eigen::Index>(w.free_rows().size()), 3);
    const Eigen::VectorXd expected = w.solve(x, in_packs<OneLane>);
    EXPECT_EQ(expected, w.solve(x, in_packs<Portable>));
    EXPECT_EQ(expected, w.solve(x, in_packs<Avx2>));
    for (const std::uint64_t seed : {1, 2, 3})
      EXPECT_EQ(expected, w.solve(x, [&](const SolveRows& kernel, int n_item) {
        RaceDetector({.seed = seed, .n_block = 2}).launch("solve_rows", kernel, n_item);
      }));
  }
}

/// The rounds of a phase in one: a link is read that another lane writes.
struct WithoutBarriers : SolveRows {
  template <int phase, class Memory>
  int n_lane(int item, int round, Memory memory) const {
    return round == 0 ? SolveRows::n_lane<phase>(item, 0, memory) : 0;
  }
  template <int phase, class Isa, class Memory>
  void run_round(int item, int, int lane, NoShared& shared, Memory memory) const {
    for (int round = 0; SolveRows::n_lane<phase>(item, round, memory) > 0; ++round)
      SolveRows::run_round<phase, Isa>(item, round, lane, shared, memory);
  }
};

TEST(ChainW, WithoutBarriersBetweenItsStepsIsCaught) {
  ChainW w(chains(60, 1));
  const Eigen::VectorXd x = some_vector(3 * static_cast<Eigen::Index>(w.free_rows().size()), 4);
  EXPECT_THROW(w.solve(x,
                       [](const SolveRows& kernel, int n_item) {
                         RaceDetector().launch("solve_rows", WithoutBarriers{kernel}, n_item);
                       }),
               RuntimeError);
}

}  // namespace
}  // namespace nodia
