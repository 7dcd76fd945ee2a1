/// Problems and options that between them reach every kernel and every decision of the V-FPI loop.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "host/solvers/cond/options.hpp"
#include "host/solvers/solver_options.hpp"
#include "tests/support/all_values.hpp"
#include "tests/support/random_problem.hpp"

namespace nodia::test {

struct LoopCase {
  std::string name;
  RandomProblemOptions problem;
  SolverOptions solver;
};

inline void PrintTo(const LoopCase& c, std::ostream* out) {
  *out << c.name;
}

inline SolverOptions solver_options(const std::function<void(SolverOptions*)>& change) {
  SolverOptions options;
  options.solver = "cond";
  options.tolerance = 1e-5;
  options.max_iterations = 150;
  change(&options);
  return options;
}

inline std::vector<LoopCase> loop_cases() {
  const RandomProblemOptions single{.seed = 3,
                                    .n_env = 2,
                                    .n_node = 40,
                                    .n_world_contact = 15,
                                    .n_pair_contact = 0,
                                    .distinct_nodes = true};
  const RandomProblemOptions two_chunks{.seed = 4,
                                        .n_env = 1,
                                        .n_node = 300,
                                        .n_world_contact = 60,
                                        .n_pair_contact = 0,
                                        .distinct_nodes = true};
  const RandomProblemOptions shared{
      .seed = 5, .n_env = 3, .n_node = 30, .n_world_contact = 40, .n_pair_contact = 0};
  const RandomProblemOptions coupled{
      .seed = 6, .n_env = 3, .n_node = 30, .n_world_contact = 10, .n_pair_contact = 9};
  const RandomProblemOptions anisotropic{.seed = 7,
                                         .n_env = 1,
                                         .n_node = 30,
                                         .n_world_contact = 20,
                                         .n_pair_contact = 0,
                                         .anisotropic = true};
  const RandomProblemOptions bodies{.seed = 8,
                                    .n_env = 3,
                                    .n_node = 30,
                                    .n_world_contact = 5,
                                    .n_pair_contact = 2,
                                    .n_body = 2,
                                    .n_body_contact = 4,
                                    .n_triangle_contact = 3,
                                    .n_link = 9};
  const RandomProblemOptions chains{.seed = 9,
                                    .n_env = 2,
                                    .n_node = 5,
                                    .n_world_contact = 2,
                                    .n_pair_contact = 0,
                                    .n_link = 33,
                                    .n_chain = 3};
  const auto none = [](SolverOptions*) {};
  const auto invertible = [](Projection projection) {
    return solver_options([=](SolverOptions* o) {
      o->projection = projection;
      o->invertible_omega_m_Ns = 1e-3;
    });
  };
  std::vector<LoopCase> cases{
      {"two_chunks", two_chunks, solver_options(none)},
      {"several_contacts_on_a_node", shared, solver_options(none)},
      {"anisotropic", anisotropic, solver_options(none)},
      {"chains", chains, solver_options([](SolverOptions* o) { o->max_iterations = 16; })},
      {"bodies_as_published", bodies,
       solver_options([](SolverOptions* o) { o->of<CondOptions>().bias_cancellation = false; })},
      {"bodies_alternating_steps", bodies,
       solver_options([](SolverOptions* o) { o->of<CondOptions>().w = WKind::bb_alternating; })},
      {"proximal", shared,
       solver_options([](SolverOptions* o) { o->projection = Projection::proximal; })},
      {"invertible", single, invertible(Projection::proximal)},
      {"invertible_strict", shared, invertible(Projection::strict)},
      {"invertible_coupled", coupled, invertible(Projection::proximal)},
      {"invertible_bodies", bodies, invertible(Projection::strict)},
      {"paper_rule", single, solver_options([](SolverOptions* o) {
         o->stop = StopRule::paper;
         o->tolerance = 1e-4;
       })},
      {"alternating_steps", single,
       solver_options([](SolverOptions* o) { o->of<CondOptions>().w = WKind::bb_alternating; })},
      {"scaled_identity", coupled,
       solver_options([](SolverOptions* o) { o->of<CondOptions>().w = WKind::alpha_identity; })},
      {"bodies_fall_back", bodies, solver_options([](SolverOptions* o) {
         o->tolerance = 1e-13;
         o->max_iterations = 400;
         o->check_every = 1;
       })},
      {"falls_back", coupled, solver_options([](SolverOptions* o) {
         o->tolerance = 1e-13;  // out of reach of a float: stalls, falls back twice
         o->max_iterations = 400;
         o->check_every = 1;
       })},
  };
  for (const Acceleration acceleration : all_values<Acceleration>()) {
    const auto accelerated =
        solver_options([&](SolverOptions* o) { o->of<CondOptions>().acceleration = acceleration; });
    const std::string word = std::string("_") + name_of(acceleration);
    cases.push_back({"single" + word, single, accelerated});
    cases.push_back({"coupled" + word, coupled, accelerated});
    cases.push_back({"bodies" + word, bodies, accelerated});
  }
  return cases;
}

}  // namespace nodia::test
