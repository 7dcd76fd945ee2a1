/// Random contact problems with everything a solver may meet: several environments, contacts with
/// the world and between nodes, several contacts on a node, friction from none to anisotropic,
/// general phi.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "host/problem/contact_problem.hpp"

namespace nodia {

struct RandomProblemOptions {
  unsigned seed = 1;
  int n_env = 1;
  int n_node = 12;             ///< an environment
  int n_world_contact = 4;     ///< an environment
  int n_pair_contact = 2;      ///< an environment, needs n_node >= 2
  int n_body = 0;              ///< an environment: rigid bodies, two rows each after the nodes
  int n_body_contact = 0;      ///< a body: with the world and with nodes in turn
  int n_triangle_contact = 0;  ///< an environment: a point inside three nodes, with the world and
                               ///< with nodes in turn
  int n_link = 0;              ///< of the first chain, two rows each after the bodies; every third
                               ///< link in a contact on its row, every fourth at a point
  int n_chain = 1;  ///< an environment, where n_link > 0: each a link longer than the one before
  bool distinct_nodes = false;  ///< no node in two contacts: n_node >= n_world + 2 n_pair_contact
  bool anisotropic = false;     ///< mu1 != mu2
  double stiffness = 30;        ///< of the couplings, relative to M/(theta t)
  double theta = 1;
};

namespace random_problem_detail {

class Generator {
 public:
  explicit Generator(const RandomProblemOptions& options)
      : options_(options), engine_(options.seed) {}

  ContactProblem operator()() {
    ContactProblem p;
    p.theta = options_.theta;
    p.step_s = 0.01;
    std::vector<std::pair<std::int32_t, std::int32_t>> couplings;
    std::vector<Body> bodies;
    const int rows = first_row_of_chain(options_.n_chain);  // of an environment
    for (int e = 0; e < options_.n_env; ++e) {
      add_couplings(e * rows, &couplings);
      for (int body = 0; body < options_.n_body; ++body)
        bodies.push_back({BodyKind::rigid, e * rows + options_.n_node + 2 * body, 2});
      for (int c = 0; c < options_.n_chain && options_.n_link > 0; ++c)
        bodies.push_back(
            {BodyKind::chain, e * rows + first_row_of_chain(c), 2 * (options_.n_link + c)});
    }
    for (const Body& body : bodies)
      for (int k = 0; k < body.n_row; k += 2) {
        const int row = body.first_row + k;
        couplings.emplace_back(row, row + 1);
        if (k > 0)
          for (int r = 0; r < 4; ++r) couplings.emplace_back(row + r % 2, row - 2 + r / 2);
      }
    const int n = options_.n_env * rows;
    p.A = BlockMatrix(BlockPattern::from_couplings(n, couplings));
    for (int i = 0; i < n; ++i) {
      feasible_.push_back(vector());
      p.mass.push_back(uniform(0.5, 2));
      add_block(i, i, p.mass.back() / (p.theta * p.step_s) * Mat3d::identity(), &p.A);
      p.b.push_back(p.mass.back() / p.step_s * vector());
    }
    for (const auto& [i, j] : couplings) add_spring(i, j, &p.A);
    for (int e = 0; e < options_.n_env; ++e) {
      add_contacts(e * rows, &p.contacts);
      add_point_contacts(e * rows, &p);
      if (p.points.size() > 0) p.env_point_begin.resize(e + 1, 0);
      if (p.points.size() > 0) p.env_point_begin.push_back(p.points.size());
      p.env_node_begin.push_back((e + 1) * rows);
      p.env_contact_begin.push_back(static_cast<std::int32_t>(p.contacts.size()));
    }
    p.derive_topology(bodies);
    return p;
  }

 private:
  int first_row_of_chain(int c) const {
    const int before = options_.n_link > 0 ? c * options_.n_link + c * (c - 1) / 2 : 0;
    return options_.n_node + 2 * (options_.n_body + before);
  }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double friction(bool rough) { return rough ? uniform(1, 3) : uniform(0.1, 0.8); }
  int index(int end) { return std::uniform_int_distribution<int>(0, end - 1)(engine_); }
  Vec3d vector() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
  Vec3d direction() {
    Vec3d d = vector();
    while (norm(d) < 0.1) d = vector();
    return (1 / norm(d)) * d;
  }

  static void add_block(int i, int j, const Mat3d& m, BlockMatrix* A) {
    const int k = A->pattern->find(i, j);
    A->set_block(k, A->block(k) + m);
  }

  /// A chain, so that the graph is connected, and as many random pairs again.
  void add_couplings(int first, std::vector<std::pair<std::int32_t, std::int32_t>>* couplings) {
    const int n = options_.n_node;
    for (int i = 0; i + 1 < n; ++i) couplings->emplace_back(first + i, first + i + 1);
    for (int k = 0; k < n && n > 1; ++k) {
      const int i = index(n), j = index(n);
      if (i != j) couplings->emplace_back(first + i, first + j);
    }
  }

