/// Functions whose bits are the same on every CPU: products, sums, quotients and roots alone, where
/// those of the C library choose their code by the CPU. Relative errors stay below 1e-13.
#pragma once

namespace nodia::portable {

/// @param x  finite; beyond 709 the result is infinite, below -745 zero
double exponential(double x);

/// Natural logarithm. @param x  finite, > 0
double logarithm(double x);

/// @param x  in [-pi, pi]
double sine(double x);
double cosine(double x);

/// x - sin x, without cancellation. @param x  in [0, pi]
double less_sine(double x);

/// Share of the standard normal distribution above z. @param z  >= 0
double normal_above(double z);

/// Share of the standard normal distribution between two numbers, to a relative 1e-13 wherever they
/// lie on the same side of 0. @param low, high  low <= high
double normal_between(double low, double high);

}  // namespace nodia::portable
