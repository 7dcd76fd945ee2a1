/// Validation, topology and division of a contact problem.
#include "host/problem/contact_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "host/problem/topology_pool.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr double kSymmetryTolerance = 1e-10;
constexpr double kFrameTolerance = 1e-9;

void require_size(const std::string& name, std::size_t size, std::size_t expected) {
  if (size != expected)
    throw_bad_value("problem." + name, fmt::format("{} entries", size),
                    fmt::format("{} entries", expected), "one entry a node, contact or block");
}

void require_finite(const std::string& name, std::size_t index, double value) {
  if (!std::isfinite(value))
    throw_bad_value(fmt::format("problem.{}[{}]", name, index), value, "finite",
                    "an earlier step has failed, or the file is damaged");
}

void require_finite(const std::string& name, std::size_t index, Vec3d value) {
  for (int axis = 0; axis < 3; ++axis) require_finite(name, index, value[axis]);
}

void check_matrix(const BlockMatrix& A) {
  const BlockPattern& pattern = *A.pattern;
  require_size("A.value", A.value.size(),
               9 * static_cast<std::size_t>(pattern.n_block()) + kBlockPadding);
  for (std::size_t i = 0; i < A.value.size(); ++i) require_finite("A.value", i, A.value[i]);

  const int n_row = pattern.n_row();
  std::vector<double> scale(n_row);
  for (int i = 0; i < n_row; ++i) {
    const Mat3d d = A.block(pattern.diagonal[i]);
    for (int axis = 0; axis < 3; ++axis) {
      require(d(axis, axis) > 0, fmt::format("problem.A({0},{0})", 3 * i + axis), d(axis, axis),
              "> 0", "A is symmetric positive definite: check masses and stiffness");
      scale[i] = std::max(scale[i], d(axis, axis));
    }
  }
  // Rows are visited in ascending order, so the transposed blocks of a row appear in ascending
  // order. validate_pattern has checked that they exist.
  std::vector<std::int32_t> next(pattern.row_begin.begin(), pattern.row_begin.end() - 1);
  for (int i = 0; i < n_row; ++i) {
    for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
      const int j = pattern.column[k];
      const Mat3d difference = A.block(k) - transpose(A.block(next[j]++));
      for (const Vec3d& row : difference.row) {
        for (int axis = 0; axis < 3; ++axis) {
          const double relative = std::fabs(row[axis]) / std::max(scale[i], scale[j]);
          if (!(relative <= kSymmetryTolerance))
            throw_bad_value(fmt::format("problem.A, asymmetry of block ({}, {})", i, j), relative,
                            fmt::format("<= {}", kSymmetryTolerance), "relative to the diagonal");
        }
      }
    }
  }
}

void check_environments(const std::string& name, const std::vector<std::int32_t>& begin, int n_env,
                        int size) {
  if (begin.empty() || static_cast<int>(begin.size()) != n_env + 1 || begin.front() != 0 ||
      begin.back() != size || !std::is_sorted(begin.begin(), begin.end()))
    throw_bad_value("problem." + name, fmt::format("{} ends", begin.size()),
                    fmt::format("{} ascending ends from 0 to {}", n_env + 1, size),
                    "one range an environment");
}

void check_frame(const Mat3d& R, int m) {
  double error = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      error = std::max(error, std::fabs(dot(R.row[i], R.row[j]) - (i == j ? 1 : 0)));
  require(error <= kFrameTolerance && is_finite(R.row[0] + R.row[1] + R.row[2]),
          fmt::format("problem.contacts[{}].R, distance from orthonormal", m), error,
          fmt::format("<= {}", kFrameTolerance), "rows n, t1, t2");
}

/// Sides that contacts of an environment may have: rows and points.
struct SideRange {
  int first_node, end_node, first_point, end_point;
  bool contains(int side) const {
    return (side >= first_node && side < end_node) || (side >= first_point && side < end_point);
  }
};

