/// Functions with bitwise equal results on every CPU. They use only sums, products, quotients and
/// roots; those of the C library select their code by the CPU. Relative errors are below 1e-13.
#pragma once

namespace nodia::portable {

/// @param x  finite. The result is infinite above 709.8 and zero below -745.2
double exponential(double x);

/// Natural logarithm. @param x  finite, > 0
double logarithm(double x);

/// @param x  in [-pi, pi]
double sine(double x);
double cosine(double x);

/// x - sin x, without cancellation. @param x  in [0, pi]
double less_sine(double x);

/// Probability that a standard normal number exceeds z. @param z  >= 0
double normal_above(double z);

/// Probability that a standard normal number is between low and high. The relative error is below
/// 1e-13 if low and high have the same sign. @param low, high  low <= high
double normal_between(double low, double high);

}  // namespace nodia::portable
