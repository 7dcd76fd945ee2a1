/// Random positive definite matrices of cables with everything that may couple their links.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "fem/matrix/block_matrix.hpp"
#include "host/problem/topology.hpp"

namespace nodia::test {

struct RandomChainsOptions {
  unsigned seed = 1;
  std::vector<int> n_link{6, 9};  ///< per cable
  int n_rigid = 0;                ///< rigid bodies, each before a cable or behind the last one
  int n_robot_row = 0;            ///< rows of a robot, after everything else
  int n_cable_contact = 0;        ///< closed contacts of two random links
  int n_border_contact = 0;  ///< closed contacts of a random link with a rigid body or the robot
  int n_slave = 0;           ///< links whose neighbours couple with another link
};

struct RandomChains {
  BlockMatrix K;
  std::vector<Body> bodies;
};

namespace random_chains_detail {

class Generator {
 public:
  explicit Generator(const RandomChainsOptions& options)
      : options_(options), engine_(options.seed) {}

  RandomChains operator()() {
    RandomChains out;
    add_bodies(&out.bodies);
    out.K = BlockMatrix(BlockPattern::from_couplings(n_row_, couplings()));
    for (int i = 0; i < n_row_; ++i) {
      const int k = out.K.pattern->diagonal[i];
      out.K.set_block(k, uniform(0.5, 2) * Mat3d::identity());
    }
    for (const std::vector<std::int32_t>& rows : terms_) add_term(rows, &out.K);
    return out;
  }

 private:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  int index(std::size_t end) {
    return std::uniform_int_distribution<int>(0, static_cast<int>(end) - 1)(engine_);
  }
  Vec3d vector() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }

  void add_bodies(std::vector<Body>* bodies) {
    int n_rigid = options_.n_rigid;
    const auto add = [&](BodyKind kind, int n) {
      bodies->push_back({kind, n_row_, n});
      n_row_ += n;
    };
    const auto add_rigid = [&] {
      border_.push_back({n_row_, n_row_ + 1});
      terms_.push_back(border_.back());
      add(BodyKind::rigid, 2);
      --n_rigid;
    };
    for (const int n : options_.n_link) {
      if (n_rigid > 0) add_rigid();
      for (int k = 0; k < n; ++k) {
        links_.push_back({n_row_ + 2 * k, n_row_ + 2 * k + 1});
        terms_.push_back(links_.back());
        if (k > 0) terms_.push_back(joined(links_[links_.size() - 2], links_.back()));
      }
      add(BodyKind::chain, 2 * n);
    }
    while (n_rigid > 0) add_rigid();
    if (options_.n_robot_row > 0) {
      std::vector<std::int32_t> rows;
      for (int r = 0; r < options_.n_robot_row; ++r) rows.push_back(n_row_ + r);
      border_.push_back(rows);
      terms_.push_back(rows);
      add(BodyKind::robot, options_.n_robot_row);
    }
    for (int k = 0; k < options_.n_cable_contact; ++k)
      terms_.push_back(joined(links_[index(links_.size())], links_[index(links_.size())]));
    for (int k = 0; k < options_.n_border_contact; ++k)
      terms_.push_back(joined(links_[index(links_.size())], border_[index(border_.size())]));
    for (int k = 0; k < options_.n_slave; ++k) {
      const auto a = static_cast<std::size_t>(index(links_.size()));
      const std::vector<std::int32_t>& master = links_[index(links_.size())];
      for (std::size_t b = a == 0 ? 0 : a - 1; b < links_.size() && b <= a + 1; ++b)
        terms_.push_back(joined({links_[b].front()}, master));
    }
  }

  static std::vector<std::int32_t> joined(std::vector<std::int32_t> a,
                                          const std::vector<std::int32_t>& b) {
    for (const std::int32_t row : b)
      if (std::find(a.begin(), a.end(), row) == a.end()) a.push_back(row);
    return a;
  }

  std::vector<std::pair<std::int32_t, std::int32_t>> couplings() const {
    std::vector<std::pair<std::int32_t, std::int32_t>> all;
    for (const std::vector<std::int32_t>& rows : terms_)
      for (const std::int32_t i : rows)
        for (const std::int32_t j : rows)
          if (i < j) all.emplace_back(i, j);
    return all;
  }

  /// J^T J of random J on the rows; stiff and soft ones.
  void add_term(const std::vector<std::int32_t>& rows, BlockMatrix* K) {
    const double stiffness = std::pow(10, uniform(0, 3));
    std::vector<Mat3d> J;
    for (std::size_t k = 0; k < rows.size(); ++k) J.push_back({{vector(), vector(), vector()}});
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows.size(); ++j) {
        const int k = K->pattern->find(rows[i], rows[j]);
        K->set_block(k, K->block(k) + stiffness * (transpose(J[i]) * J[j]));
      }
  }

  RandomChainsOptions options_;
  std::mt19937_64 engine_;
  std::int32_t n_row_ = 0;
  std::vector<std::vector<std::int32_t>> links_, border_, terms_;  ///< their rows
};

}  // namespace random_chains_detail

/// The same matrix for the same options.
inline RandomChains random_chains(const RandomChainsOptions& options) {
  return random_chains_detail::Generator(options)();
}

}  // namespace nodia::test