void check_contact(const Contact<double>& c, int m, const SideRange& sides) {
  const std::string prefix = fmt::format("problem.contacts[{}]", m);
  const std::string range =
      fmt::format("a node of its environment, [{}, {}), or a point, [{}, {})", sides.first_node,
                  sides.end_node, sides.first_point, sides.end_point);
  if (!sides.contains(c.side_i)) throw_bad_value(prefix + ".side_i", c.side_i, range, "");
  if (c.side_j != kWorld && !sides.contains(c.side_j))
    throw_bad_value(prefix + ".side_j", c.side_j, range,
                    fmt::format("or {} for the world", kWorld));
  if (c.side_i == c.side_j)
    throw_bad_value(prefix + ".side_j", c.side_j, "another side than side_i", "");
  check_frame(c.R, m);
  for (int axis = 0; axis < 3; ++axis)
    require(std::isfinite(c.phi[axis]), prefix + ".phi", c.phi[axis], "finite", "");
  for (const auto& [key, mu] : {std::pair(".mu1", c.mu1), std::pair(".mu2", c.mu2)})
    require(mu >= 0 && std::isfinite(mu), prefix + key, mu, "finite and >= 0", "try 0.3");
}

void check_points(const ContactProblem& p) {
  const ContactPoints& points = p.points;
  if (points.begin.empty() || points.begin.front() != 0 ||
      points.begin.back() != static_cast<int>(points.row.size()) ||
      points.row.size() != points.J.size() ||
      !std::is_sorted(points.begin.begin(), points.begin.end()))
    throw_bad_value("problem.points.begin", fmt::format("{} ends", points.begin.size()),
                    "ascending ends from 0 to the number of parts", "one range a point");
  if (points.size() == 0) return;
  check_environments("env_point_begin", p.env_point_begin, p.n_env(), points.size());
  for (int e = 0; e < p.n_env(); ++e) {
    for (int k = p.env_point_begin[e]; k < p.env_point_begin[e + 1]; ++k) {
      for (std::int32_t part = points.begin[k]; part < points.begin[k + 1]; ++part) {
        const std::int32_t row = points.row[part];
        const bool ascending = part == points.begin[k] || points.row[part - 1] < row;
        if (!ascending || row < p.env_node_begin[e] || row >= p.env_node_begin[e + 1])
          throw_bad_value(fmt::format("problem.points.row[{}]", part), row,
                          "a row of the point's environment, ascending", "");
        for (const Vec3d& r : points.J[part].row)
          require_finite("points.J", static_cast<std::size_t>(part), r);
      }
    }
  }
}

void check_environments_apart(const ContactProblem& p) {
  const BlockPattern& pattern = *p.A.pattern;
  for (int e = 0; e < p.n_env(); ++e) {
    const int first = p.env_node_begin[e], end = p.env_node_begin[e + 1];
    for (int k = pattern.row_begin[first]; k < pattern.row_begin[end]; ++k)
      if (pattern.column[k] < first || pattern.column[k] >= end)
        throw_bad_value("problem.A",
                        fmt::format("a block of environment {} in column {}", e, pattern.column[k]),
                        fmt::format("in columns [{}, {})", first, end),
                        "environments share nothing");
  }
}

/// True if `part` equals the pattern of the rows of `whole` from `first` on.
bool is_part(const BlockPattern& part, const BlockPattern& whole, std::int32_t first) {
  const std::int32_t first_block = whole.row_begin[first];
  const auto shifted = [](const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b,
                          std::int32_t begin, std::int32_t shift) {
    return std::equal(a.begin(), a.end(), b.begin() + begin,
                      [&](std::int32_t x, std::int32_t y) { return x + shift == y; });
  };
  return shifted(part.row_begin, whole.row_begin, first, first_block) &&
         shifted(part.column, whole.column, first_block, first) &&
         shifted(part.diagonal, whole.diagonal, first, first_block);
}

