/// Complementarity problems of the papers, for the curves of impulse_studies.cpp.
#pragma once

#include "host/solvers/complementarity/mlcp.hpp"

namespace nodia::studies {

/// Lu & Trinkle's particle with the round cone; impulses (n, t, o) [N s], gravity g [m/s^2].
Mlcp particle_cone(double g);
/// The same with four friction directions, (13) and (14) of the paper: z = (p_n, p_f1..p_f4, s).
Lcp particle_lcp(double g);
/// Painleve's uniform rod at 60 degrees, m = L = 1, Schindler et al. (45): force [N].
Lcp painleve_rod(double mu, double g);
/// G of the same.
double painleve_G(double mu);
/// Symmetric positive definite problem of `n` contacts without friction that share bodies.
Lcp random_contacts(int n, unsigned seed);
/// A nonsymmetric P matrix.
Lcp random_p_matrix(int n, unsigned seed);
/// Murty's triangular matrix: pivoting from the wrong end takes exponentially many steps.
Lcp murty(int n);

}  // namespace nodia::studies
