/// Complementarity problems of the papers that impulse_studies.cpp draws its curves from.
#pragma once

#include "host/solvers/complementarity/mlcp.hpp"

namespace nodia::studies {

/// Lu & Trinkle's particle with the round cone; impulses (n, t, o) [N s], gravity g [m/s^2].
Mlcp particle_cone(double g);
/// The same with four friction directions, their (13) and (14): z = (p_n, p_f1..p_f4, s).
Lcp particle_lcp(double g);
/// Painleve's uniform rod at 60 degrees, m = L = 1, Schindler et al. (45): force [N].
Lcp painleve_rod(double mu, double g);
/// G of the same.
double painleve_G(double mu);
/// Symmetric positive definite, of `n` contacts without friction that share bodies.
Lcp random_contacts(int n, unsigned seed);
/// A nonsymmetric P matrix.
Lcp random_p_matrix(int n, unsigned seed);
/// Murty's triangular matrix, on which pivoting takes exponentially many steps from the wrong end.
Lcp murty(int n);

}  // namespace nodia::studies
