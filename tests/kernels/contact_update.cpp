#include "kernels/contact/contact_update.hpp"

#include <gtest/gtest.h>

#include <random>

#include "kernels/contact/natural_map.hpp"

namespace nodia {
namespace {

/// A contact whose surrogate velocity is u = gamma lambda + w.
struct OneContact {
  ContactLaw<double> law;
  Vec3d w;
  double gamma, omega;
};

OneContact random_contact(unsigned seed, Projection projection, double omega) {
  std::mt19937_64 engine(seed);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  OneContact c{{projection, uniform(0.1, 1.5), 0}, {}, uniform(0.01, 3), omega};
  c.law.mu2 = seed % 2 == 0 ? c.law.mu1 : uniform(0.1, 1.5);
  c.w = {uniform(-1, 0.3), uniform(-1, 1), uniform(-1, 1)};
  return c;
}

template <class Check>
void for_contacts(const Check& check) {
  for (const Projection projection : {Projection::strict, Projection::proximal})
    for (const double omega : {0.0, 0.4})
      for (unsigned seed = 1; seed <= 200; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << " omega " << omega);
        check(random_contact(seed, projection, omega));
      }
}

TEST(ContactUpdate, OneShotMeetsTheLawOfTheSurrogate) {
  for_contacts([](const OneContact& c) {
    const Vec3d lambda = contact_update(c.law, Vec3d{}, c.w, c.gamma, c.omega);
    const Vec3d u = c.w + (c.gamma + c.omega) * lambda;
    EXPECT_LT(norm(natural_map(lambda, u, c.gamma, c.law.mu1, c.law.mu2, c.law.projection)),
              1e-12 * (norm(lambda) + norm(u) / c.gamma));
  });
}

TEST(ContactUpdate, TheForceOfTheLawStays) {
  for_contacts([](const OneContact& c) {
    const Vec3d lambda = contact_update(c.law, Vec3d{}, c.w, c.gamma, c.omega);
    const Vec3d again = contact_update(c.law, lambda, c.gamma * lambda + c.w, c.gamma, c.omega);
    EXPECT_LT(norm(again - lambda), 1e-13 * norm(c.w) / c.gamma);
    // Any other force that u holds leads there in one step as well.
    const Vec3d other{0.7, -0.2, 0.1};
    const Vec3d from_other = contact_update(c.law, other, c.gamma * other + c.w, c.gamma, c.omega);
    EXPECT_LT(norm(from_other - lambda), 1e-13 * (norm(c.w) / c.gamma + norm(other)));
  });
}

TEST(ContactUpdate, TheJumpIsGammaTimesTheOneShot) {
  for_contacts([](const OneContact& c) {
    const Vec3d jump = one_shot_jump(c.law, c.w, c.gamma, c.omega);
    EXPECT_LT(norm(jump - c.gamma * contact_update(c.law, Vec3d{}, c.w, c.gamma, c.omega)),
              1e-14 * norm(c.w));
  });
}

}  // namespace
}  // namespace nodia
