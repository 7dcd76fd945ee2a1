/// One environment in relative coordinates:  K y = T^T b + J^T lambda,  u = J y + phi.
#pragma once

#include <optional>

#include "host/solvers/linear/row_vectors.hpp"
#include "host/solvers/newton/relative_coordinates.hpp"
#include "kernels/contact/contact_update.hpp"
#include "kernels/cpu/isa.hpp"

namespace nodia {

struct RelativeSystem {
  /// @param problem  has one environment; kept by reference
  /// @param weight   [n_contact] last normal force [N]; may be empty
  /// @param threads  see ExecutionOptions::threads
  RelativeSystem(const ContactProblem& problem, const std::vector<double>& weight, int threads = 1);

  RelativeSystem(const RelativeSystem&) = delete;
  RelativeSystem& operator=(const RelativeSystem&) = delete;

  int n_row() const { return problem.n_node(); }
  int n_contact() const { return problem.n_contact(); }
  /// Contact velocity of the given motion, without phi [m/s].
  Vec3d relative_velocity(int m, const std::vector<Vec3d>& y) const {
    Vec3d u{};
    for (const ContactPart* e = relative.begin(m); e != relative.end(m); ++e) u += e->J * y[e->row];
    return u;
  }
  /// u of contact m [m/s].
  Vec3d velocity(int m, const std::vector<Vec3d>& y) const {
    return relative_velocity(m, y) + problem.contacts[m].phi;
  }
  /// f += J_m^T lambda
  void add_force(int m, Vec3d lambda, std::vector<Vec3d>* f) const {
    for (const ContactPart* e = relative.begin(m); e != relative.end(m); ++e)
      (*f)[e->row] += transpose_times(e->J, lambda);
  }
  /// Threads of every launch.
  int n_thread() const { return n_thread_; }
  /// Computes K x and counts the product.
  void multiply(const std::vector<Vec3d>& x, std::vector<Vec3d>* product) const;
  int n_product() const { return n_product_; }
  /// Counts products of other code.
  void count_products(int n) const { n_product_ += n; }
  double multiply_adds_of_product() const { return 9.0 * K.pattern->n_block(); }
  /// K y - T^T b [N]
  void gradient(const std::vector<Vec3d>& y, std::vector<Vec3d>* g) const;

  const ContactProblem& problem;
  RelativeCoordinates relative;
  std::optional<BlockMatrix> transformed;  ///< K, if it is not A
  const BlockMatrix& K;  ///< T^T A T, its pattern contains every contact's rows [kg/s]
  std::vector<Vec3d> b;  ///< T^T b [N]

 private:
  CpuIsa isa_ = chosen_isa();
  int n_thread_;
  mutable int n_product_ = 0;
};

}  // namespace nodia
