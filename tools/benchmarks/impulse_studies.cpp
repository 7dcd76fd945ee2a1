#include "tools/benchmarks/impulse_studies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "host/errors/energy.hpp"
#include "host/solvers/complementarity/fischer_newton.hpp"
#include "host/solvers/complementarity/lemke.hpp"
#include "host/solvers/complementarity/prox_iteration.hpp"
#include "host/solvers/interface.hpp"
#include "tools/benchmarks/impulse_problems.hpp"

namespace nodia::studies {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// 300 iterations at most, as in the paper.
ProxOptions given_factor(double r, double zeta = 0, int max_iterations = 300) {
  ProxOptions options;
  options.factor = ProxFactor::given;
  options.r = r;
  options.zeta = zeta;
  options.max_iterations = max_iterations;
  return options;
}

struct Formulation {
  const char* name;
  Mlcp mlcp;
};
std::vector<Formulation> formulations(double g) {
  return {{"cone", particle_cone(g)}, {"four_facets", to_mlcp(particle_lcp(g))}};
}

const Field kFormulation{"formulation", "text", "round cone, or LCP with four facets"};
const Field kIteration{"k", "-", "iteration; 0 the start, -1 where there is none"};
const Field kStatus{"status", "text", "how the iteration ended"};
const Field kWhat{"what", "text", "a point of the prox function, of its iterates, a solution"};

/// Adds the iterates of a force from `start`, each with its image and, if the table has it, the
/// status of the whole iteration.
/// @param front  values of the fields before the iteration
void add_iterates(const Mlcp& mlcp, double r, double start, const std::vector<Row>& front, int n,
                  Table* table) {
  const std::size_t first = table->rows.size();
  double before = start;
  int k = 0;
  const ProxSolution solution =
      prox_fixed_point(mlcp, given_factor(r, 0, n), Eigen::VectorXd::Constant(1, start),
                       [&](const Eigen::VectorXd& x, const Eigen::VectorXd&) {
                         std::vector<Row> values = front;
                         values.insert(values.end(), {double(k++), before, x[0]});
                         table->add(values);
                         const bool done = std::abs(x[0] - before) < 1e-14 * (1 + std::abs(x[0]));
                         before = x[0];
                         return done;
                       });
  for (std::size_t row = first; row < table->rows.size(); ++row)
    if (table->rows[row].contains("status")) table->rows[row]["status"] = name_of(solution.status);
}

double prox_of(const Mlcp& mlcp, double r, double lambda) {
  Eigen::VectorXd x = Eigen::VectorXd::Constant(1, lambda);
  x -= r * (mlcp.A * x + mlcp.b);
  project(mlcp.sets, &x);
  return x[0];
}

/// Samples of a range, both ends included.
std::vector<double> range(double first, double last, int n) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(first + (last - first) * i / (n - 1));
  return values;
}

double fischer_burmeister(const Eigen::VectorXd& x, const Eigen::VectorXd& w) {
  double sum = 0;
  for (int i = 0; i < x.size(); ++i) {
    const double psi = std::hypot(x[i], w[i]) - x[i] - w[i];
    sum += psi * psi / 2;
  }
  return sum;
}

// Lu & Trinkle, particle on a plane: m = 1, v = (1, 0, -1), gap 0.15, h = 0.1, mu = 0.5.

/// Fig. 2: iterations until the CCK error is below 1e-6 (at most 300) against r, one curve per
/// gravity, with the round cone and with four facets.
Table lu_fig2() {
  Table table{{kFormulation,
               {"gravity_m_s2", "m/s^2", "vertical acceleration; below -5 the particle hits"},
               {"r", "kg", "factor of the prox iteration"},
               {"iterations", "-", "until the total error is below 1e-6, at most 300"},
               kStatus,
               {"total_error", "-", "CCK, xi = 0.7"}},
              {}};
  for (const double g : {-3.0, -5.0, -5.001, -5.1, -6.0, -10.0, -20.0, -30.0})
    for (const Formulation& f : formulations(g))
      for (const double r : range(0.05, 2.0, 40)) {
        const ProxSolution a =
            prox_fixed_point(f.mlcp, given_factor(r), Eigen::VectorXd::Zero(f.mlcp.size()), 1e-6);
        table.add({f.name, g, r, double(a.iterations), name_of(a.status),
                   cck_error(f.mlcp, a.x, f.mlcp.A * a.x + f.mlcp.b)});
      }
  return table;
}

