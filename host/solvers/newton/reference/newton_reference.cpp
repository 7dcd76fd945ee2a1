#include "host/solvers/newton/reference/newton_reference.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "fem/matrix/eigen_block.hpp"
#include "fem/matrix/symmetric_eigen.hpp"
#include "host/problem/contact_jacobian.hpp"
#include "host/solvers/newton/body_balance.hpp"
#include "host/solvers/newton/rest.hpp"
#include "host/solvers/solve_by_environment.hpp"
#include "kernels/contact/contact_update.hpp"
#include "kernels/contact/tangent.hpp"

namespace nodia {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

constexpr int kSmoothings = 2, kMaxSweeps = 20, kBisections = 14, kPowerIterations = 100;
constexpr double kGuard = 1.05, kPenalty = 100, kSweepTolerance = 1e-4;
constexpr double kInPiles = 1e4;
constexpr double kFlat = 1e-3, kWholeStep = 0.9, kInnerShare = 0.2;

Eigen::Vector3d column(Vec3d a) {
  return {a.x, a.y, a.z};
}

double largest_eigenvalue(const MatrixXd& symmetric) {
  return symmetric_eigenvalues(symmetric).values.maxCoeff();
}

/// The problem as dense matrices, with the classes of rows and contacts.
struct Dense {
  Dense(const ContactProblem& problem, const VectorXd& lambda)
      : p(problem), n(problem.n_node()), Jc(contact_jacobian(problem)) {
    smoothed.assign(n, true);
    for (const Body& body : p.topology[0]->bodies)
      if (is_dense(body.kind)) std::fill_n(smoothed.begin() + body.first_row, body.n_row, false);
    set_relative_coordinates(lambda);
    const Eigen::SparseMatrix<double> sparse_T = T.sparseView();
    K = sparse_T.transpose() * problem.A.to_eigen() * sparse_T;
    b = T.transpose() * stacked(p.b);
    const MatrixXd dense_J = Jc * sparse_T;
    J = dense_J.sparseView();
    phi = contact_offset(p);
    classify(dense_J);
    set_step_sizes(dense_J);
  }

  bool touches(const MatrixXd& jacobian, int m, int row) const {
    return !jacobian.block<3, 3>(3 * m, 3 * row).isZero(0);
  }

