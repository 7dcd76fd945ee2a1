/// Static contact as one ContactProblem: A = K, "velocity" = displacement, lambda = force
/// (benchmarks 7 and 9).
#include <gtest/gtest.h>

#include <cmath>

#include "fem/mesh/meshers.hpp"
#include "fem/soft/tet_model.hpp"
#include "host/solvers/catalogue.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {
namespace {

/// K of a mesh as the matrix of a problem in which step and theta are one; b and mass zero-filled.
ContactProblem static_problem(const TetMesh& mesh, const Material& material) {
  TetModel model;
  Material weightless = material;
  weightless.density_kg_m3 = 1e-9;  // A = M/t + t K with t = 1: the mass does not show
  model.add_body(mesh, weightless);
  model.finish();
  ContactProblem problem;
  problem.A = BlockMatrix(model.pattern());
  problem.b.resize(mesh.nodes.size());
  problem.step_s = 1;
  problem.theta = 1;
  std::vector<Vec3d> force(mesh.nodes.size());
  model.assemble({mesh.nodes.data(), 1.0, 1.0, nullptr, 1}, problem.A.value.data(), force.data());
  problem.env_node_begin = {0, static_cast<std::int32_t>(mesh.nodes.size())};
  problem.env_contact_begin = {0, 0};
  problem.derive_topology();
  return problem;
}

/// Holds axis `axis` of a node: adds a stiffness that is large beside its own.
void hold(ContactProblem* problem, int node, int axis) {
  const int k = problem->A.pattern->diagonal[node];
  Mat3d block = problem->A.block(k);
  block(axis, axis) += 1e3 * trace(block);
  problem->A.set_block(k, block);
}

void add_contact(ContactProblem* problem, int node, Vec3d normal, double gap) {
  Contact<double> c;
  c.side_i = node;
  c.R = frame_from_normal(normal);
  c.phi = {gap, 0, 0};
  problem->contacts.push_back(c);
  ++problem->env_contact_begin.back();
}

/// Force on a rigid frictionless sphere of radius 0.05 m pressed by `depth` into an elastic block,
/// from a quarter model with `across` elements over the contact radius, cells growing geometrically
/// to `far` outside.
double indentation_force(double depth, double across) {
  const double radius = 0.05,
               far = 2.5;  // the nearer the fixed bottom, the stiffer: about 1.2 a/far
  const double a = std::sqrt(radius * depth), h = a / across;
  std::vector<double> line{0};
  while (line.back() < 1.25 * a) line.push_back(line.back() + h);
  double step = h;
  while (line.back() < far) {
    step *= 1.35;
    line.push_back(line.back() + step);
  }
  const int n = static_cast<int>(line.size()) - 1;
  TetMesh mesh = mesh_box({1, 1, 1}, {n, n, n});
  for (Vec3d& p : mesh.nodes) {
    const auto at = [&](double s) { return line[static_cast<std::size_t>(std::lround(s * n))]; };
    p = {at(p.x), at(p.y), -at(1 - p.z)};
  }
  ContactProblem problem = static_problem(mesh, {1e6, 0.3, 1000, 0, 0});
  // z_max is the surface z = 0: mesh_box's z = 1.
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    const Vec3d p = mesh.nodes[i];
    const int node = static_cast<int>(i);
    if (p.x == 0) hold(&problem, node, 0);
    if (p.y == 0) hold(&problem, node, 1);
    if (p.z == -line.back()) hold(&problem, node, 2);
    const double r = std::hypot(p.x, p.y);
    // The sphere's lower surface over the node, at its final depth; only normal to the plane, as in
    // Hertz's theory.
    if (p.z == 0 && r < 1.25 * a)
      add_contact(&problem, node, {0, 0, -1}, r * r / (2 * radius) - depth);
  }
  // A static stiffness matrix on a graded mesh suits a factorisation, not V-FPI: its condition is
  // that of the mesh.
  SolverOptions options = tight(1e-8);
  options.solver = "pgs";
  options.factor.sparse_rhs = true;
  options.factor.factoriser = fastest_factoriser();
  Solution solution;
  make_solver(options)->solve(problem, {}, &solution);
  EXPECT_EQ(solution.env[0].status, SolveStatus::converged);
  double quarter = 0;
  for (const Vec3d& l : solution.lambda) quarter += l.x;
  return 4 * quarter;
}

TEST(HertzContact, ForceFollowsTheThreeHalvesLaw) {
  // F = 4/3 E* sqrt(R) d^(3/2), E* = E/(1 - nu^2).
  const double E_star = 1e6 / (1 - 0.09);
  const auto hertz = [&](double d) {
    return 4.0 / 3 * E_star * std::sqrt(0.05) * std::pow(d, 1.5);
  };
  // Elements scale with the contact radius, so the deeper one has the finer mesh relative to the
  // block: both within 2 %.
  const double shallow = indentation_force(0.5e-3, 8), deep = indentation_force(1e-3, 8);
  EXPECT_NEAR(shallow, hertz(0.5e-3), 0.02 * hertz(0.5e-3));
  EXPECT_NEAR(deep, hertz(1e-3), 0.02 * hertz(1e-3));
  EXPECT_NEAR(std::log2(deep / shallow), 1.5, 0.03);
}

TEST(ContactPatch, BlockOnAPlaneHasThePressureTimesTheTributaryArea) {
  const TetMesh mesh = mesh_box({0.1, 0.08, 0.05}, {5, 4, 3});
  const double pressure = 1000;
  ContactProblem problem = static_problem(mesh, {1e5, 0.3, 1000, 0, 0});
  std::vector<double> tributary(mesh.nodes.size(), 0.0);
  for (const auto& face : boundary_faces(mesh)) {
    const Vec3d a = mesh.nodes[face[0]], b = mesh.nodes[face[1]], c = mesh.nodes[face[2]];
    const Vec3d area = 0.5 * cross(b - a, c - a);
    for (std::int32_t node : face) {
      if (a.z == 0 && b.z == 0 && c.z == 0) tributary[node] += norm(area) / 3;
      if (area.z > 0.99 * norm(area)) problem.b[node].z -= pressure * norm(area) / 3;
    }
  }
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    if (mesh.nodes[i].z == 0) add_contact(&problem, static_cast<int>(i), {0, 0, 1}, 0);
  // Rigid motions in the plane, which nothing drives, are held by three displacements at a corner
  // and one neighbour.
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    const Vec3d p = mesh.nodes[i];
    if (p.x == 0 && p.y == 0 && p.z == 0)
      hold(&problem, static_cast<int>(i), 0), hold(&problem, static_cast<int>(i), 1);
    if (p.x == 0.1 && p.y == 0 && p.z == 0) hold(&problem, static_cast<int>(i), 1);
  }
  Solution solution;
  make_solver(tight(1e-11))->solve(problem, {}, &solution);
  EXPECT_EQ(solution.env[0].status, SolveStatus::converged);
  double total = 0;
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const double expected = pressure * tributary[problem.contacts[c].side_i];
    EXPECT_NEAR(solution.lambda[c].x, expected, 1e-8 * pressure * 0.1 * 0.08);
    total += solution.lambda[c].x;
  }
  EXPECT_NEAR(total, pressure * 0.1 * 0.08, 1e-10 * pressure * 0.1 * 0.08);
}

}  // namespace
}  // namespace nodia::test