  /// Positive semi-definite B^T B with B = [G, -H], G and H random and close to each other, as in
  /// elasticity.
  void add_spring(int i, int j, BlockMatrix* A) {
    const double gain = options_.stiffness / 0.01;
    Mat3d g, h;
    for (int k = 0; k < 3; ++k) {
      g.row[k] = vector();
      h.row[k] = g.row[k] + 0.1 * vector();
    }
    add_block(i, i, gain * (transpose(g) * g), A);
    add_block(j, j, gain * (transpose(h) * h), A);
    const Mat3d coupling = -gain * (transpose(g) * h);
    add_block(i, j, coupling, A);
    add_block(j, i, transpose(coupling), A);
  }

  /// Contacts of bodies and of points inside three nodes.
  void add_point_contacts(int first, ContactProblem* p) {
    const auto add = [&](int k) {
      const int point = p->n_node() + p->points.finish();
      feasible_.resize(static_cast<std::size_t>(point), Vec3d{});
      feasible_.push_back(p->points.velocity(point - p->n_node(), feasible_.data()));
      const int other = k % 2 == 0 ? kWorld : first + index(options_.n_node);
      p->contacts.push_back(k % 4 == 1 ? contact(other, point) : contact(point, other));
    };
    for (int body = 0; body < options_.n_body; ++body) {
      for (int k = 0; k < options_.n_body_contact; ++k) {
        const int row = first + options_.n_node + 2 * body;
        const Vec3d r = vector();
        p->points.add(row, Mat3d::identity());
        p->points.add(row + 1, {{{0, r.z, -r.y}, {-r.z, 0, r.x}, {r.y, -r.x, 0}}});
        add(k);
      }
    }
    const int chain = first + first_row_of_chain(0);
    const int n_link = (first_row_of_chain(options_.n_chain) - first_row_of_chain(0)) / 2;
    for (int k = 0; k < n_link; ++k) {
      const int row = chain + 2 * k;
      if (k % 3 == 0) p->contacts.push_back(contact(row, kWorld));
      if (k % 4 == 1) {
        const Vec3d r = vector();
        p->points.add(row, Mat3d::identity());
        p->points.add(row + 1, {{{0, r.z, -r.y}, {-r.z, 0, r.x}, {r.y, -r.x, 0}}});
        add(k / 4);
      }
    }
    for (int k = 0; k < options_.n_triangle_contact; ++k) {
      std::set<int> corners;
      while (corners.size() < 3) corners.insert(first + index(options_.n_node));
      const double a = uniform(0, 1), b = uniform(0, 1 - a);
      double weight[3] = {a, b, 1 - a - b};
      int corner = 0;
      for (const int row : corners) p->points.add(row, weight[corner++] * Mat3d::identity());
      add(k);
    }
  }

  Contact<double> contact(int side_i, int side_j) {
    Contact<double> c;
    c.side_i = side_i;
    c.side_j = side_j;
    const Vec3d feasible =
        side_j == kWorld ? feasible_[side_i] : feasible_[side_i] - feasible_[side_j];
    Vec3d normal = direction();
    if (dot(normal, feasible) < 0 && index(4) != 0) normal = -normal;  // most contacts close
    c.R = frame_from_normal(normal);
    const bool rough = index(2) == 0;
    c.mu1 = index(8) == 0 ? 0 : friction(rough);
    c.mu2 = options_.anisotropic ? friction(rough) : c.mu1;
    Vec3d u = 0.3 * vector();
    u.x = std::hypot(c.mu1 * u.y, c.mu2 * u.z) + uniform(0.05, 0.3);
    c.phi = u - c.R * feasible;
    c.key = engine_();
    return c;
  }

  void add_contacts(int first, std::vector<Contact<double>>* contacts) {
    std::vector<int> nodes;
    for (int i = 0; i < options_.n_node; ++i) nodes.push_back(first + i);
    std::shuffle(nodes.begin(), nodes.end(), engine_);
    int used = 0;
    const auto next = [&] {
      return options_.distinct_nodes ? nodes[used++] : nodes[index(options_.n_node)];
    };
    for (int k = 0; k < options_.n_world_contact; ++k) contacts->push_back(contact(next(), kWorld));
    for (int k = 0; k < options_.n_pair_contact; ++k) {
      const int i = next();
      int j = next();
      while (j == i) j = next();
      contacts->push_back(contact(i, j));
    }
  }

  RandomProblemOptions options_;
  std::mt19937_64 engine_;
  std::vector<Vec3d> feasible_;  ///< strictly inside all contact conditions: a solution exists
};

}  // namespace random_problem_detail

/// The same problem for the same options.
inline ContactProblem random_problem(const RandomProblemOptions& options) {
  return random_problem_detail::Generator(options)();
}

}  // namespace nodia