/// Figs. 3 to 5: CCK error against the iteration (300 of them, tolerance 1e-17), one curve per r.
/// The error is that of the problem without relaxation.
/// @param zeta  relaxation: 0, 1e-12 or 1e-6
Table lu_error_history(double zeta) {
  Table table{{kFormulation,
               {"zeta", "1/kg", "relaxation on the diagonal"},
               {"r", "kg", "factor of the prox iteration"},
               kIteration,
               {"total_error", "-", "CCK, xi = 0.7, of the problem without relaxation"},
               {"phi", "-", "sqrt(2 total_error)"}},
              {}};
  for (const Formulation& f : formulations(-10))
    for (const double r : {0.1, 0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.9}) {
      int k = 0;
      prox_fixed_point(f.mlcp, given_factor(r, zeta), Eigen::VectorXd::Zero(f.mlcp.size()),
                       [&](const Eigen::VectorXd& x, const Eigen::VectorXd& w) {
                         const double error = cck_error(f.mlcp, x, w);
                         table.add({f.name, zeta, r, double(++k), error, std::sqrt(2 * error)});
                         return error < 1e-17;
                       });
    }
  return table;
}

// Schindler et al.

/// Fig. 6: normal force of the point mass, m = 1, h_y = -1, from an infeasible start. Fig. 7: its
/// tangential force, h_x = 0.3, mu = 0.5, with a known normal force. One curve per r/m: the prox
/// function, and the iterates on it.
Table schindler_point_mass(bool tangential) {
  Table table{{{"r_over_m", "-", "factor over the mass"},
               kWhat,
               kIteration,
               {"lambda", "N", "force"},
               {"next", "N", "its image under the prox function"}},
              {}};
  const double h = tangential ? 0.3 : -1, bound = 0.5;
  const Mlcp mlcp{Eigen::MatrixXd::Ones(1, 1),
                  Eigen::VectorXd::Constant(1, h),
                  {tangential ? ForceSet::interval(0, -bound, bound) : ForceSet::not_negative(0)}};
  const std::vector<double> factors = tangential ? std::vector<double>{1.2, 1.5, 1.8}
                                                 : std::vector<double>{0.3, 0.7, 1.0, 1.3, 1.7};
  for (const double r : factors) {
    for (const double lambda : range(tangential ? -1.5 : -1, tangential ? 1.5 : 3, 121))
      table.add({r, "function", -1.0, lambda, prox_of(mlcp, r, lambda)});
    add_iterates(mlcp, r, tangential ? 1.2 : -0.8, {r, "iterates"}, 60, &table);
  }
  return table;
}

/// Contraction factor against r/m, measured over ten iterations and by theory, and iterations to
/// 1e-10.
Table schindler_contraction() {
  Table table{{{"r_over_m", "-", "factor over the mass"},
               {"contraction", "-", "measured over the first ten iterations"},
               {"theory", "-", "|1 - r/m|"},
               {"iterations", "-", "until |lambda + h_y| is below 1e-10, at most 1000"},
               kStatus},
              {}};
  const Mlcp mlcp{
      Eigen::MatrixXd::Ones(1, 1), Eigen::VectorXd::Constant(1, -1), {ForceSet::not_negative(0)}};
  for (const double r : range(0.05, 2.2, 44)) {
    // Starts so near to the solution that the constraint stays out of ten iterations.
    const double start = 1 + 1e-2;
    double before = 1e-2, product = 1;
    int k = 0;
    const ProxSolution a =
        prox_fixed_point(mlcp, given_factor(r, 0, 1000), Eigen::VectorXd::Constant(1, start),
                         [&](const Eigen::VectorXd& x, const Eigen::VectorXd&) {
                           const double error = std::abs(x[0] - 1);
                           if (k < 10 && before > 1e-6) {
                             product *= error / before;
                             ++k;
                           }
                           before = error;
                           return error < 1e-10;
                         });
    table.add(
        {r, std::pow(product, 1.0 / k), std::abs(1 - r), double(a.iterations), name_of(a.status)});
  }
  return table;
}