  /// v = T y: v_i = y_i + sum X_e v_e for a row i with a contact to sum X_e v_e without slaves.
  void set_relative_coordinates(const VectorXd& lambda) {
    const auto weight = [&](int m) { return lambda[3 * m]; };
    std::vector<bool> free_row(n, true), slave(n, false);
    std::vector<int> order;
    for (int m = 0; m < p.n_contact(); ++m)
      if (p.contacts[m].side_j != kWorld)
        order.push_back(m);
      else if (!p.is_point(p.contacts[m].side_i) && weight(m) > 0)
        free_row[p.contacts[m].side_i] = false;
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int c) { return weight(a) > weight(c); });
    T = MatrixXd::Identity(3 * n, 3 * n);
    for (const int m : order)
      for (const int own : {p.contacts[m].side_i, p.contacts[m].side_j}) {
        if (p.is_point(own) || !free_row[own]) continue;
        const Matrix3d R = Jc.block<3, 3>(3 * m, 3 * own);
        bool may = (R * R.transpose()).isIdentity(1e-12);
        for (int e = 0; e < n; ++e)
          if (e != own && touches(Jc, m, e)) may = may && !slave[e];
        if (!may) continue;
        slave[own] = true;
        free_row[own] = false;
        for (int e = 0; e < n; ++e)
          if (e != own && touches(Jc, m, e)) {
            free_row[e] = false;
            T.block<3, 3>(3 * own, 3 * e) = -R.transpose() * Jc.block<3, 3>(3 * m, 3 * e);
          }
        break;
      }
  }

  void classify(const MatrixXd& dense_J) {
    std::vector<int> touching(n, 0);
    for (int m = 0; m < p.n_contact(); ++m)
      for (int i = 0; i < n; ++i) touching[i] += touches(dense_J, m, i);
    for (int m = 0; m < p.n_contact(); ++m) {
      std::vector<int> rows;
      for (int i = 0; i < n; ++i)
        if (touches(dense_J, m, i)) rows.push_back(i);
      const bool nodal =
          std::any_of(rows.begin(), rows.end(), [&](int i) { return bool(smoothed[i]); });
      const bool whole = rows.size() == 1 && touching[rows[0]] == 1 &&
                         (dense_J.block<3, 3>(3 * m, 3 * rows[0]) *
                          dense_J.block<3, 3>(3 * m, 3 * rows[0]).transpose())
                             .isIdentity(1e-12);
      if (!nodal)
        rigid.push_back(m);
      else if (whole)
        single.push_back(m);
      else
        coupled.push_back(m);
    }
  }

  /// W = omega 3/tr(D) on rows with contacts, omega D^-1 on others, 0 on bodies; gamma = omega
  /// times the largest eigenvalue of J W J^T, for rigid contacts by the inverses of the bodies.
  void set_step_sizes(const MatrixXd& dense_J) {
    MatrixXd nodes = MatrixXd::Zero(3 * n, 3 * n), bodies = nodes;
    for (const Body& body : p.topology[0]->bodies) {
      const int first = 3 * body.first_row, size = 3 * body.n_row;
      if (is_dense(body.kind))
        bodies.block(first, first, size, size) = K.block(first, first, size, size).inverse();
    }
    for (int i = 0; i < n; ++i) {
      if (!smoothed[i]) continue;
      const Matrix3d D = K.block<3, 3>(3 * i, 3 * i);
      const bool touched = !dense_J.middleCols<3>(3 * i).isZero(0);
      nodes.block<3, 3>(3 * i, 3 * i) =
          touched ? Matrix3d(3 / D.trace() * Matrix3d::Identity()) : Matrix3d(D.inverse());
    }
    W = nodes.sparseView();
    const Rows of_bodies = bodies.sparseView();
    const double lambda_max = largest_eigenvalue_of_product();
    const double omega = lambda_max > 0 ? 1 / (kGuard * lambda_max) : 1;
    gamma.resize(p.n_contact());
    compliance.resize(p.n_contact());
    softer.resize(p.n_contact());
    for (int m = 0; m < p.n_contact(); ++m) {
      const bool is_rigid = std::find(rigid.begin(), rigid.end(), m) != rigid.end();
      const Rows Jm = J.middleRows(3 * m, 3);
      gamma[m] = largest_eigenvalue(MatrixXd(Jm * (is_rigid ? of_bodies : W) * Jm.transpose()));
      compliance[m] = softer[m] = gamma[m];
      gamma[m] *= is_rigid ? 1 : omega;
      double both_sides = 0;  // sum of tr(J J^T)/tr(A_ii) over the rows of both sides
      for (int i = 0; i < n && !is_rigid; ++i)
        both_sides += Jc.block<3, 3>(3 * m, 3 * i).squaredNorm() /
                      to_eigen(p.A.block(p.A.pattern->diagonal[i])).trace();
      softer[m] = std::max(softer[m], both_sides);
    }
    W *= omega;
  }

  /// lambda_max(W K) by power iterations with the quotient x.Kx/x.W^-1 x.
  double largest_eigenvalue_of_product() const {
    VectorXd x = W * VectorXd::LinSpaced(3 * n, -1, 2);
    double lambda_max = 0;
    for (int k = 0; k < kPowerIterations && !x.isZero(0); ++k) {
      const VectorXd z = K * x, Wz = W * z;
      lambda_max = z.dot(Wz) / x.dot(z);
      x = Wz.normalized();
    }
    return lambda_max;
  }

  const ContactProblem& p;
  int n;
  MatrixXd Jc, T, K;
  Rows J, W;
  VectorXd b, phi;
  std::vector<bool> smoothed;               ///< rows of soft bodies and cables
  std::vector<int> single, coupled, rigid;  ///< contacts
  std::vector<double> gamma;                ///< of the smoothing
  std::vector<double> compliance;           ///< without omega
  std::vector<double> softer;               ///< of the penalties
};

/// Solve of one environment.
class Iteration {
 public:
  Iteration(const ContactProblem& problem, const SolverOptions& options, const VectorXd& v,
            VectorXd f)
      : options_(options),
        d_(problem, f),
        balance_(problem, split(v), split(stacked(problem.b) - problem.A.to_eigen() * v)),
        lambda(std::move(f)) {
    y = 2 * v - d_.T * v;  // T^-1 v: no master is a slave, (T - 1)^2 = 0
    load_.assign(d_.gamma.size(), 0);
    penalty_.assign(d_.gamma.size(), 0);
  }

  void run(SolveReport* report) {
    report->status = SolveStatus::iteration_limit;
    for (int k = 0;; ++k) {
      for (int s = 0; s < kSmoothings; ++s) smooth();
      linearise();
      if (k > 0) {
        const double decrement = std::sqrt(std::max(residual().dot(step_.solve(residual())), 0.0));
        const double change = force_change();
        const double scale = std::sqrt(y.dot(d_.K * y));
        const double error = std::max({decrement, change, sweep_change_, error_of_forces()});
        const double worst = error_of_worst_body();
        report->error_estimate = std::max(error / scale, worst);
        if (error <= options_.tolerance * scale && worst <= options_.tolerance) {
          report->status = SolveStatus::converged;
          return;
        }
        if (decrement < kInnerShare * change) {
          update_multipliers();
          linearise();
        }
      }
      if (k >= options_.max_iterations) return;
      factorise();
      const VectorXd direction = step_.solve(residual());  // (K + J^T G J) dy = J^T f - (K y - b)
      const double a = line_search(direction);
      y += a * direction;
      if (a > kWholeStep) update_multipliers();
      report->iterations = k + 1;
    }
  }

