/// A multigrid hierarchy of the Newton step's matrix, as a preconditioner: unsmoothed aggregates
/// with rigid motions, Galerkin products, Chebyshev smoothing
/// (kernels/multigrid/multigrid_cycle.hpp).
///
/// Contacts filter what the coarse levels do: where one presses with the penalty G on row i, the
/// row follows its aggregate by M_i = (1 + sum J^T G J/a_i)^-1, a_i = tr(A_ii)/3.
#pragma once

#include <memory>
#include <vector>

#include "host/solvers/elimination/chain_solve.hpp"
#include "host/solvers/multigrid/aggregate_pool.hpp"
#include "host/solvers/multigrid/coarsening.hpp"
#include "host/solvers/multigrid/sliced_rows.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/cpu/isa.hpp"
#include "kernels/multigrid/multigrid_cycle.hpp"

namespace nodia {

class Multigrid {
 public:
  Multigrid() = default;
  Multigrid(Multigrid&&) = default;
  Multigrid& operator=(Multigrid&&) = default;

  void set_threads(int n_thread) { n_thread_ = n_thread; }
  CpuLauncher launcher() const { return CpuLauncher(isa_, n_thread_); }
  /// Gathers the rows, unless it knows the topology already. @return whether it did
  bool set_topology(const std::shared_ptr<const Topology>& topology, AggregatePool* pool);
  /// The smoother of a matrix; coarse levels stay as they are. Kept by reference.
  /// @param K  its pattern holds the topology's
  void set_matrix(const BlockMatrix& K);
  /// The same, where that matrix has changed in these blocks alone.
  void update_matrix(const std::vector<std::int32_t>& blocks);
  /// The matrix for cycles that run elsewhere: build() knows it, and its rows' pattern in slices is
  /// there. Its smoother is made there, and counted here.
  void leave_matrix(const BlockMatrix& K);
  /// The coarse levels, for the last matrix.
  /// @param position  per row [m]
  /// @param filter    M, per row
  void build(const std::vector<Vec3d>& position, const std::vector<Mat3d>& filter);
  /// lambda_max of the finest level's D^-1 K, by a power iteration. Contacts of their own on a row
  /// add the same to D and K, and do not raise it: that without contacts will do.
  /// @param K  as for set_matrix(), which is to follow
  /// @param direction  where it starts, in and out; empty: nothing is known
  void estimate_lambda_max(const BlockMatrix& K, std::vector<Vec3d>* direction);
  /// Smooths less on the finest level: for contacts that share rows.
  void raise_lambda_max(double factor) { levels_[0].lambda_max *= factor; }

  /// What build() and estimate_lambda_max() left, as numbers.
  std::vector<double> saved() const;
  /// Goes on from these. After set_topology(). @return false where they are not of its rows
  bool restore(const std::vector<double>& numbers);

  /// z = one cycle for r: symmetric, positive definite. After build().
  void cycle(const std::vector<Vec3d>& r, std::vector<Vec3d>* z);
  /// Of all that was done so far.
  double multiply_adds() const { return multiply_adds_; }
  /// Of cycles and products that others make.
  void count(int n_cycle, int n_product);
  /// Grows with whatever makes the coarse levels, or their rows, anew.
  int version() const { return version_; }
  /// What a cycle reads of a level, on the finest one without its values; of a hierarchy without
  /// cables.
  struct Constants {
    const AggregateLevel& rows;
    const std::vector<std::int32_t>& segment;
    const std::vector<std::int64_t>& inverse_begin;
    std::size_t n_inverse;  ///< numbers of all groups' inverses
    const std::vector<float>& inverse;
    const std::vector<Prolongation<float>>& prolongation;
    const SlicedRows &K, &dense_inverse;
    bool is_smoothed;
    double lambda_max;
  };
  Constants constants(int l) const;
  /// The arrays of a cycle, per level, and of what build() makes of level l; for launches, valid
  /// until the next matrix.
  std::vector<MultigridLevel> levels(const std::vector<Vec3d>& r, std::vector<Vec3d>* z);
  MultigridBuild build_arrays(int l);
  /// No groups where a level is not smoothed.
  const std::vector<LevelSize>& sizes() const { return sizes_; }
  int n_level() const { return static_cast<int>(levels_.size()); }

 private:
  struct Level {
    BlockMatrix own_K;  ///< of coarse levels
    const BlockMatrix* K = nullptr;
    Coarsening coarsening;                          ///< to the next level
    std::shared_ptr<const BlockPattern> coarsened;  ///< the pattern that it is of
    std::vector<Prolongation<double>> prolongation;
    std::vector<Prolongation<float>> rounded_prolongation;
    std::vector<Vec3d> centre;   ///< of the aggregates [m]
    std::vector<double> length;  ///< of the aggregates [m]
    std::vector<std::int64_t> inverse_begin;
    std::vector<double> inverse;
    SlicedRows rounded_K;
    std::vector<float> rounded_inverse;
    std::vector<std::int32_t> segment;              ///< [n_group] of the cables' plan, or -1
    std::vector<Body> cable;                        ///< rows of the level
    std::vector<std::int32_t> cable_row;            ///< all of theirs
    std::shared_ptr<const BlockPattern> of_cables;  ///< the pattern of their plan
    ChainArrays cables;
    SlicedRows dense_inverse;    ///< of the coarsest level, where it is not smoothed
    bool is_eliminated = false;  ///< or, with long cables, this
    ChainSolve elimination;
    PaddedNodes right, x, half, step, residual;
    double lambda_max = 1;
  };

  bool is_smoothed(int l) const;
  void set_patterns();
  void set_pattern_of_cycles(int l);
  void round_matrix(int l);
  void round_prolongation(int l);
  void set_prolongation(int l, const std::vector<Vec3d>& position,
                        const std::vector<Mat3d>& filter);
  void invert_groups(int l);
  void count_inverses(int l);
  void invert_coarsest();
  void invert_densely();
  double work_of_cycle() const;
  double power_iteration(int l, int n_product, std::vector<Vec3d>* direction);
  MultigridLevel view(int l);

  CpuIsa isa_ = chosen_isa();
  int n_thread_ = 1;
  std::shared_ptr<const Topology> topology_;
  AggregatePool::Levels rows_;
  std::vector<Level> levels_;
  std::vector<LevelSize> sizes_;
  double multiply_adds_ = 0;
  int version_ = 0;
};

}  // namespace nodia
