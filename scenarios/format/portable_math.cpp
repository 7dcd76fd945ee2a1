#include "scenarios/format/portable_math.hpp"

#include <cmath>
#include <limits>

namespace nodia::portable {
namespace {

// ln 2 as a sum of two numbers. The first has 32 bits, so its products with whole numbers are
// exact.
constexpr double kLn2High = 0x1.62e42fee00000p-1, kLn2Low = 0x1.a39ef35793c76p-33;

constexpr double kPi = 3.14159265358979323846;
constexpr double kRootTwoPi = 2.50662827463100050242;

/// Sum over k >= first of (-1)^k x^(2k+1)/(2k+1)!.
double sine_series(double x, int first) {
  double term = x, sum = 0;
  for (int k = 0; k < 20; ++k) {
    if (k >= first) sum += term;
    term *= -x * x / ((2 * k + 2) * (2 * k + 3));
  }
  return sum;
}

}  // namespace

double exponential(double x) {
  if (x > 709.8) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  const double n = std::nearbyint(x / (kLn2High + kLn2Low));
  const double r = (x - n * kLn2High) - n * kLn2Low;  // |r| <= ln(2)/2
  double sum = 1;
  for (int k = 16; k >= 1; --k) sum = 1 + r * sum / k;
  return std::ldexp(sum, static_cast<int>(n));
}

double logarithm(double x) {
  int n = 0;
  double m = std::frexp(x, &n);
  if (m < 0.70710678118654752) {
    m *= 2;
    --n;
  }
  const double s = (m - 1) / (m + 1), s2 = s * s;  // ln m = 2 artanh s, |s| <= 0.172
  double sum = 0;
  for (int k = 14; k >= 0; --k) sum = 1.0 / (2 * k + 1) + s2 * sum;
  return n * kLn2High + (2 * s * sum + n * kLn2Low);
}

double sine(double x) {
  // The series cancels for |x| > pi/2; symmetry maps x to [-pi/2, pi/2].
  if (x > kPi / 2) return sine(kPi - x);
  if (x < -kPi / 2) return -sine(-x);
  return sine_series(x, 0);
}

double cosine(double x) {
  const double half = sine(x / 2);
  return 1 - 2 * half * half;
}

double less_sine(double x) {
  return -sine_series(x, 1);
}

double normal_above(double z) {
  const double density = exponential(-0.5 * z * z) / kRootTwoPi;
  if (z < 2) {
    // 1/2 - density (z + z^3/3 + z^5/(3 5) + ...)
    double term = z, sum = 0;
    for (int k = 1; k < 60; ++k) {
      sum += term;
      term *= z * z / (2 * k + 1);
    }
    return 0.5 - density * sum;
  }
  // density/(z + 1/(z + 2/(z + 3/(z + ...))))
  double fraction = z;
  for (int k = 120; k >= 1; --k) fraction = z + k / fraction;
  return density / fraction;
}

double normal_between(double low, double high) {
  if (low >= 0) return normal_above(low) - normal_above(high);
  if (high <= 0) return normal_above(-high) - normal_above(-low);
  return 1 - normal_above(-low) - normal_above(high);
}

}  // namespace nodia::portable
