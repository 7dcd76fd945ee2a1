/// The curves behind figures on impulse-level solvers: Lu & Trinkle, Schindler et al., Sun,
/// Enzenhoefer et al. Each is a plain table; `nodia study NAME` prints it.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace nodia::studies {

struct StudyColumn {
  std::string name;
  std::string unit;  ///< "-" without one, "text" for words
  std::string meaning;
};
using StudyCell = std::variant<double, std::string>;

struct StudyTable {
  std::vector<StudyColumn> columns;
  std::vector<std::vector<StudyCell>> rows;  ///< a cell a column
};

struct Study {
  const char* name;
  const char* title;
  StudyTable (*make)();
};
/// The studies, a visible table.
const std::vector<Study>& impulse_studies();

// Lu & Trinkle, particle on a plane: m = 1, v = (1, 0, -1), gap 0.15, h = 0.1, mu = 0.5.

/// Fig. 2: iterations until the CCK error is below 1e-6 (at most 300) against r, a curve for every
/// gravity, with the round cone and with four facets.
/// Columns: formulation, gravity_m_s2, r, iterations, status, total_error.
StudyTable lu_fig2();
/// Figs. 3 to 5: CCK error against the iteration (300 of them, tolerance 1e-17), a curve for every
/// r, at relaxation zeta = 0, 1e-12, 1e-6. The error is held against the problem without
/// relaxation. Columns: formulation, zeta, r, iteration, total_error, phi (its root: sqrt(2
/// total_error)).
StudyTable lu_error_history(double zeta);

// Schindler et al.

/// Fig. 6: normal force of the point mass, m = 1, h_y = -1, from an infeasible start; Fig. 7: its
/// tangential force, h_x = 0.3, mu = 0.5, with the normal force known. A curve for every r/m: the
/// prox function, and the iterates on it.
/// Columns: r_over_m, what (function | iterates), k (iteration; -1 on the function), lambda, next.
StudyTable schindler_point_mass(bool tangential);
/// The contraction factor against r/m, measured over ten iterations and |1 - r/m|, and iterations
/// to 1e-10. Columns: r_over_m, contraction, theory, iterations, status.
StudyTable schindler_contraction();
/// Figs. 9 to 12: prox function and iterates of Painleve's rod (uniform, L = 1, m = 1, 60 degrees,
/// r = 0.5) from several starts.
/// @param mu  0.5: G > 0; 2: G < 0
/// @param g   9.81 pulls the rod on the plane, -9.81 off it
/// Columns: what (function | iterates | solution), start, k, lambda, next, status.
StudyTable schindler_painleve(double mu, double g);
/// Who finds what: for friction over a grid, both signs of gravity and several starts, what theory
/// says (none, unique, two), and what Lemke, prox and Fischer report.
/// Columns: mu, g, G, theory, lambda_1, lambda_2, start, lemke, lemke_lambda, prox, prox_lambda,
/// fischer, fischer_lambda (forces over m; NaN where there is none).
StudyTable painleve_map();

// Sun.

/// Global and quadratic convergence of Algorithm 1 (mu = |Psi|^2 as printed, and the default 1e-3
/// of it): |Psi| of every iteration from many starts. Columns: problem, n, damping, start, k, psi,
/// psi_over_square (|Psi_k|/|Psi_(k-1)|^2), status.
StudyTable sun_convergence();

// Enzenhoefer et al.

/// Fig. 1: energy error over the plane of x and w, a = 1; normal force (x >= 0) and friction (|x|
/// <= 1). Columns: constraint (normal | friction), x, w, error.
StudyTable enzenhofer_isolines();
/// Error measures along the iterates of direct and iterative solvers on one random contact problem
/// without friction (20 contacts): energy error, natural residual |min(x, w)|, Fischer-Burmeister
/// merit 1/2 |psi|^2, and the distance to the solution in energy. The direct solver has its
/// solution alone. Columns: solver, k, energy_error_J, natural_residual, fischer_burmeister,
/// distance_J.
StudyTable enzenhofer_measures();

/// `name,...` and one line a row; NaN is empty.
std::string to_csv(const StudyTable& table);

}  // namespace nodia::studies
