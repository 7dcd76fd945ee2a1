#include "host/solvers/proximal_newton/block_gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/contact/law.hpp"

namespace nodia {
namespace {

constexpr int kProjections = 5;

}  // namespace

void sweep(const LocalProblem& p, Eigen::VectorXd* lambda, Eigen::VectorXd* u) {
  for (int m = 0; m < p.n_contact(); ++m) {
    const Eigen::Matrix3d& own = p.W.own(m);
    const double normal = own(0, 0);
    const double tangent =
        std::max(own(1, 1), own(2, 2)) + std::max(std::fabs(own(1, 2)), std::fabs(own(2, 1)));
    if (!(normal > 0) || !(tangent > 0)) continue;
    const Eigen::Vector3d before = lambda->segment<3>(3 * m);
    Eigen::Vector3d force = before, velocity = u->segment<3>(3 * m);
    for (int k = 0; k < kProjections; ++k) {
      const double pressed = std::max(force[0] - velocity[0] / normal, 0.0);
      velocity += own.col(0) * (pressed - force[0]);
      const Vec3d next =
          project(Projection::strict,
                  {pressed, force[1] - velocity[1] / tangent, force[2] - velocity[2] / tangent},
                  p.mu1[m], p.mu2[m]);
      const Eigen::Vector2d slide(next.y - force[1], next.z - force[2]);
      velocity += own.rightCols<2>() * slide;
      force = {pressed, next.y, next.z};
    }
    const Eigen::Vector3d change = force - before;
    if ((change.array() == 0).all()) continue;
    lambda->segment<3>(3 * m) = force;
    p.W.add_column(m, change, u);
  }
}

}  // namespace nodia
