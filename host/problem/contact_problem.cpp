#include "host/problem/contact_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

[[noreturn]] void throw_bad_pattern(const std::string& what) {
  throw_bad_value("problem.A", what, "a symmetric block pattern", "see fem/block_matrix.hpp");
}

/// Row ends ascending, columns ascending and in range, every diagonal block present and indexed.
void check_pattern(const BlockPattern& pattern) {
  const int n_row = pattern.n_row(), n_block = pattern.n_block();
  if (n_row < 0 || pattern.row_begin.front() != 0 || pattern.row_begin.back() != n_block)
    throw_bad_pattern("row ends that do not cover its blocks");
  require_size("A.diagonal", pattern.diagonal.size(), static_cast<std::size_t>(n_row));
  for (int row = 0; row < n_row; ++row) {
    const int begin = pattern.row_begin[row], end = pattern.row_begin[row + 1];
    if (begin > end || end > n_block)
      throw_bad_pattern(fmt::format("row {} with a negative length", row));
    for (int k = begin; k < end; ++k) {
      if (pattern.column[k] < 0 || pattern.column[k] >= n_row)
        throw_bad_pattern(fmt::format("column {} of {} in row {}", pattern.column[k], n_row, row));
      if (k > begin && pattern.column[k] <= pattern.column[k - 1])
        throw_bad_pattern(fmt::format("columns out of order in row {}", row));
    }
    const int k = pattern.diagonal[row];
    if (k < begin || k >= end || pattern.column[k] != row)
      throw_bad_pattern(fmt::format("no diagonal block in row {}", row));
  }
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
  // Rows are visited in ascending order, so the transposed blocks of a row come up in ascending
  // order too.
  std::vector<std::int32_t> next(pattern.row_begin.begin(), pattern.row_begin.end() - 1);
  for (int i = 0; i < n_row; ++i) {
    for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
      const int j = pattern.column[k];
      if (next[j] >= pattern.row_begin[j + 1] || pattern.column[next[j]] != i)
        throw_bad_pattern(fmt::format("block ({}, {}) without its transpose", i, j));
      const Mat3d difference = A.block(k) - transpose(A.block(next[j]++));
      for (const Vec3d& row : difference.row) {
        for (int axis = 0; axis < 3; ++axis) {
          const double relative = std::fabs(row[axis]) / std::max(scale[i], scale[j]);
          require(relative <= kSymmetryTolerance,
                  fmt::format("problem.A, asymmetry of block ({}, {})", i, j), relative,
                  fmt::format("<= {}", kSymmetryTolerance), "relative to the diagonal");
        }
      }
    }
  }
}

void check_environments(const std::string& name, const std::vector<std::int32_t>& begin, int n_env,
                        int size) {
  if (static_cast<int>(begin.size()) != n_env + 1 || begin.front() != 0 || begin.back() != size ||
      !std::is_sorted(begin.begin(), begin.end()))
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

/// Sides that contacts of an environment may have: rows, points.
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
  if (!sides.contains(c.node_i)) throw_bad_value(prefix + ".node_i", c.node_i, range, "");
  if (c.node_j != kWorld && !sides.contains(c.node_j))
    throw_bad_value(prefix + ".node_j", c.node_j, range,
                    fmt::format("or {} for the world", kWorld));
  if (c.node_i == c.node_j)
    throw_bad_value(prefix + ".node_j", c.node_j, "another side than node_i", "");
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

/// @return per row: whether contacts must not act on it
std::vector<char> check_groups(const ContactProblem& p) {
  std::vector<char> grouped(static_cast<std::size_t>(p.n_node()), 0);
  std::int32_t end = 0;
  for (std::size_t g = 0; g < p.groups.size(); ++g) {
    const RowGroup& group = p.groups[g];
    const auto env =
        std::upper_bound(p.env_node_begin.begin(), p.env_node_begin.end(), group.first_row);
    if (group.n_row < 1 || group.first_row < end || env == p.env_node_begin.end() ||
        group.n_row > *env - group.first_row)
      throw_bad_value(fmt::format("problem.groups[{}]", g),
                      fmt::format("{} rows from {} on", group.n_row, group.first_row),
                      "ascending, apart from each other, inside one environment", "");
    if (group.link_rows != 0 && (group.link_rows != kLinkRows || group.n_row % kLinkRows != 0))
      throw_bad_value(fmt::format("problem.groups[{}].link_rows", g), group.link_rows,
                      fmt::format("0, or {} with that many rows a link", kLinkRows), "");
    end = group.first_row + group.n_row;
    if (group.link_rows == 0)
      std::fill(grouped.begin() + group.first_row, grouped.begin() + end, 1);
  }
  return grouped;
}

}  // namespace

