/// Validation and construction of topologies.
#include "host/problem/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

RowKind kind_of_row(BodyKind body, std::int32_t row) {
  switch (body) {
    case BodyKind::soft:
      return RowKind::node;
    case BodyKind::rigid:
    case BodyKind::chain:
      return row % kLinkRows == 0 ? RowKind::linear : RowKind::angular;
    case BodyKind::robot:
      break;
  }
  return RowKind::joint;
}

void append_kinds(const Body& body, std::vector<RowKind>* kinds) {
  for (std::int32_t row = 0; row < body.n_row; ++row) kinds->push_back(kind_of_row(body.kind, row));
}

/// @return the violated rule for the number of rows, or an empty text
std::string rule_of_rows(const Body& body) {
  if (body.n_row < 1) return "of at least one row";
  if (body.kind == BodyKind::rigid && body.n_row != kLinkRows)
    return fmt::format("of {} rows, linear and angular", kLinkRows);
  if (body.kind == BodyKind::chain && body.n_row % kLinkRows != 0)
    return fmt::format("of {} rows a link, linear and angular", kLinkRows);
  return "";
}

void validate_bodies(const std::vector<Body>& bodies, std::int32_t n_row, const std::string& key) {
  std::int32_t end = 0;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const Body& body = bodies[k];
    const auto refuse = [&](const std::string& rule) {
      throw_bad_value(
          fmt::format("{}.bodies[{}]", key, k),
          fmt::format("{}, {} rows from {} on", name_of(body.kind), body.n_row, body.first_row),
          rule, "");
    };
    if (body.kind > BodyKind::robot) refuse("soft, rigid, chain or robot");
    if (const std::string rule = rule_of_rows(body); !rule.empty()) refuse(rule);
    if (body.first_row != end || body.n_row > n_row - end)
      refuse(fmt::format("from row {} on, inside {} rows", end, n_row));
    end += body.n_row;
  }
  if (end != n_row)
    throw_bad_value(key + ".bodies", fmt::format("{} rows", end), fmt::format("{} rows", n_row),
                    "every row belongs to a body");
}

}  // namespace

const char* name_of(BodyKind kind) {
  switch (kind) {
    case BodyKind::soft:
      return "soft";
    case BodyKind::rigid:
      return "rigid";
    case BodyKind::chain:
      return "chain";
    case BodyKind::robot:
      return "robot";
  }
  return "unknown";
}

void Topology::validate(const std::string& key) const {
  validate_pattern(pattern, key + ".pattern");
  validate_bodies(bodies, n_row(), key);
  const auto size = [&](const char* name, std::size_t entries, const char* hint) {
    if (entries != static_cast<std::size_t>(n_row()))
      throw_bad_value(fmt::format("{}.{}", key, name), fmt::format("{} entries", entries),
                      fmt::format("{} entries", n_row()), hint);
  };
  size("kind", kind.size(), "one a row");
  for (const Body& body : bodies)
    for (std::int32_t row = 0; row < body.n_row; ++row) {
      const std::int32_t at = body.first_row + row;
      if (kind[at] != kind_of_row(body.kind, row))
        throw_bad_value(fmt::format("{}.kind[{}]", key, at), static_cast<double>(kind[at]),
                        fmt::format("{}", static_cast<int>(kind_of_row(body.kind, row))),
                        fmt::format("as row {} of a {} body", row, name_of(body.kind)));
    }
  if (rest.empty()) return;
  size("rest", rest.size(), "one a row, or none at all");
  for (std::size_t i = 0; i < rest.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      require(std::isfinite(rest[i][axis]), fmt::format("{}.rest[{}]", key, i), rest[i][axis],
              "finite", "");
}

bool operator==(const Topology& a, const Topology& b) {
  return a.pattern == b.pattern && a.kind == b.kind && a.bodies == b.bodies &&
         a.rest.size() == b.rest.size() &&
         (a.rest.empty() ||
          std::memcmp(a.rest.data(), b.rest.data(), a.rest.size() * sizeof(Vec3d)) == 0);
}

Topology make_topology(BlockPattern pattern, std::vector<Body> bodies, std::vector<Vec3d> rest) {
  Topology topology;
  topology.pattern = std::move(pattern);
  topology.bodies = std::move(bodies);
  topology.rest = std::move(rest);
  topology.kind.reserve(static_cast<std::size_t>(topology.n_row()));
  for (const Body& body : topology.bodies) append_kinds(body, &topology.kind);
  return topology;
}

std::vector<Body> with_soft_bodies(const std::vector<Body>& bodies, std::int32_t n_row) {
  std::vector<Body> all;
  std::int32_t end = 0;
  const auto fill = [&](std::int32_t until) {
    if (until > end) all.push_back({BodyKind::soft, end, until - end});
  };
  for (const Body& body : bodies) {
    fill(body.first_row);
    all.push_back(body);
    end = body.first_row + body.n_row;
  }
  fill(n_row);
  return all;
}

std::shared_ptr<const BlockPattern> pattern_of(const std::shared_ptr<const Topology>& topology) {
  return {topology, &topology->pattern};
}

void validate_pattern(const BlockPattern& pattern, const std::string& key) {
  const auto refuse = [&](const std::string& what) {
    throw_bad_value(key, what, "a symmetric block pattern", "see fem/matrix/block_matrix.hpp");
  };
  const int n_row = pattern.n_row(), n_block = pattern.n_block();
  if (n_row < 0 || pattern.row_begin.front() != 0 || pattern.row_begin.back() != n_block)
    refuse("row ends that do not cover its blocks");
  if (pattern.diagonal.size() != static_cast<std::size_t>(n_row))
    throw_bad_value(key + ".diagonal", fmt::format("{} entries", pattern.diagonal.size()),
                    fmt::format("{} entries", n_row), "one entry a row");
  for (int row = 0; row < n_row; ++row) {
    const int begin = pattern.row_begin[row], end = pattern.row_begin[row + 1];
    if (begin > end || end > n_block) refuse(fmt::format("row {} with a negative length", row));
    for (int k = begin; k < end; ++k) {
      if (pattern.column[k] < 0 || pattern.column[k] >= n_row)
        refuse(fmt::format("column {} of {} in row {}", pattern.column[k], n_row, row));
      if (k > begin && pattern.column[k] <= pattern.column[k - 1])
        refuse(fmt::format("columns out of order in row {}", row));
    }
    const int k = pattern.diagonal[row];
    if (k < begin || k >= end || pattern.column[k] != row)
      refuse(fmt::format("no diagonal block in row {}", row));
  }
  // Rows are visited in ascending order, so the transposed blocks of a row appear in that order.
  std::vector<std::int32_t> next(pattern.row_begin.begin(), pattern.row_begin.end() - 1);
  for (int i = 0; i < n_row; ++i)
    for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
      const int j = pattern.column[k];
      if (next[j] >= pattern.row_begin[j + 1] || pattern.column[next[j]++] != i)
        refuse(fmt::format("block ({}, {}) without its transpose", i, j));
    }
}

}  // namespace nodia
