#include "host/simulation/obstacle_force.hpp"

#include <algorithm>

#include "kernels/cpu/chunk_sum.hpp"

namespace nodia {

Vec3d obstacle_force(const std::vector<Contact<double>>& contacts, const std::vector<Vec3d>& lambda,
                     int n_thread, std::vector<Vec3d>* on_side) {
  std::int32_t n_side = 0;
  for (const Contact<double>& c : contacts)
    if (c.side_j == kWorld) n_side = std::max(n_side, c.side_i + 1);
  on_side->assign(static_cast<std::size_t>(n_side), Vec3d{});
  for (std::size_t m = 0; m < contacts.size(); ++m)
    if (const Contact<double>& c = contacts[m]; c.side_j == kWorld)
      (*on_side)[static_cast<std::size_t>(c.side_i)] += transpose_times(c.R, lambda[m]);
  return chunk_sum(n_side, n_thread, Vec3d{}, [&](int side, Vec3d* force) {
    *force += (*on_side)[static_cast<std::size_t>(side)];
  });
}

}  // namespace nodia