void ContactProblem::validate() const {
  if (!A.pattern) throw_bad_value("problem.A", "no pattern", "a symmetric block pattern", "");
  check_pattern(*A.pattern);
  require_size("b", b.size(), static_cast<std::size_t>(A.n_row()));
  check_matrix(A);
  for (std::size_t i = 0; i < b.size(); ++i) require_finite("b", i, b[i]);
  if (!mass.empty()) require_size("mass", mass.size(), b.size());
  for (std::size_t i = 0; i < mass.size(); ++i)
    require(mass[i] > 0 && std::isfinite(mass[i]), fmt::format("problem.mass[{}]", i), mass[i],
            "finite and > 0", "leave all masses out where there are none");
  require(theta >= 0.5 && theta <= 1, "problem.theta", theta, "in [0.5, 1]", "1 is implicit Euler");
  require(step_s > 0 && std::isfinite(step_s), "problem.step_s", step_s, "finite and > 0",
          "try 0.01");

  if (env_node_begin.empty())
    throw_bad_value("problem.env_node_begin", "[]", "at least [0]", "one range an environment");
  check_environments("env_node_begin", env_node_begin, n_env(), n_node());
  check_environments("env_contact_begin", env_contact_begin, n_env(), n_contact());
  check_points(*this);
  const std::vector<char> grouped = check_groups(*this);
  for (int e = 0; e < n_env(); ++e) {
    const int first = env_node_begin[e], end = env_node_begin[e + 1];
    for (int k = A.pattern->row_begin[first]; k < A.pattern->row_begin[end]; ++k) {
      if (A.pattern->column[k] < first || A.pattern->column[k] >= end)
        throw_bad_value(
            "problem.A",
            fmt::format("a block of environment {} in column {}", e, A.pattern->column[k]),
            fmt::format("in columns [{}, {})", first, end), "environments share nothing");
    }
    const bool has_points = points.size() > 0;
    const SideRange sides{first, end, n_node() + (has_points ? env_point_begin[e] : 0),
                          n_node() + (has_points ? env_point_begin[e + 1] : 0)};
    for (int m = env_contact_begin[e]; m < env_contact_begin[e + 1]; ++m) {
      check_contact(contacts[m], m, sides);
      for (const std::int32_t side : {contacts[m].node_i, contacts[m].node_j})
        if (side != kWorld && !is_point(side) && grouped[static_cast<std::size_t>(side)])
          throw_bad_value(fmt::format("problem.contacts[{}]", m), side,
                          "a row outside of rigid bodies and robots, or a point",
                          "contacts act on a body's points");
    }
  }
}

ContactProblem ContactProblem::environment(int env) const {
  if (n_env() == 1 && env == 0) return *this;
  const int first = env_node_begin.at(env), end = env_node_begin.at(env + 1);
  const BlockPattern& whole = *A.pattern;
  const int first_block = whole.row_begin[first], end_block = whole.row_begin[end];

  auto pattern = std::make_shared<BlockPattern>();
  pattern->row_begin.clear();
  for (int i = first; i <= end; ++i) pattern->row_begin.push_back(whole.row_begin[i] - first_block);
  for (int k = first_block; k < end_block; ++k) pattern->column.push_back(whole.column[k] - first);
  for (int i = first; i < end; ++i) pattern->diagonal.push_back(whole.diagonal[i] - first_block);

  ContactProblem part;
  part.A = BlockMatrix(std::move(pattern));
  std::copy(A.value.begin() + 9 * std::ptrdiff_t{first_block},
            A.value.begin() + 9 * std::ptrdiff_t{end_block}, part.A.value.begin());
  part.b.assign(b.begin() + first, b.begin() + end);
  if (!mass.empty()) part.mass.assign(mass.begin() + first, mass.begin() + end);
  part.theta = theta;
  part.step_s = step_s;
  part.contacts.assign(contacts.begin() + env_contact_begin[env],
                       contacts.begin() + env_contact_begin[env + 1]);
  const int first_of_points = points.size() > 0 ? env_point_begin[env] : 0;
  const auto own = [&](std::int32_t side) {
    return is_point(side) ? side - n_node() - first_of_points + (end - first) : side - first;
  };
  for (Contact<double>& c : part.contacts) {
    c.node_i = own(c.node_i);
    if (c.node_j != kWorld) c.node_j = own(c.node_j);
  }
  if (points.size() > 0) {
    for (int k = first_of_points; k < env_point_begin[env + 1]; ++k) {
      for (std::int32_t e = points.begin[k]; e < points.begin[k + 1]; ++e)
        part.points.add(points.row[e] - first, points.J[e]);
      part.points.finish();
    }
    part.env_point_begin = {0, part.points.size()};
  }
  for (const RowGroup& group : groups)
    if (group.first_row >= first && group.first_row < end)
      part.groups.push_back({group.first_row - first, group.n_row, group.link_rows});
  part.env_node_begin = {0, end - first};
  part.env_contact_begin = {0, static_cast<std::int32_t>(part.contacts.size())};
  return part;
}

}  // namespace nodia
