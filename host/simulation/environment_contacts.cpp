#include "host/simulation/environment_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/contact/contact_state.hpp"

namespace nodia {

int EnvironmentContacts::count(ContactState wanted) const {
  return static_cast<int>(std::count(state.begin(), state.end(), wanted));
}

bool EnvironmentContacts::has_soft_pairs() const {
  return std::any_of(found.pairs.begin(), found.pairs.end(),
                     [](const SurfacePair& pair) { return pair.rule != PairRule::node; });
}

void EnvironmentContacts::set_contacts(const StepSolution& solution, std::int32_t n_row) {
  if (solution.contacts == nullptr) return;
  found.contacts.assign(solution.contacts, solution.contacts + solution.n_contact);
  const auto own = [&](std::int32_t side) {
    return side >= solution.first_point ? side - solution.first_point + n_row
                                        : side - solution.first_row;
  };
  for (Contact<double>& c : found.contacts) {
    c.side_i = own(c.side_i);
    if (c.side_j != kWorld) c.side_j = own(c.side_j);
  }
}

void EnvironmentContacts::set_forces(const Vec3d* forces, bool with_pair_forces,
                                     InitialGuess* guess) {
  lambda.assign(forces, forces + found.contacts.size());
  state.clear();
  guess->clear_forces();
  for (std::size_t m = 0; m < found.contacts.size(); ++m) {
    const Contact<double>& c = found.contacts[m];
    state.push_back(contact_state(c, lambda[m]));
    guess->force_by_key.emplace_back(c.key, lambda[m]);
    const SurfacePair& p = found.pairs[m];
    if (with_pair_forces && p.rule != PairRule::node)
      guess->pair_forces.push_back(
          {{p.surface_i, p.surface_j, p.feature_i, p.rule == PairRule::edge ? p.feature_j : -1},
           lambda[m]});
  }
  guess->sort_forces();
}

EnvironmentContacts::Work EnvironmentContacts::work(const Vec3d* v_hat, std::int32_t n_row,
                                                    double step_s) const {
  Work work;
  for (std::size_t m = 0; m < found.contacts.size(); ++m) {
    const Vec3d u = found.contacts[m].R * found.row_velocity(m, v_hat, n_row);
    const double normal = step_s * lambda[m].x * u.x;
    const double tangential = step_s * (lambda[m].y * u.y + lambda[m].z * u.z);
    work.work_J += normal + tangential;
    work.turnover_J += std::fabs(normal) + std::fabs(tangential);
  }
  return work;
}

void EnvironmentContacts::set_slip_velocities(const Vec3d* v_hat, const Vec3d* shift,
                                              std::int32_t n_row, double step_s) {
  for (std::size_t m = 0; m < found.contacts.size(); ++m) {
    const Contact<double>& c = found.contacts[m];
    const SurfacePair& pair = found.pairs[m];
    const Vec3d u = c.R * found.relative_velocity(m, v_hat, n_row);
    found.sides[m].slip_velocity = transpose_times(c.R, Vec3d{0, u.y, u.z});
    double& gap_end_m = found.sides[m].gap_end_m;
    gap_end_m = pair.gap_m + pair.turn_m + step_s * u.x;
    if (shift != nullptr) gap_end_m += dot(c.R.row[0], found.row_velocity(m, shift, n_row));
  }
}

}  // namespace nodia