/// Figs. 9 to 12: prox function and iterates of Painleve's rod (uniform, L = 1, m = 1, 60 degrees,
/// r = 0.5) from several starts.
/// @param mu  0.5: G > 0; 2: G < 0
/// @param g   9.81 pulls the rod on the plane, -9.81 off it
Table schindler_painleve(double mu, double g) {
  Table table{{kWhat,
               {"start", "N", "first iterate; NaN on the function and for solutions"},
               kIteration,
               {"lambda", "N", "normal force"},
               {"next", "N", "its image under the prox function"},
               kStatus},
              {}};
  const double r = 0.5;
  const Mlcp mlcp = to_mlcp(painleve_rod(mu, g));
  for (const double lambda : range(-5, 25, 121))
    table.add({"function", kNaN, -1.0, lambda, prox_of(mlcp, r, lambda)});
  for (const Eigen::VectorXd& z : all_solutions(painleve_rod(mu, g)))
    table.add({"solution", kNaN, -1.0, z[0], z[0]});
  for (const double start : {-2.0, 1.0, 5.0, 11.0, 12.0, 20.0})
    add_iterates(mlcp, r, start, {"iterates", start}, 200, &table);
  return table;
}

/// Solutions by theory (none, unique, two) and the solutions that Lemke, prox and Fischer report,
/// over friction, both signs of gravity and several starts.
Table painleve_map() {
  Table table{{{"mu", "-", "friction"},
               {"g", "m/s^2", "gravity, positive pulls the rod on the plane"},
               {"G", "1/kg", "of the scalar LCP"},
               {"theory", "text", "none, unique or two"},
               {"lambda_1", "N", "first solution"},
               {"lambda_2", "N", "second solution"},
               {"start", "N", "of prox and Fischer"},
               {"lemke", "text", "status"},
               {"lemke_lambda", "N", "where converged"},
               {"prox", "text", "status, r = 0.5"},
               {"prox_lambda", "N", "where converged"},
               {"fischer", "text", "status"},
               {"fischer_lambda", "N", "where converged"}},
              {}};
  const auto solved = [](SolveStatus status, double lambda) {
    return status == SolveStatus::converged ? lambda : kNaN;
  };
  for (const double mu :
       {0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.3, 1.34, 1.36, 1.4, 1.5, 1.75, 2.0, 2.5})
    for (const double g : {9.81, -9.81}) {
      const Lcp rod = painleve_rod(mu, g);
      const std::vector<Eigen::VectorXd> theory = all_solutions(rod);
      const LcpSolution pivoting = lemke(rod);
      for (const double start : {0.0, 1.0, 5.0, 11.0, 12.0, 20.0}) {
        const Eigen::VectorXd first = Eigen::VectorXd::Constant(1, start);
        const ProxSolution prox =
            prox_fixed_point(to_mlcp(rod), given_factor(0.5, 0, 5000), first, 1e-20);
        const LcpSolution fischer = fischer_newton(rod, {}, first);
        table.add({mu, g, painleve_G(mu), count_in_words(theory.size()),
                   theory.empty() ? kNaN : theory[0][0], theory.size() < 2 ? kNaN : theory[1][0],
                   start, name_of(pivoting.status), solved(pivoting.status, pivoting.z[0]),
                   name_of(prox.status), solved(prox.status, prox.x[0]), name_of(fischer.status),
                   solved(fischer.status, fischer.z[0])});
      }
    }
  return table;
}

