/// A FrameModel with its state: time steps without contacts, and equilibria by two unlike ways.
#pragma once

#include <Eigen/Sparse>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "fem/frames/frame_model.hpp"

namespace nodia::test {

struct FrameSystem {
  FrameModel model;
  std::vector<Vec3d> x;
  std::vector<Quaternion> q;
  std::vector<Vec3d> v;  ///< n_row
  FrameModel::Step step;
  /// External forces and torques, n_row, at the present state; may be empty.
  std::function<void(const FrameSystem&, std::vector<Vec3d>*)> load;
  BlockMatrix A;
  std::vector<Vec3d> b, external, v_hat;
  std::vector<Vec3d> expected;  ///< FrameModel::Step::expected; empty: the velocities of the start

  int add_rod(const std::vector<RodLink>& links, const RodSection& section,
              const RodMaterial& material) {
    for (const RodLink& link : links) {
      x.push_back(link.pose.position);
      q.push_back(link.pose.orientation);
    }
    return model.add_rod(links, section, material);
  }
  int add_body(double mass, const Mat3d& inertia, const FramePose& pose, FrameDrag drag = {}) {
    x.push_back(pose.position);
    q.push_back(pose.orientation);
    return model.add_rigid_body(mass, inertia, drag);
  }
  /// Rear end of the rod's first link clamped to the world where it is.
  int clamp(const RodSection& section, const RodMaterial& material, const RodLink& link, int frame,
            double stiffness_length, RodEnd end = RodEnd::rear) {
    const int world = model.add_prescribed({});
    return model.add_joint(FrameRef::prescribed_frame(world), FrameRef::dynamic_frame(frame),
                           rod_clamp(section, material, {}, link, end, stiffness_length));
  }
  void finish() {
    v.assign(model.n_row(), {});
    v_hat = b = external = v;
    A = BlockMatrix(BlockPattern::from_couplings(model.n_row(), model.couplings(0)));
    model.bind(*A.pattern, 0);
  }

  void assemble() {
    std::fill(A.value.begin(), A.value.end(), 0.0);
    std::fill(b.begin(), b.end(), Vec3d{});
    std::fill(external.begin(), external.end(), Vec3d{});
    if (load) load(*this, &external);
    step.position = x.data();
    step.orientation = q.data();
    step.velocity = v.data();
    step.external = external.data();
    step.expected = expected.empty() ? nullptr : expected.data();
    model.assemble(step, A.value.data(), b.data());
  }
  Eigen::VectorXd flat_b() const {
    Eigen::VectorXd flat(3 * b.size());
    for (std::size_t i = 0; i < b.size(); ++i)
      for (int a = 0; a < 3; ++a) flat[3 * i + a] = b[i][a];
    return flat;
  }
  void solve() {
    assemble();
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(A.to_eigen());
    if (factor.info() != Eigen::Success) throw std::runtime_error("A is not positive definite");
    const Eigen::VectorXd solution = factor.solve(flat_b());
    for (std::size_t i = 0; i < b.size(); ++i)
      v_hat[i] = {solution[3 * i], solution[3 * i + 1], solution[3 * i + 2]};
  }
  void advance() { model.advance(step, v_hat.data(), x.data(), q.data(), v.data()); }
  /// Solves until the motion is the expected one, as run_step() does.
  void one_step() {
    for (int k = 1;; ++k) {
      solve();
      if (k == 16 || model.is_expected(step, v_hat.data())) break;
      if (expected.empty()) expected = v;
      const double share = k < 3 ? 1 : 0.5;
      for (std::size_t i = 0; i < v.size(); ++i) expected[i] += share * (v_hat[i] - expected[i]);
    }
    advance();
    expected.clear();
  }

  /// Forces at rest: b of a system without velocity.
  Eigen::VectorXd rest_force() {
    std::fill(v.begin(), v.end(), Vec3d{});
    assemble();
    return flat_b();
  }
  void move(const Eigen::VectorXd& d) {
    for (std::size_t f = 0; f < x.size(); ++f) {
      x[f] += Vec3d{d[6 * f], d[6 * f + 1], d[6 * f + 2]};
      q[f] = turned(q[f], {d[6 * f + 3], d[6 * f + 4], d[6 * f + 5]}, 1);
    }
  }

