#include "host/solvers/newton/relative_coordinates.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace nodia {
namespace {

bool is_zero(const Mat3d& m) {
  for (const Vec3d& row : m.row)
    if (row.x != 0 || row.y != 0 || row.z != 0) return false;
  return true;
}

/// Rows that determine the velocity of a side.
std::vector<ContactPart> parts_of(const ContactProblem& p, std::int32_t side) {
  std::vector<ContactPart> parts;
  if (side != kWorld)
    p.for_parts(side, [&](std::int32_t row, const Mat3d& J) { parts.push_back({row, J}); });
  return parts;
}

/// Adds `part`, merged with a part of the same row.
void add_part(std::vector<ContactPart>* parts, const ContactPart& part) {
  for (ContactPart& known : *parts)
    if (known.row == part.row) {
      known.J = known.J + part.J;
      return;
    }
  parts->push_back(part);
}

}  // namespace

RelativeCoordinates::RelativeCoordinates(const ContactProblem& problem,
                                         const std::vector<double>& weight) {
  smoothed_.assign(problem.b.size(), 1);
  for (const Body& body : problem.topology[0]->bodies)
    if (is_dense(body.kind)) std::fill_n(smoothed_.begin() + body.first_row, body.n_row, char{0});
  smooths_ = std::find(smoothed_.begin(), smoothed_.end(), 1) != smoothed_.end();
  choose_slaves(problem, weight);
  set_parts(problem);
  classify(problem);
}

void RelativeCoordinates::choose_slaves(const ContactProblem& p,
                                        const std::vector<double>& weight) {
  const auto weight_of = [&](int m) { return weight.empty() ? 0.0 : weight[m]; };
  enum Role : char { free_row, held, slave, master };
  std::vector<Role> role(p.b.size(), free_row);
  std::vector<int> order;
  for (int m = 0; m < p.n_contact(); ++m) {
    const Contact<double>& c = p.contacts[m];
    if (c.side_j != kWorld)
      order.push_back(m);
    else if (!p.is_point(c.side_i) && weight_of(m) > 0)
      role[c.side_i] = held;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return weight_of(a) > weight_of(b); });

  std::vector<std::vector<ContactPart>> masters(p.b.size());
  for (const int m : order) {
    const Contact<double>& c = p.contacts[m];
    for (const auto& [own, other] :
         {std::pair{c.side_i, c.side_j}, std::pair{c.side_j, c.side_i}}) {
      if (p.is_point(own) || role[own] != free_row) continue;
      const std::vector<ContactPart> parts = parts_of(p, other);
      const bool may = std::all_of(
          parts.begin(), parts.end(),
          [&, own = own](const ContactPart& e) { return e.row != own && role[e.row] != slave; });
      if (!may) continue;
      role[own] = slave;
      for (const ContactPart& e : parts) role[e.row] = master;
      masters[own] = parts;
      ++n_slave_;
      break;
    }
  }
  begin_.assign(1, 0);
  for (const std::vector<ContactPart>& of_row : masters) {
    master_.insert(master_.end(), of_row.begin(), of_row.end());
    begin_.push_back(static_cast<std::int32_t>(master_.size()));
  }
}

void RelativeCoordinates::set_parts(const ContactProblem& p) {
  part_begin_.assign(1, 0);
  std::vector<ContactPart> parts;
  for (const Contact<double>& c : p.contacts) {
    parts.clear();
    const auto add_side = [&](std::int32_t side, double sign) {
      if (side == kWorld) return;
      p.for_parts(side, [&](std::int32_t row, const Mat3d& J) {
        const Mat3d signed_part = sign * J;
        add_part(&parts, {row, signed_part});
        for_masters(row, [&](std::int32_t e, const Mat3d& X) {
          add_part(&parts, {e, signed_part * X});
        });
      });
    };
    add_side(c.side_i, 1);
    add_side(c.side_j, -1);
    std::sort(parts.begin(), parts.end(),
              [](const ContactPart& a, const ContactPart& b) { return a.row < b.row; });
    for (const ContactPart& part : parts)
      if (!is_zero(part.J)) parts_.push_back({part.row, c.R * part.J});
    part_begin_.push_back(static_cast<std::int32_t>(parts_.size()));
  }
}

