/// Soft blocks of nodes on a lattice, with springs to all neighbours, which press on the ground and
/// on each other; a cable over them.
#pragma once

#include <array>
#include <random>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "kernels/core/rotation.hpp"

namespace nodia::test {

struct LatticeOptions {
  unsigned seed = 1;
  std::vector<std::array<int, 3>> blocks{{4, 4, 4}};  ///< nodes along each axis, each over the last
  int n_rigid = 0;      ///< rigid bodies, a point of each on a node of the last block's top
  int n_robot_row = 0;  ///< rows of a robot, likewise
  int n_link = 0;       ///< of a cable, on the nodes of the last block's top as far as they go
  double stiffness_N_m = 1e4;    ///< of a spring
  double cable_stiffness = 1e4;  ///< along, over that against bending
  double friction = 0.5;
  bool contacts = true;
};

/// theta = 1. The ground is under the first block; the bottom nodes of every other block lie on top
/// nodes of the one below.
inline ContactProblem lattice_problem(const LatticeOptions& options) {
  std::mt19937_64 engine(options.seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random = [&] { return Vec3d{uniform(engine), uniform(engine), uniform(engine)}; };
  ContactProblem p;
  const double t = p.step_s, mass = 0.01, spacing = 0.01;
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings;
  std::vector<Body> bodies;
  std::vector<std::pair<std::int32_t, std::int32_t>> springs;
  std::vector<std::vector<std::int32_t>> bottom, top;
  double height = 0;
  for (const auto& n : options.blocks) {
    const auto first = static_cast<std::int32_t>(p.position.size());
    const auto node = [&](int x, int y, int z) { return first + (z * n[1] + y) * n[0] + x; };
    bodies.push_back({BodyKind::soft, first, n[0] * n[1] * n[2]});
    bottom.emplace_back();
    top.emplace_back();
    for (int z = 0; z < n[2]; ++z)
      for (int y = 0; y < n[1]; ++y)
        for (int x = 0; x < n[0]; ++x) {
          p.position.push_back(spacing * Vec3d{double(x), double(y), height + z});
          p.position.back() += 0.1 * spacing * random();
          if (z == 0) bottom.back().push_back(node(x, y, z));
          if (z == n[2] - 1) top.back().push_back(node(x, y, z));
          for (int dz = 0; dz < 2; ++dz)
            for (int dy = -1; dy < 2; ++dy)
              for (int dx = -1; dx < 2; ++dx) {
                const bool ahead = dz > 0 || dy > 0 || (dy == 0 && dx > 0);
                const int X = x + dx, Y = y + dy, Z = z + dz;
                if (ahead && X >= 0 && X < n[0] && Y >= 0 && Y < n[1] && Z < n[2])
                  springs.emplace_back(node(x, y, z), node(X, Y, Z));
              }
        }
    height += n[2];
  }
  couplings = springs;
  const auto add_body = [&](BodyKind kind, int n_row) {
    const auto first = static_cast<std::int32_t>(p.position.size());
    bodies.push_back({kind, first, n_row});
    for (int i = 0; i < n_row; ++i) {
      p.position.push_back(kind == BodyKind::rigid ? Vec3d{0, 0, spacing * height} : Vec3d{});
      for (int j = 0; j < i; ++j) couplings.emplace_back(first + i, first + j);
    }
    return first;
  };
  std::vector<std::int32_t> dense;
  for (int k = 0; k < options.n_rigid; ++k) dense.push_back(add_body(BodyKind::rigid, 2));
  if (options.n_robot_row > 0) dense.push_back(add_body(BodyKind::robot, options.n_robot_row));

  const auto first_link = static_cast<std::int32_t>(p.position.size());
  if (options.n_link > 0) bodies.push_back({BodyKind::chain, first_link, 2 * options.n_link});
  for (std::int32_t k = 0; k < options.n_link; ++k) {
    p.position.resize(p.position.size() + 2, {spacing * k, 0, spacing * height});
    const std::int32_t row = first_link + 2 * k;
    couplings.emplace_back(row, row + 1);
    if (k > 0)
      for (int e = 0; e < 4; ++e) couplings.emplace_back(row + e / 2, row - 2 + e % 2);
  }

  const auto n_row = static_cast<int>(p.position.size());
  p.A = BlockMatrix(BlockPattern::from_couplings(n_row, couplings));
  const auto add = [&](int i, int j, const Mat3d& m) {
    const int k = p.A.pattern->find(i, j);
    p.A.set_block(k, p.A.block(k) + m);
  };
  for (int i = 0; i < n_row; ++i) {
    add(i, i, mass / t * Mat3d::identity());
    p.mass.push_back(mass);
    p.b.push_back(0.05 * mass / t * random() + Vec3d{0, 0, -9.81 * mass});
  }
  const auto add_pair = [&](std::int32_t i, std::int32_t j, const Mat3d& m) {
    add(i, i, m);
    add(j, j, m);
    add(i, j, -1.0 * m);
    add(j, i, -1.0 * m);
  };
  for (const auto& [i, j] : springs) {
    const Vec3d e = p.position[i] - p.position[j];
    add_pair(i, j, t * options.stiffness_N_m / squared_norm(e) * outer(e, e));
  }
  for (const Body& body : bodies)
    if (is_dense(body.kind))
      for (int i = 0; i < body.n_row; ++i)
        for (int j = 0; j < i; ++j)
          add_pair(body.first_row + i, body.first_row + j, 0.3 * mass / t * Mat3d::identity());

  // Links hardly part where they meet, and bend.
  const Mat3d along = 0.5 * skew(Vec3d{spacing, 0, 0});
  for (std::int32_t k = 0; k + 1 < options.n_link; ++k) {
    const std::int32_t row = first_link + 2 * k;
    const std::pair<std::int32_t, Mat3d> parts[] = {{row, -1.0 * Mat3d::identity()},
                                                    {row + 1, along},
                                                    {row + 2, Mat3d::identity()},
                                                    {row + 3, along}};
    for (const auto& [i, left] : parts)
      for (const auto& [j, right] : parts)
        add(i, j, options.cable_stiffness * mass / t * (transpose(left) * right));
    add_pair(row + 1, row + 3, 0.3 * mass / t * Mat3d::identity());
  }

  const auto add_contact = [&](std::int32_t i, std::int32_t j) {
    Contact<double> c;
    c.side_i = i;
    c.side_j = j;
    const Vec3d along_z = Vec3d{0, 0, 1} + 0.01 * random();
    c.R = frame_from_normal(1 / norm(along_z) * along_z);
    c.phi = {0.01 * uniform(engine), 0, 0};
    c.mu1 = c.mu2 = options.friction;
    c.key = p.contacts.size();
    p.contacts.push_back(c);
  };
  if (options.contacts) {
    for (const std::int32_t i : bottom.front()) add_contact(i, kWorld);
    for (std::size_t b = 1; b < bottom.size(); ++b)
      for (std::size_t k = 0; k < std::min(bottom[b].size(), top[b - 1].size()); ++k)
        add_contact(bottom[b][k], top[b - 1][k]);
    for (std::size_t k = 0; k < dense.size(); ++k) {
      p.points.add(dense[k], Mat3d::identity());
      if (k < static_cast<std::size_t>(options.n_rigid))
        p.points.add(dense[k] + 1, 0.3 * Mat3d::identity());
      p.points.finish();
      add_contact(n_row + static_cast<std::int32_t>(k), top.back()[k % top.back().size()]);
    }
    // By its origin, and every third by a point beside it.
    const auto n_free = static_cast<std::int32_t>(top.back().size() - dense.size());
    for (std::int32_t k = 0; k < std::min(options.n_link, n_free); ++k) {
      std::int32_t side = first_link + 2 * k;
      if (k % 3 == 2) {
        p.points.add(side, Mat3d::identity());
        p.points.add(side + 1, 0.2 * along);
        p.points.finish();
        side = n_row + p.points.size() - 1;
      }
      add_contact(side, top.back()[dense.size() + k]);
    }
  }
  p.env_node_begin = {0, n_row};
  p.env_contact_begin = {0, static_cast<std::int32_t>(p.contacts.size())};
  if (p.points.size() > 0) p.env_point_begin = {0, p.points.size()};
  p.derive_topology(bodies);
  return p;
}

}  // namespace nodia::test