// Sun.

/// Global and quadratic convergence of Algorithm 1 (mu = |Psi|^2 as printed, and the default 1e-3
/// of it): |Psi| of every iteration from many starts.
Table sun_convergence() {
  Table table{{{"problem", "text", "which LCP"},
               {"n", "-", "its size"},
               {"damping", "-", "mu over |Psi|^2; 1 as printed"},
               {"start", "-", "number of the start; 0: zero"},
               kIteration,
               {"psi", "-", "|Psi| in the scaled problem"},
               {"psi_over_square", "-", "|Psi_k|/|Psi_(k-1)|^2: bounded where quadratic"},
               kStatus},
              {}};
  const std::pair<const char*, Lcp> problems[]{{"particle", particle_lcp(-10)},
                                               {"contacts", random_contacts(20, 1)},
                                               {"p_matrix", random_p_matrix(20, 1)},
                                               {"p_matrix", random_p_matrix(60, 2)},
                                               {"murty", murty(10)}};
  for (const auto& [name, lcp] : problems)
    for (const double damping : {1.0, 1e-3})
      for (int start = 0; start < 8; ++start) {
        Eigen::VectorXd x = Eigen::VectorXd::Zero(lcp.size());
        for (int i = 0; start > 0 && i < x.size(); ++i)
          x[i] = 10 * std::sin(1.0 + 7 * start + 3 * i);
        FischerOptions options;
        options.damping = damping;
        options.tolerance = 1e-13;
        options.max_iterations = 500;
        std::vector<double> psi;
        const LcpSolution solution = fischer_newton(
            lcp, options, x, [&](const Eigen::VectorXd&, double norm) { psi.push_back(norm); });
        for (std::size_t k = 0; k < psi.size(); ++k)
          table.add({name, double(lcp.size()), damping, double(start), double(k), psi[k],
                     k == 0 ? kNaN : psi[k] / (psi[k - 1] * psi[k - 1]), name_of(solution.status)});
      }
  return table;
}

// Enzenhoefer et al.

/// Fig. 1: energy error over the plane of x and w, a = 1; normal force (x >= 0) and friction (|x|
/// <= 1).
Table enzenhofer_isolines() {
  Table table{{{"constraint", "text", "normal: x >= 0; friction: |x| <= 1"},
               {"x", "N s", "impulse"},
               {"w", "m/s", "velocity"},
               {"error", "J", "energy error at a = 1"}},
              {}};
  const double infinite = std::numeric_limits<double>::infinity();
  for (const bool friction : {false, true})
    for (const double x : range(-2, 2, 81))
      for (const double w : range(-2, 2, 81))
        table.add({friction ? "friction" : "normal", x, w,
                   energy_error_scalar(x, w, 1, friction ? -1 : 0, friction ? 1 : infinite)});
  return table;
}