  VectorXd velocity() const { return d_.T * y; }

 private:
  Vec3d u(int m, const VectorXd& at) const {
    return entry(d_.J.middleRows(3 * m, 3) * at + d_.phi.segment<3>(3 * m), 0);
  }
  Vec3d solved_contact(int m, Vec3d from) const {
    return contact_update(law_of(options_.projection, d_.p.contacts[m]), from, u(m, y), d_.gamma[m],
                          0.0);
  }
  void push(int m, Vec3d force) {
    y += d_.W * (d_.J.middleRows(3 * m, 3).transpose() * column(force));
  }
  void set(int m, Vec3d force) { lambda.segment<3>(3 * m) = column(force); }

  /// y* = y - W (K y - b), then single contacts at once, and coupled ones in sweeps.
  void smooth() {
    y -= d_.W * (d_.K * y - d_.b);
    for (const int m : d_.single) {
      set(m, solved_contact(m, Vec3d{}));
      push(m, entry(lambda, m));
    }
    const VectorXd before = lambda;
    for (const int m : d_.coupled) push(m, entry(lambda, m));
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
      double change = 0, size = 0;
      for (const int m : d_.coupled) {
        const Vec3d force = solved_contact(m, entry(lambda, m));
        const Vec3d step = force - entry(lambda, m);
        push(m, step);
        set(m, force);
        change += d_.gamma[m] * squared_norm(step);
        size += d_.gamma[m] * squared_norm(force);
      }
      if (change <= kSweepTolerance * kSweepTolerance * size) break;
    }
    sweep_change_ = 0;
    for (const int m : d_.coupled)
      sweep_change_ += d_.gamma[m] * squared_norm(entry(lambda, m) - entry(before, m));
    sweep_change_ = std::sqrt(sweep_change_);
  }

  /// P and its slope at a trial force; the strict law has a held section.
  ContactTangent tangent(int m, Vec3d trial, double section) const {
    const Contact<double>& c = d_.p.contacts[m];
    return options_.projection == Projection::strict ? strict_tangent(trial, section, c.mu1, c.mu2)
                                                     : proximal_tangent(trial, c.mu1, c.mu2);
  }
  Vec3d trial(int m, const VectorXd& at) const {  // tau = lambda - r u
    return entry(lambda, m) - penalty_[m] * u(m, at);
  }
  /// r = 100/compliance; in piles 1e4/compliance, or 100 max(1/compliance, lambda_n/v_0) if masses
  /// differ by more than 500, never lowered.
  void set_penalties() {
    const auto touches = [&](int m) { return d_.p.contacts[m].side_j != kWorld; };
    const bool smooths =
        std::find(d_.smoothed.begin(), d_.smoothed.end(), true) != d_.smoothed.end();
    const bool is_pile = std::any_of(d_.rigid.begin(), d_.rigid.end(), touches);
    const bool by_load = !smooths && balance_.has_unequal_masses();
    for (int m = 0; m < d_.p.n_contact(); ++m)
      penalty_[m] = d_.softer[m] > 0 ? kPenalty / d_.softer[m] : 0;
    for (const int m : d_.rigid) {
      if (balance_.speed(m) > 0)
        load_[m] = std::max(load_[m],
                            std::min(lambda[3 * m] / balance_.speed(m), balance_.largest_load(m)));
      if (by_load)
        penalty_[m] = std::max(penalty_[m], kPenalty * load_[m]);
      else if (is_pile)
        penalty_[m] *= kInPiles / kPenalty;
    }
  }
  void linearise() {
    set_penalties();
    law_.clear();
    for (int m = 0; m < d_.p.n_contact(); ++m)
      law_.push_back(tangent(m, trial(m, y), std::max(trial(m, y).x, 0.0)));
  }
  VectorXd residual() const {  // J^T f - (K y - b)
    VectorXd r = d_.b - d_.K * y;
    for (int m = 0; m < d_.p.n_contact(); ++m)
      r += d_.J.middleRows(3 * m, 3).transpose() * column(law_[m].force);
    return r;
  }
  void factorise() {
    std::vector<Eigen::Triplet<double>> entries;
    for (int m = 0; m < d_.p.n_contact(); ++m)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          entries.emplace_back(3 * m + i, 3 * m + j, penalty_[m] * law_[m].slope(i, j));
    Rows G(d_.J.rows(), d_.J.rows());
    G.setFromTriplets(entries.begin(), entries.end());
    step_.compute(d_.K + MatrixXd(d_.J.transpose() * G * d_.J));
    factorised_ = law_;
  }
  /// Step length of the smallest augmented energy, for held sections.
  double line_search(const VectorXd& direction) const {
    std::vector<double> section;
    for (int m = 0; m < d_.p.n_contact(); ++m) section.push_back(std::max(trial(m, y).x, 0.0));
    const auto slope = [&](double a) {
      const VectorXd at = y + a * direction;
      double sum = direction.dot(d_.K * at - d_.b);
      for (int m = 0; m < d_.p.n_contact(); ++m)
        sum -= column(tangent(m, trial(m, at), section[m]).force)
                   .dot(d_.J.middleRows(3 * m, 3) * direction);
      return sum;
    };
    const double flat = kFlat * std::fabs(slope(0));
    if (slope(1) <= flat) return 1;
    double low = 0, high = 1;
    for (int k = 0; k < kBisections; ++k) {
      const double middle = (low + high) / 2, value = slope(middle);
      if (std::fabs(value) <= flat) return middle;
      (value < 0 ? low : high) = middle;
    }
    return low > 0 ? low : high;
  }
  void update_multipliers() {
    for (const std::vector<int>* contacts : {&d_.coupled, &d_.rigid})
      for (const int m : *contacts) {
        const Contact<double>& c = d_.p.contacts[m];
        set(m, project(options_.projection, trial(m, y), c.mu1, c.mu2));
      }
  }

  /// Change by the multipliers and by contacts whose state differs from the factor's.
  double force_change() const {
    double inconsistent = 0, changed = 0;
    const auto compliance = [&](int m) { return d_.compliance[m]; };
    for (const std::vector<int>* contacts : {&d_.coupled, &d_.rigid})
      for (const int m : *contacts) {
        const Contact<double>& c = d_.p.contacts[m];
        const Vec3d natural = contact_update(law_of(options_.projection, c), entry(lambda, m),
                                             u(m, y), compliance(m), 0.0);
        inconsistent += compliance(m) * squared_norm(natural - entry(lambda, m));
      }
    for (int m = 0; m < d_.p.n_contact(); ++m)
      if (law_[m].state != factorised_[m].state)
        changed += compliance(m) * squared_norm(law_[m].force - factorised_[m].force);
    return std::sqrt(std::max(inconsistent, changed));
  }
  /// |K^-1 (b + J^T lambda - K y) - d|, with d the next step.
  double error_of_forces() const {
    const VectorXd e =
        d_.K.llt().solve(d_.b + d_.J.transpose() * lambda) - y - step_.solve(residual());
    return std::sqrt(e.dot(d_.K * e));
  }

  double error_of_worst_body() const {
    const VectorXd residual = d_.p.A.to_eigen() * velocity() - stacked(d_.p.b) -
                              Eigen::SparseMatrix<double>(d_.Jc.sparseView()).transpose() * lambda;
    return balance_.worst(options_, split(velocity()), split(lambda), split(residual)).share;
  }

  const SolverOptions& options_;
  Dense d_;
  BodyBalance balance_;
  std::vector<double> load_, penalty_;
  std::vector<ContactTangent> law_, factorised_;
  Eigen::LLT<MatrixXd> step_;
  double sweep_change_ = 0;

 public:
  VectorXd y, lambda;
};

