/// Exact solution of one contact, for sweeps.
#pragma once

#include "kernels/core/mat3.hpp"

namespace nodia {

/// Solves the strict law for u = free + D lambda by cases: open, stick by D^-1, and slip by one
/// angle, the direction of the friction on its ellipse, with which friction is opposite to slip.
/// @param D     symmetric positive definite [m/(N s)]
/// @param free  u without the contact's own force [m/s]
/// @param last  force from which the search for the angle starts [N]
/// @return      lambda [N]
Vec3d exact_contact(const Mat3d& D, Vec3d free, double mu1, double mu2, Vec3d last);

}  // namespace nodia
