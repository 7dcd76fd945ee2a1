#include "host/solvers/newton/exact_contact.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nodia {
namespace {

constexpr int kSecants = 8, kBrackets = 64, kBisections = 40;
constexpr double kExact = 1e-12, kGoodEnough = 1e-6, kProbe = 1e-6, kLongestStep = 0.5;

/// The contact as a function of the angle of its friction.
class Slip {
 public:
  Slip(const Mat3d& D, Vec3d free, double mu1, double mu2)
      : D_(D), free_(free), mu1_(mu1), mu2_(mu2) {}

  /// Force whose normal velocity is zero.
  Vec3d force(double angle) const {
    const double f1 = mu1_ * std::cos(angle), f2 = mu2_ * std::sin(angle);
    const double normal = -free_.x / (D_(0, 0) + D_(0, 1) * f1 + D_(0, 2) * f2);
    return {normal, normal * f1, normal * f2};
  }
  struct Value {
    double across, along;  ///< slip across and along the ellipse's outer normal [m/s]
  };
  Value at(double angle) const {
    const Vec3d u = free_ + D_ * force(angle);
    const double n1 = mu2_ * std::cos(angle), n2 = mu1_ * std::sin(angle);
    const double scale = 1 / std::hypot(n1, n2);
    return {scale * (u.y * n2 - u.z * n1), scale * (u.y * n1 + u.z * n2)};
  }

 private:
  const Mat3d& D_;
  Vec3d free_;
  double mu1_, mu2_;
};

/// Secant steps from an angle. @return true if they end at friction opposite to slip
bool search_from(const Slip& slip, double* angle) {
  for (int k = 0; k <= kSecants; ++k) {
    const Slip::Value value = slip.at(*angle);
    const double off = std::fabs(value.across), size = std::hypot(value.across, value.along);
    if (!(value.along < 0)) return false;
    if (off <= (k < kSecants ? kExact : kGoodEnough) * size) return true;
    const double slope = (slip.at(*angle + kProbe).across - value.across) / kProbe;
    if (k == kSecants || !(std::fabs(slope) > 0)) return false;
    *angle += std::clamp(-value.across / slope, -kLongestStep, kLongestStep);
  }
  return false;
}

/// Bisects every change of sign around the ellipse. @return true if one is a solution
bool search_all(const Slip& slip, double* angle) {
  double best = 0;
  bool found = false;
  double low = 0;
  Slip::Value at_low = slip.at(0);
  for (int k = 1; k <= kBrackets; ++k) {
    const double high = 2 * std::numbers::pi * k / kBrackets;
    const Slip::Value at_high = slip.at(high);
    if ((at_low.across < 0) != (at_high.across < 0)) {
      double a = low, b = high;
      for (int i = 0; i < kBisections; ++i) {
        const double middle = (a + b) / 2;
        ((slip.at(middle).across < 0) == (at_low.across < 0) ? a : b) = middle;
      }
      const double off = std::fabs(slip.at(a).across);
      if (slip.at(a).along < 0 && slip.force(a).x > 0 && (!found || off < best)) {
        found = true;
        best = off;
        *angle = a;
      }
    }
    low = high;
    at_low = at_high;
  }
  return found;
}

}  // namespace

Vec3d exact_contact(const Mat3d& D, Vec3d free, double mu1, double mu2, Vec3d last) {
  if (free.x >= 0) return {};
  const Vec3d stick = -(inverse(D) * free);
  const bool has_friction = mu1 > 0 && mu2 > 0;
  if (stick.x > 0 && has_friction && std::hypot(stick.y / mu1, stick.z / mu2) <= stick.x)
    return stick;
  const Vec3d frictionless{-free.x / D(0, 0), 0, 0};
  if (!has_friction) return frictionless;
  const Slip slip(D, free, mu1, mu2);
  double angle = last.y != 0 || last.z != 0 ? std::atan2(last.z / mu2, last.y / mu1)
                                            : std::atan2(-free.z / mu1, -free.y / mu2);
  if (search_from(slip, &angle) && slip.force(angle).x > 0) return slip.force(angle);
  return search_all(slip, &angle) ? slip.force(angle) : frictionless;
}

}  // namespace nodia
