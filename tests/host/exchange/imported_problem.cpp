// A problem from outside as a ContactProblem: the same Delassus matrix, the same answers, and back.
#include "host/exchange/imported_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/exchange/exported_problem.hpp"
#include "host/exchange/solve_imported.hpp"
#include "host/solvers/delassus/operator.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/random_friction.hpp"
#include "tests/support/random_problem.hpp"

namespace nodia {
namespace {

using testing::HasSubstr;

/// Delassus matrix of the imported problem without the second tangents of a plane.
void expect_delassus(const FrictionProblem& p, const FrictionProblem& local) {
  ImportedProblem imported(p, "test");
  imported.contact_problem().validate();
  const DelassusOperator op(imported.contact_problem(), {});
  const double scale = local.M.coeffs().abs().maxCoeff();
  const int d = p.dimension;
  for (int m = 0; m < p.n_contact(); ++m)
    for (int k = 0; k < p.n_contact(); ++k)
      for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j)
          EXPECT_NEAR(op.matrix()(3 * m + i, 3 * k + j), local.M.coeff(d * m + i, d * k + j),
                      1e-12 * scale);
  for (int m = 0; m < p.n_contact(); ++m)
    for (int i = 0; i < d; ++i)
      EXPECT_NEAR(op.bias()[3 * m + i], local.q[d * m + i], 1e-11 * local.q.norm());
}

TEST(ImportedProblem, HasTheDelassusMatrixOfTheFile) {
  using Kind = RandomFrictionOptions::Kind;
  for (const Kind kind : {Kind::bodies, Kind::chains, Kind::elastic})
    for (const int dimension : {2, 3}) {
      const FrictionProblem p = random_friction(
          {.kind = kind, .n_body = 9, .n_contact = 7, .mass_decades = 3, .dimension = dimension});
      const FrictionProblem local = local_of(p);
      expect_delassus(p, local);
      expect_delassus(local, local);
    }
}

TEST(ImportedProblem, SixDiagonalUnknownsAreABody) {
  const FrictionProblem p = random_friction({.n_body = 5, .n_contact = 3});
  ImportedProblem imported(p, "test");
  ASSERT_EQ(imported.contact_problem().topology.size(), 1u);
  const std::vector<Body>& bodies = imported.contact_problem().topology[0]->bodies;
  ASSERT_EQ(bodies.size(), 5u);
  for (const Body& body : bodies) {
    EXPECT_TRUE(is_dense(body.kind));
    EXPECT_EQ(body.n_row, 2);
  }
}

TEST(ImportedProblem, LargeBodiesAreCut) {
  const FrictionProblem p = random_friction(
      {.kind = RandomFrictionOptions::Kind::elastic, .n_body = 150, .n_contact = 3});
  ImportedProblem imported(p, "test");
  EXPECT_EQ(imported.contact_problem().n_node(), 150);
  const std::vector<Body>& bodies = imported.contact_problem().topology[0]->bodies;
  EXPECT_GE(bodies.size(), 3u);
  for (const Body& body : bodies) {
    EXPECT_TRUE(is_dense(body.kind));
    EXPECT_LE(body.n_row, Unknowns::kMaxBodyRows);
  }
}

TEST(ImportedProblem, RefusesWhatIsNotDefinite) {
  FrictionProblem p = random_friction({.n_body = 3, .n_contact = 3});
  p.M.coeffRef(4, 4) = -1;
  EXPECT_THROW(
      {
        try {
          ImportedProblem(p, "f");
        } catch (const InputError& error) {
          EXPECT_THAT(error.what(), HasSubstr("f: M(4, 4) = -1 (must be > 0"));
          throw;
        }
      },
      InputError);
  p = random_friction({.n_body = 3, .n_contact = 3});
  p.M.coeffRef(0, 1) = p.M.coeffRef(1, 0) = 10 * p.M.coeff(0, 0);
  EXPECT_THROW(ImportedProblem(p, "f"), InputError);
  FrictionProblem local = local_of(random_friction({.n_body = 3, .n_contact = 3}));
  local.M.coeffRef(0, 0) = -1;
  EXPECT_THROW(ImportedProblem(local, "f"), InputError);
}

TEST(ExportedProblem, SolvesToTheSameVelocities) {
  const ContactProblem ours = random_problem({.seed = 4,
                                              .n_body = 2,
                                              .n_body_contact = 2,
                                              .n_triangle_contact = 1,
                                              .distinct_nodes = true});
  const FrictionProblem exported = exported_problem(ours, "ours");
  ImportedProblem imported(exported, "ours");
  ImportedSolveOptions options;
  options.solver.solver = "pgs";
  options.solver.tolerance = 1e-10;
  options.solver.max_iterations = 20000;
  const ImportedSolve there = solve_imported(&imported, options).back();
  const ImportedSolve here = solve_to_error(ours, options).back();
  ASSERT_EQ(there.status, SolveStatus::converged) << there.reason;
  ASSERT_EQ(here.status, SolveStatus::converged) << here.reason;
  const FrictionSolution answer = imported.answer(there.solution);
  double scale = 0;
  for (const Vec3d& v : here.solution.v) scale = std::max(scale, norm(v));
  for (int i = 0; i < ours.n_node(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(answer.v[3 * i + axis], here.solution.v[i][axis], 1e-7 * scale);
}

TEST(ExportedProblem, RefusesAnisotropicFriction) {
  const ContactProblem ours = random_problem({.seed = 4, .anisotropic = true});
  EXPECT_THROW(exported_problem(ours, "ours"), InputError);
}

}  // namespace
}  // namespace nodia
