/// Multigrid preconditioner of the Newton step's matrix: unsmoothed aggregates with rigid motions,
/// Galerkin products, Chebyshev smoothing (kernels/multigrid/multigrid_cycle.hpp).
///
/// Contacts filter the corrections of the coarse levels: with a contact penalty G on row i, the row
/// follows its aggregate by M_i = (1 + sum J^T G J/a_i)^-1, a_i = tr(A_ii)/3.
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
  /// Aggregates the rows unless it already has the topology. @return true if it did
  bool set_topology(const std::shared_ptr<const Topology>& topology, AggregatePool* pool);
  /// Makes the smoother of a matrix; coarse levels are unchanged. The matrix is kept by reference.
  /// @param K  its pattern contains the topology's
  void set_matrix(const BlockMatrix& K);
  /// Same if only these blocks of the matrix have changed.
  void update_matrix(const std::vector<std::int32_t>& blocks);
  /// Sets the matrix for cycles on a device: prepares build() and the sliced pattern of its rows.
  /// The device makes the smoother, which is counted here.
  void leave_matrix(const BlockMatrix& K);
  /// Makes the coarse levels for the last matrix.
  /// @param position  [n_row] [m]
  /// @param filter    [n_row] M
  void build(const std::vector<Vec3d>& position, const std::vector<Mat3d>& filter);
  /// Estimates lambda_max of the finest level's D^-1 K by a power iteration. Contacts with
  /// their own row do not raise it, so a matrix without contacts suffices.
  /// @param K  see set_matrix(), which must follow
  /// @param direction  initial vector, in and out; empty: none
  void estimate_lambda_max(const BlockMatrix& K, std::vector<Vec3d>* direction);
  /// Raises lambda_max of the finest level, for contacts that share rows; it smooths less then.
  void raise_lambda_max(double factor) { levels_[0].lambda_max *= factor; }

  /// State of build() and estimate_lambda_max() as numbers.
  std::vector<double> saved() const;
  /// Restores a state; requires set_topology(). @return false if it does not fit the rows
  bool restore(const std::vector<double>& numbers);

  /// Computes z = one cycle for r: symmetric, positive definite. Requires build().
  void cycle(const std::vector<Vec3d>& r, std::vector<Vec3d>* z);
  /// Multiply-adds of all work so far.
  double multiply_adds() const { return multiply_adds_; }
  /// Adds the work of cycles and products on a device.
  void count(int n_cycle, int n_product);
  /// Increases whenever the coarse levels or their rows are rebuilt.
  int version() const { return version_; }
  /// Constant input of a cycle on a level, for hierarchies without cables; no values on the finest.
  struct Constants {
    const AggregateLevel& rows;
    const std::vector<std::int32_t>& segment;
    const std::vector<std::int64_t>& inverse_begin;
    std::size_t n_inverse;  ///< number of entries of all groups' inverses
    const std::vector<float>& inverse;
    const std::vector<Prolongation<float>>& prolongation;
    const SlicedRows &K, &dense_inverse;
    bool is_smoothed;
    double lambda_max;
  };
  Constants constants(int l) const;
  /// Launch arrays of a cycle per level, and of build() for level l, until the next matrix.
  std::vector<MultigridLevel> levels(const std::vector<Vec3d>& r, std::vector<Vec3d>* z);
  MultigridBuild build_arrays(int l);
  /// Sizes of the levels; no groups if a level is not smoothed.
  const std::vector<LevelSize>& sizes() const { return sizes_; }
  int n_level() const { return static_cast<int>(levels_.size()); }

 private:
  struct Level {
    BlockMatrix own_K;  ///< matrix of a coarse level
    const BlockMatrix* K = nullptr;
    Coarsening coarsening;                          ///< to the next level
    std::shared_ptr<const BlockPattern> coarsened;  ///< fine pattern of the coarsening
    std::vector<Prolongation<double>> prolongation;
    std::vector<Prolongation<float>> rounded_prolongation;
    std::vector<Vec3d> centre;   ///< centres of the aggregates [m]
    std::vector<double> length;  ///< lengths of the aggregates [m]
    std::vector<std::int64_t> inverse_begin;
    std::vector<double> inverse;
    SlicedRows rounded_K;
    std::vector<float> rounded_inverse;
    std::vector<std::int32_t> segment;    ///< [n_group] index in the plan of cables, or -1
    std::vector<Body> cable;              ///< rows of the level
    std::vector<std::int32_t> cable_row;  ///< rows of all cables
    std::shared_ptr<const BlockPattern> of_cables;  ///< pattern of the plan of cables
    ChainArrays cables;
    SlicedRows dense_inverse;    ///< of the coarsest level, if it is not smoothed
    bool is_eliminated = false;  ///< with long cables, instead of dense_inverse
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
