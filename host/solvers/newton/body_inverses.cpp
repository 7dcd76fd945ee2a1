#include "host/solvers/newton/body_inverses.hpp"

#include <algorithm>

#include "fem/matrix/eigen_block.hpp"

namespace nodia {

BodyInverses::BodyInverses(const Topology& topology, const BlockMatrix& matrix)
    : topology_(topology), matrix_(matrix), body_of_(static_cast<std::size_t>(matrix.n_row()), -1) {
  const std::vector<Body>& bodies = topology.bodies;
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (is_dense(bodies[k].kind))
      std::fill_n(body_of_.begin() + bodies[k].first_row, bodies[k].n_row, static_cast<int>(k));
  factor_.resize(bodies.size());
}

Eigen::Matrix3d BodyInverses::compliance(const ContactPart* begin, const ContactPart* end) {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (const ContactPart* e = begin; e != end;) {
    const int body = body_of_[e->row];
    if (body < 0) {
      const Mat3d D = inverse(matrix_.block(matrix_.pattern->diagonal[e->row]));
      sum += to_eigen(e->J * (D * transpose(e->J)));
      ++e;
      continue;
    }
    const Eigen::MatrixXd Jt = transposed_rows(&e, end);
    sum += Jt.transpose() * factor(body).solve(Jt);
  }
  return sum;
}

void BodyInverses::solve(std::vector<Vec3d>* f) {
  for (std::size_t k = 0; k < topology_.bodies.size(); ++k) {
    const Body& body = topology_.bodies[k];
    Eigen::Map<Eigen::VectorXd> x(&(*f)[body.first_row].x, 3 * body.n_row);
    factor(static_cast<int>(k)).solveInPlace(x);
  }
}

Eigen::MatrixXd BodyInverses::transposed_rows(const ContactPart** part,
                                              const ContactPart* end) const {
  const int body = body_of_[(*part)->row];
  const Body& of = topology_.bodies[body];
  Eigen::MatrixXd Jt = Eigen::MatrixXd::Zero(3 * of.n_row, 3);
  for (; *part != end && body_of_[(*part)->row] == body; ++*part)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) Jt(3 * ((*part)->row - of.first_row) + b, a) = (*part)->J(a, b);
  return Jt;
}

const Eigen::LLT<Eigen::MatrixXd>& BodyInverses::factor(int body) {
  std::optional<Eigen::LLT<Eigen::MatrixXd>>& llt = factor_[body];
  if (llt) return *llt;
  const Body& of = topology_.bodies[body];
  Eigen::MatrixXd block = Eigen::MatrixXd::Zero(3 * of.n_row, 3 * of.n_row);
  const BlockPattern& pattern = *matrix_.pattern;
  for (int i = 0; i < of.n_row; ++i)
    for (int j = 0; j < of.n_row; ++j) {
      const int k = pattern.find(of.first_row + i, of.first_row + j);
      if (k < 0) continue;
      const Mat3d value = matrix_.block(k);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) block(3 * i + a, 3 * j + b) = value(a, b);
    }
  return llt.emplace(block);
}

}  // namespace nodia