  /// Newton on the exact forces of one chain, each frame coupled with its neighbours only, with a
  /// tangent by central differences.
  /// @param length  scale of the positions [m]
  /// @param shift   added to the tangent's angular diagonal: regularises free spins [N m]
  /// @return  number of iterations; throws where 100 are not enough
  int newton(double length, double shift = 0) {
    const int n = 6 * model.n_frame();
    for (int iteration = 1; iteration <= 100; ++iteration) {
      std::vector<Eigen::Triplet<double>> entries;
      const auto x_0 = x;
      const auto q_0 = q;
      for (int color = 0; color < 3; ++color) {
        for (int dof = 0; dof < 6; ++dof) {
          const double h = dof < 3 ? 1e-6 * length : 1e-6;
          Eigen::VectorXd d = Eigen::VectorXd::Zero(n);
          for (int f = color; f < model.n_frame(); f += 3) d[6 * f + dof] = h;
          move(d);
          const Eigen::VectorXd plus = rest_force();
          x = x_0, q = q_0;
          move(-d);
          const Eigen::VectorXd slope = (plus - rest_force()) / (2 * h);
          x = x_0, q = q_0;
          for (int f = color; f < model.n_frame(); f += 3)
            for (int row = std::max(0, 6 * f - 6); row < std::min(n, 6 * f + 12); ++row)
              entries.emplace_back(row, 6 * f + dof, -slope[row]);
        }
      }
      if (shift > 0)
        for (int i = 0; i < n; ++i)
          if (i % 6 >= 3) entries.emplace_back(i, i, shift);
      Eigen::SparseMatrix<double> tangent(n, n);
      tangent.setFromTriplets(entries.begin(), entries.end());
      Eigen::SparseLU<Eigen::SparseMatrix<double>> factor(tangent);
      Eigen::VectorXd d = factor.solve(rest_force());
      double largest = 0;
      for (int i = 0; i < n; ++i)
        largest = std::max(largest, std::fabs(d[i]) / (i % 6 < 3 ? length : 1.0));
      move(largest > 0.3 ? Eigen::VectorXd((0.3 / largest) * d) : d);
      if (largest < 1e-9) return iteration;  // quadratic: the error is far below
    }
    throw std::runtime_error("Newton did not converge");
  }

  /// Pseudo-transient continuation with A: the velocity is forgotten after every step.
  /// @return number of steps until no frame moves by more than 1e-11 (of length, or radians)
  int continuation(double length, int max_step) {
    for (int k = 1; k <= max_step; ++k) {
      std::fill(v.begin(), v.end(), Vec3d{});
      one_step();
      double largest = 0;
      for (std::size_t i = 0; i < v_hat.size(); ++i)
        largest =
            std::max(largest, step.time.step_s * norm(v_hat[i]) / (i % 2 == 0 ? length : 1.0));
      if (largest < 1e-11) {
        std::fill(v.begin(), v.end(), Vec3d{});
        return k;
      }
    }
    throw std::runtime_error("continuation did not converge");
  }

  /// Where point p of a frame is.
  Vec3d point(int frame, Vec3d p) const { return x[frame] + rotate(q[frame], p); }

  Vec3d linear_momentum() const {
    Vec3d p{};
    for (int f = 0; f < model.n_frame(); ++f) p += model.mass_kg(f) * v[2 * f];
    return p;
  }
  /// About the origin.
  Vec3d angular_momentum() const {
    Vec3d L{};
    for (int f = 0; f < model.n_frame(); ++f) {
      const Vec3d W = inverse_rotate(q[f], v[2 * f + 1]);
      L += model.mass_kg(f) * cross(x[f], v[2 * f]) + rotate(q[f], model.inertia_body(f) * W);
    }
    return L;
  }
  double energy() const {
    return model.kinetic_energy(q.data(), v.data()) + model.elastic_energy(x.data(), q.data());
  }
};

/// A dead force at the front end of a link, as external force and torque.
inline void add_end_force(const FrameSystem& s, int frame, double link_length, Vec3d force,
                          std::vector<Vec3d>* external) {
  (*external)[2 * frame] += force;
  (*external)[2 * frame + 1] += cross(rotate(s.q[frame], {0, 0, link_length / 2}), force);
}

}  // namespace nodia::test
