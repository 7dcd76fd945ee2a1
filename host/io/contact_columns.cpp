#include "host/io/contact_columns.hpp"

#include <algorithm>

namespace nodia {
namespace {

constexpr const char* kParts[] = {"fx_N", "fy_N",    "fz_N",   "normal_N",
                                  "n",    "n_stick", "n_slip", "max_slip_m_s"};

}  // namespace

ContactColumns::ContactColumns(const Scene& scene, ContactGroups groups,
                               std::vector<std::string> taken)
    : objects_(scene) {
  column_of_object_.assign(static_cast<std::size_t>(objects_.size()), -1);
  if (groups == ContactGroups::none) return;
  const auto add_name = [&](const std::string& name) {
    taken.push_back(column_name(name, taken));
    names_.push_back(taken.back());
  };
  const auto name = [&](std::int32_t object) { return objects_.name(object); };
  pairs_ = touching_pairs(scene);
  std::vector<char> touches(column_of_object_.size());
  for (const auto& [a, b] : pairs_)
    touches[static_cast<std::size_t>(a)] = touches[static_cast<std::size_t>(b)] = 1;
  if (groups == ContactGroups::bodies ||
      (groups == ContactGroups::automatic && pairs_.size() > kMostAutomaticPairs))
    pairs_.clear();
  for (const auto& [a, b] : pairs_) add_name("contact_" + name(a) + "_" + name(b));
  for (std::int32_t a = 0; a < objects_.size(); ++a) {
    if (!touches[static_cast<std::size_t>(a)]) continue;
    column_of_object_[static_cast<std::size_t>(a)] = static_cast<std::int32_t>(names_.size());
    add_name("contact_" + name(a));
  }
}

std::string ContactColumns::header() const {
  std::string header;
  for (const std::string& name : names_)
    for (const char* part : kParts) header += fmt::format(",{}_{}", name, part);
  return header;
}

void ContactColumns::Sum::add(Vec3d force, double normal, ContactState state, double slip_m_s) {
  force_N += force;
  normal_N += normal;
  ++n;
  n_stick += state == ContactState::stick;
  n_slip += state == ContactState::slip;
  if (state != ContactState::open) max_slip_m_s = std::max(max_slip_m_s, slip_m_s);
}

void ContactColumns::add_to(const StepView& view, CsvRow* row) const {
  if (view.record.solve.status == SolveStatus::not_a_number) {
    row->add_empty(names_.size() * std::size(kParts));
    return;
  }
  std::vector<Sum> sums(names_.size());
  for (std::size_t m = 0; m < view.contact_sides().size() && !names_.empty(); ++m) {
    const ContactSides& sides = view.contact_sides()[m];
    const std::int32_t i = objects_.number(sides.i), j = objects_.number(sides.j);
    if (std::max(i, j) >= objects_.size()) continue;  // in a batch: not an object of this scene
    const Vec3d on_i = i == j ? Vec3d{} : transpose_times(view.contacts()[m].R, view.lambda()[m]);
    const double slip = norm(sides.slip_velocity);
    const auto add = [&](std::size_t column, Vec3d force) {
      sums[column].add(force, view.lambda()[m].x, view.contact_state()[m], slip);
    };
    const std::pair<std::int32_t, std::int32_t> pair = std::minmax(i, j);
    const auto found = std::lower_bound(pairs_.begin(), pairs_.end(), pair);
    if (found != pairs_.end() && *found == pair)
      add(static_cast<std::size_t>(found - pairs_.begin()), i <= j ? on_i : -on_i);
    const std::int32_t column_i = column_of_object_[static_cast<std::size_t>(i)],
                       column_j = column_of_object_[static_cast<std::size_t>(j)];
    if (column_i >= 0) add(static_cast<std::size_t>(column_i), on_i);
    if (column_j >= 0 && i != j) add(static_cast<std::size_t>(column_j), -on_i);
  }
  for (const Sum& sum : sums) {
    row->add(sum.force_N);
    row->add(sum.normal_N);
    row->add(sum.n);
    row->add(sum.n_stick);
    row->add(sum.n_slip);
    row->add(sum.max_slip_m_s);
  }
}

}  // namespace nodia