/// Error measures along the iterates of direct and iterative solvers on one random contact problem
/// without friction (20 contacts): energy error, natural residual |min(x, w)|, Fischer-Burmeister
/// merit 1/2 |psi|^2, and the distance to the solution in energy.
Table enzenhofer_measures() {
  Table table{{{"solver", "text", "lemke is direct, the others iterate"},
               kIteration,
               {"energy_error_J", "J", "Enzenhoefer et al. (6)"},
               {"natural_residual", "mixed", "|min(x, w)|"},
               {"fischer_burmeister", "mixed", "1/2 |psi|^2"},
               {"distance_J", "J", "1/2 (x - x*) . A (x - x*), x* to rounding"}},
              {}};
  const Lcp lcp = random_contacts(20, 3);
  const Mlcp mlcp = to_mlcp(lcp);
  const LcpSolution exact = lemke(lcp);
  const auto add = [&](const char* solver, int k, const Eigen::VectorXd& x) {
    const Eigen::VectorXd w = lcp.M * x + lcp.q, e = x - exact.z;
    table.add({solver, double(k), energy_error(mlcp, x), x.cwiseMin(w).norm(),
               fischer_burmeister(x, w), e.dot(lcp.M * e) / 2});
  };
  add("lemke", exact.iterations, exact.z);
  for (const auto& [name, factor] : {std::pair{"prox_adaptive", ProxFactor::adaptive},
                                     std::pair{"prox_eigenvalues", ProxFactor::eigenvalues}}) {
    ProxOptions options;
    options.factor = factor;
    options.max_iterations = 400;
    int k = 0;
    prox_fixed_point(mlcp, options, Eigen::VectorXd::Zero(lcp.size()),
                     [&, name = name](const Eigen::VectorXd& x, const Eigen::VectorXd&) {
                       add(name, ++k, x);
                       return false;
                     });
  }
  Eigen::VectorXd x = Eigen::VectorXd::Zero(lcp.size());
  for (int k = 1; k <= 400; ++k) {  // projected Gauss-Seidel
    for (int i = 0; i < lcp.size(); ++i)
      x[i] = std::max(0.0, x[i] - (lcp.M.row(i).dot(x) + lcp.q[i]) / lcp.M(i, i));
    add("pgs", k, x);
  }
  const Eigen::VectorXd column = equilibrate(lcp).column;
  int k = 0;
  fischer_newton(lcp, {}, {}, [&](const Eigen::VectorXd& scaled, double) {
    add("fischer", k++, column.cwiseProduct(scaled));
  });
  return table;
}

}  // namespace

const std::vector<Study>& impulse_studies() {
  static const std::vector<Study> studies{
      {"lu_fig2", "Lu & Trinkle, Fig. 2: iterations against r for several gravities", &lu_fig2},
      {"lu_fig3", "Lu & Trinkle, Fig. 3: error history, zeta = 0",
       [] { return lu_error_history(0); }},
      {"lu_fig4", "Lu & Trinkle, Fig. 4: error history, zeta = 1e-12",
       [] { return lu_error_history(1e-12); }},
      {"lu_fig5", "Lu & Trinkle, Fig. 5: error history, zeta = 1e-6",
       [] { return lu_error_history(1e-6); }},
      {"schindler_fig6", "Schindler et al., Fig. 6: iterates of the normal force",
       [] { return schindler_point_mass(false); }},
      {"schindler_fig7", "Schindler et al., Fig. 7: iterates of the tangential force",
       [] { return schindler_point_mass(true); }},
      {"schindler_contraction", "point mass: contraction against r/m", &schindler_contraction},
      {"schindler_fig9", "Schindler et al., Fig. 9: Painleve rod, g, G > 0, unique",
       [] { return schindler_painleve(0.5, 9.81); }},
      {"schindler_fig10", "Schindler et al., Fig. 10: Painleve rod, g < 0, G > 0, unique",
       [] { return schindler_painleve(0.5, -9.81); }},
      {"schindler_fig11", "Schindler et al., Fig. 11: Painleve rod, g > 0, G < 0, none",
       [] { return schindler_painleve(2, 9.81); }},
      {"schindler_fig12", "Schindler et al., Fig. 12: Painleve rod, g, G < 0, two",
       [] { return schindler_painleve(2, -9.81); }},
      {"painleve_map", "Painleve rod: what theory says and who finds what", &painleve_map},
      {"sun_convergence", "Sun: |Psi| of Algorithm 1 from many starts", &sun_convergence},
      {"enzenhofer_fig1", "Enzenhoefer et al., Fig. 1: isolines of the energy error",
       &enzenhofer_isolines},
      {"enzenhofer_measures",
       "Enzenhoefer et al.: error measures over direct and iterative solvers",
       &enzenhofer_measures},
  };
  return studies;
}

}  // namespace nodia::studies