void RelativeCoordinates::classify(const ContactProblem& p) {
  std::vector<int> touching(p.b.size(), 0);
  for (const ContactPart& part : parts_) ++touching[part.row];
  class_.resize(p.contacts.size());
  for (int m = 0; m < p.n_contact(); ++m) {
    const bool smoothed =
        std::any_of(begin(m), end(m), [&](const ContactPart& e) { return smoothed_[e.row] != 0; });
    // A contact that acts on a fraction of a row's motion is not single: J J^T must be 1.
    const bool on_row = !p.is_point(p.contacts[m].side_i) ||
                        (p.contacts[m].side_j != kWorld && !p.is_point(p.contacts[m].side_j));
    const bool single =
        smoothed && on_row && end(m) - begin(m) == 1 && touching[begin(m)->row] == 1;
    class_[m] = single     ? ContactClass::single
                : smoothed ? ContactClass::coupled
                           : ContactClass::rigid;
  }
}

void RelativeCoordinates::to_velocity(std::vector<Vec3d>* y) const {
  if (!has_slaves()) return;
  for (int row = 0; row < static_cast<int>(y->size()); ++row)
    for_masters(row, [&](std::int32_t e, const Mat3d& X) { (*y)[row] += X * (*y)[e]; });
}

void RelativeCoordinates::to_relative(std::vector<Vec3d>* v) const {
  if (!has_slaves()) return;
  for (int row = 0; row < static_cast<int>(v->size()); ++row)
    for_masters(row, [&](std::int32_t e, const Mat3d& X) { (*v)[row] -= X * (*v)[e]; });
}

void RelativeCoordinates::gather(std::vector<Vec3d>* f) const {
  if (!has_slaves()) return;
  for (int row = 0; row < static_cast<int>(f->size()); ++row)
    for_masters(row,
                [&](std::int32_t e, const Mat3d& X) { (*f)[e] += transpose_times(X, (*f)[row]); });
}

void RelativeCoordinates::scatter(std::vector<Vec3d>* f) const {
  if (!has_slaves()) return;
  for (int row = 0; row < static_cast<int>(f->size()); ++row)
    for_masters(row,
                [&](std::int32_t e, const Mat3d& X) { (*f)[e] -= transpose_times(X, (*f)[row]); });
}

std::optional<BlockMatrix> relative_matrix(const ContactProblem& p,
                                           const RelativeCoordinates& relative) {
  const BlockPattern& own = *p.A.pattern;
  std::vector<std::pair<std::int32_t, std::int32_t>> added;
  const auto couple = [&](std::int32_t i, std::int32_t j) {
    if (i < j && own.find(i, j) < 0) added.emplace_back(i, j);
  };
  for (int m = 0; m < p.n_contact(); ++m)
    for (const ContactPart* i = relative.begin(m); i != relative.end(m); ++i)
      for (const ContactPart* j = relative.begin(m); j != relative.end(m); ++j)
        couple(i->row, j->row);

  // Rows on which row i of A acts.
  const auto for_images = [&](int i, const auto& f) {
    f(i, Mat3d::identity());
    relative.for_masters(i, f);
  };
  // True if block (i, k) of A contributes to other blocks.
  const auto spreads = [&](int i, int k) { return relative.is_slave(i) || relative.is_slave(k); };
  if (relative.has_slaves())
    for (int i = 0; i < p.n_node(); ++i)
      for (int k = own.row_begin[i]; k < own.row_begin[i + 1]; ++k)
        if (spreads(i, own.column[k]))
          for_images(i, [&](std::int32_t r, const Mat3d&) {
            for_images(own.column[k], [&](std::int32_t c, const Mat3d&) { couple(r, c); });
          });
  if (added.empty() && !relative.has_slaves()) return std::nullopt;

  for (int i = 0; i < p.n_node(); ++i)
    for (int k = own.row_begin[i]; k < own.row_begin[i + 1]; ++k)
      if (i < own.column[k]) added.emplace_back(i, own.column[k]);
  BlockMatrix K(BlockPattern::from_couplings(p.n_node(), added));
  for (int i = 0; i < p.n_node(); ++i)
    for (int k = own.row_begin[i]; k < own.row_begin[i + 1]; ++k) {
      const std::int32_t j = own.column[k];
      const Mat3d block = p.A.block(k);
      for_images(i, [&](std::int32_t r, const Mat3d& left) {
        for_images(j, [&](std::int32_t c, const Mat3d& right) {
          const int at = K.pattern->find(r, c);
          Mat3d value = block;
          if (r != i) value = transpose(left) * value;
          if (c != j) value = value * right;
          K.set_block(at, K.block(at) + value);
        });
      });
    }
  return K;
}

}  // namespace nodia