void check_topology(const ContactProblem& p) {
  require_size("topology", p.topology.size(), static_cast<std::size_t>(p.n_env()));
  std::unordered_set<const Topology*> seen;
  for (int e = 0; e < p.n_env(); ++e) {
    const std::string key = fmt::format("problem.topology[{}]", e);
    const Topology* topology = p.topology[e].get();
    if (!topology) throw_bad_value(key, "none", "a topology", "see derive_topology()");
    if (seen.insert(topology).second) topology->validate(key);
    const std::int32_t first = p.env_node_begin[e];
    if (topology->n_row() != p.env_node_begin[e + 1] - first ||
        !is_part(topology->pattern, *p.A.pattern, first))
      throw_bad_value(key + ".pattern", fmt::format("{} rows", topology->n_row()),
                      fmt::format("that of the rows [{}, {}) of A", first, p.env_node_begin[e + 1]),
                      "");
  }
}

/// Pattern of the rows [first, end), which are coupled only with each other.
BlockPattern part_of(const BlockPattern& whole, std::int32_t first, std::int32_t end) {
  const std::int32_t first_block = whole.row_begin[first], end_block = whole.row_begin[end];
  BlockPattern part;
  part.row_begin.clear();
  for (int i = first; i <= end; ++i) part.row_begin.push_back(whole.row_begin[i] - first_block);
  for (int k = first_block; k < end_block; ++k) part.column.push_back(whole.column[k] - first);
  for (int i = first; i < end; ++i) part.diagonal.push_back(whole.diagonal[i] - first_block);
  return part;
}

/// Checks that bodies are ordered, disjoint, and each inside one environment.
void check_bodies(const std::vector<Body>& bodies, const std::vector<std::int32_t>& env_row_begin) {
  std::int32_t end = 0;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const Body& body = bodies[k];
    const auto env = std::upper_bound(env_row_begin.begin(), env_row_begin.end(), body.first_row);
    if (body.n_row < 1 || body.first_row < end || env == env_row_begin.end() ||
        body.n_row > *env - body.first_row)
      throw_bad_value(fmt::format("problem.bodies[{}]", k),
                      fmt::format("{} rows from {} on", body.n_row, body.first_row),
                      "ascending, apart from each other, inside one environment", "");
    end = body.first_row + body.n_row;
  }
}

}  // namespace

void ContactProblem::derive_topology(const std::vector<Body>& bodies) {
  if (!A.pattern) throw_bad_value("problem.A", "no pattern", "a symmetric block pattern", "");
  validate_pattern(*A.pattern, "problem.A");
  check_environments("env_node_begin", env_node_begin, n_env(), A.n_row());
  check_environments_apart(*this);
  check_bodies(bodies, env_node_begin);
  topology.clear();
  TopologyPool pool;
  auto body = bodies.begin();
  for (int e = 0; e < n_env(); ++e) {
    const std::int32_t first = env_node_begin[e], end = env_node_begin[e + 1];
    std::vector<Body> own;
    for (; body != bodies.end() && body->first_row < end; ++body)
      own.push_back({body->kind, body->first_row - first, body->n_row});
    topology.push_back(pool.shared(
        make_topology(part_of(*A.pattern, first, end), with_soft_bodies(own, end - first))));
  }
}