class NewtonReference final : public ContactSolver {
 public:
  explicit NewtonReference(SolverOptions options) : options_(std::move(options)) {
    if (options_.invertible_omega_m_Ns != 0)
      throw_bad_value("solver.invertible_omega_m_Ns", options_.invertible_omega_m_Ns,
                      "0 with newton_reference", "newton takes it");
  }

  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) override {
    solve_by_environment(
        problem, warm, options_, out,
        [this](int, const ContactProblem& own, const VelocityAndForce& start,
               VelocityAndForce* solution, SolveReport* report) {
          if (const auto rest = find_rest(own, options_, start); rest && rest->is_balanced)
            return take_rest(*rest, start, solution, report);
          const auto or_zero = [](const VectorXd& x, std::size_t n) {
            return x.size() > 0 ? x : VectorXd::Zero(static_cast<Eigen::Index>(3 * n)).eval();
          };
          Iteration iteration(own, options_, or_zero(start.v, own.b.size()),
                              or_zero(start.lambda, own.contacts.size()));
          iteration.run(report);
          *solution = {iteration.velocity(), iteration.lambda};
        });
  }

 private:
  SolverOptions options_;
};

}  // namespace

std::unique_ptr<ContactSolver> make_newton_reference_solver(const SolverOptions& options) {
  return std::make_unique<NewtonReference>(options);
}

}  // namespace nodia