void ContactProblem::validate() const {
  if (!A.pattern) throw_bad_value("problem.A", "no pattern", "a symmetric block pattern", "");
  validate_pattern(*A.pattern, "problem.A");
  require_size("b", b.size(), static_cast<std::size_t>(A.n_row()));
  check_matrix(A);
  for (std::size_t i = 0; i < b.size(); ++i) require_finite("b", i, b[i]);
  if (!mass.empty()) require_size("mass", mass.size(), b.size());
  for (std::size_t i = 0; i < mass.size(); ++i)
    require(mass[i] > 0 && std::isfinite(mass[i]), fmt::format("problem.mass[{}]", i), mass[i],
            "finite and > 0", "leave all masses out where there are none");
  if (!position.empty()) require_size("position", position.size(), b.size());
  for (std::size_t i = 0; i < position.size(); ++i) require_finite("position", i, position[i]);
  require(theta >= 0.5 && theta <= 1, "problem.theta", theta, "in [0.5, 1]", "1 is implicit Euler");
  require(step_s > 0 && std::isfinite(step_s), "problem.step_s", step_s, "finite and > 0",
          "try 0.01");

  check_environments("env_node_begin", env_node_begin, n_env(), n_node());
  check_environments("env_contact_begin", env_contact_begin, n_env(), n_contact());
  check_environments_apart(*this);
  check_topology(*this);
  check_points(*this);
  std::vector<char> dense;  // per row of an environment: contacts must not act on it directly
  for (int e = 0; e < n_env(); ++e) {
    const int first = env_node_begin[e], end = env_node_begin[e + 1];
    dense.assign(static_cast<std::size_t>(end - first), 0);
    for (const Body& body : topology[e]->bodies)
      if (is_dense(body.kind)) std::fill_n(dense.begin() + body.first_row, body.n_row, 1);
    const bool has_points = points.size() > 0;
    const SideRange sides{first, end, n_node() + (has_points ? env_point_begin[e] : 0),
                          n_node() + (has_points ? env_point_begin[e + 1] : 0)};
    for (int m = env_contact_begin[e]; m < env_contact_begin[e + 1]; ++m) {
      check_contact(contacts[m], m, sides);
      for (const std::int32_t side : {contacts[m].side_i, contacts[m].side_j})
        if (side != kWorld && !is_point(side) && dense[static_cast<std::size_t>(side - first)])
          throw_bad_value(fmt::format("problem.contacts[{}]", m), side,
                          "a row outside of rigid bodies and robots, or a point",
                          "contacts act on a body's points");
    }
  }
}

ContactProblem ContactProblem::environment(int env) const {
  if (n_env() == 1 && env == 0) return *this;
  const int first = env_node_begin.at(env), end = env_node_begin.at(env + 1);
  const int first_block = A.pattern->row_begin[first], end_block = A.pattern->row_begin[end];

  ContactProblem part;
  part.topology = {topology.at(env)};
  part.A = BlockMatrix(pattern_of(part.topology.front()));
  std::copy(A.value.begin() + 9 * std::ptrdiff_t{first_block},
            A.value.begin() + 9 * std::ptrdiff_t{end_block}, part.A.value.begin());
  part.b.assign(b.begin() + first, b.begin() + end);
  if (!mass.empty()) part.mass.assign(mass.begin() + first, mass.begin() + end);
  if (!position.empty()) part.position.assign(position.begin() + first, position.begin() + end);
  part.theta = theta;
  part.step_s = step_s;
  part.contacts.assign(contacts.begin() + env_contact_begin[env],
                       contacts.begin() + env_contact_begin[env + 1]);
  const int first_of_points = points.size() > 0 ? env_point_begin[env] : 0;
  const auto own = [&](std::int32_t side) {
    return is_point(side) ? side - n_node() - first_of_points + (end - first) : side - first;
  };
  for (Contact<double>& c : part.contacts) {
    c.side_i = own(c.side_i);
    if (c.side_j != kWorld) c.side_j = own(c.side_j);
  }
  if (points.size() > 0) {
    for (int k = first_of_points; k < env_point_begin[env + 1]; ++k) {
      for (std::int32_t e = points.begin[k]; e < points.begin[k + 1]; ++e)
        part.points.add(points.row[e] - first, points.J[e]);
      part.points.finish();
    }
    part.env_point_begin = {0, part.points.size()};
  }
  part.env_node_begin = {0, end - first};
  part.env_contact_begin = {0, static_cast<std::int32_t>(part.contacts.size())};
  return part;
}

}  // namespace nodia
