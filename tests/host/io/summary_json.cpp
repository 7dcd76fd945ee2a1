#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "host/io/summary_json.hpp"

namespace nodia {
namespace {

StepRecord record(SolveStatus status, int iterations, double residual, double penetration) {
  StepRecord r;
  r.solve.status = status;
  r.solve.iterations = iterations;
  r.solve.relative_residual = residual;
  r.solve.certificate_J = 10 * residual;
  r.max_penetration_m = penetration;
  r.dynamics_ms = 2;
  r.solver_ms = iterations;
  return r;
}

RunSummary example() {
  RunSummary s;
  s.scenario = "a \"quoted\" name";
  s.environments.resize(2);
  s.environments[0].seed = 7;
  s.environments[0].drawn = {{"bodies.mat.friction", "0.25"}};
  s.environments[0].n_node = 10;
  s.environments[0].n_dof = 30;
  s.environments[0].n_tet = 20;
  s.steps = 3;
  s.simulated_s = 0.03;
  s.statistics.add(record(SolveStatus::converged, 8, 1e-5, 0));
  s.statistics.add(record(SolveStatus::converged, 16, 9e-5, 2e-6));
  s.statistics.add(record(SolveStatus::iteration_limit, 2000, 5e-4, 1e-6));
  s.checks.push_back({"weight", true, 0.001, 0.01, "-"});
  s.machine = this_machine();
  return s;
}

TEST(SummaryJson, EndsInAChecksumThatEveryChangedByteBreaks) {
  const std::string text = summary_json(example());
  EXPECT_TRUE(has_own_checksum(text));
  for (std::size_t k = 0; k < text.size(); ++k) {
    std::string damaged = text;
    damaged[k] ^= 4;
    EXPECT_FALSE(has_own_checksum(damaged)) << k;
  }
  EXPECT_FALSE(has_own_checksum(text.substr(0, text.size() - 1)));
  EXPECT_FALSE(has_own_checksum(text + "\n"));
  EXPECT_FALSE(has_own_checksum(""));
}

TEST(SummaryJson, HasEveryKeyOfTheContract) {
  const auto json = nlohmann::json::parse(summary_json(example()));
  EXPECT_EQ(json["format"], "nodia_summary");
  EXPECT_EQ(json["format_version"], 2);
  EXPECT_EQ(json["steps_csv_version"], 1);
  for (const char* key : {"scenario",
                          "backend",
                          "backend_because",
                          "device",
                          "loop",
                          "loop_because",
                          "steps_on_device",
                          "precision",
                          "solver",
                          "stop",
                          "n_node",
                          "n_tet",
                          "n_dof",
                          "n_env",
                          "steps",
                          "simulated_s",
                          "wall_s",
                          "converged_steps",
                          "failed_steps",
                          "reasons",
                          "run_failed",
                          "unconverged",
                          "not_finite",
                          "iterations_mean",
                          "relative_residual_max",
                          "certificate_J_max",
                          "max_penetration_m",
                          "dynamics_ms_mean",
                          "solver_ms_mean",
                          "checks",
                          "version",
                          "commit",
                          "machine"})
    EXPECT_TRUE(json.contains(key)) << key;
  for (const char* key : {"name", "passed", "value", "bound", "unit", "compared", "reason"})
    EXPECT_TRUE(json["checks"][0].contains(key)) << key;
  for (const char* key : {"cpu", "cores", "os"}) EXPECT_TRUE(json["machine"].contains(key)) << key;
}

TEST(SummaryJson, TellsTheDeviceAndItsLoop) {
  RunSummary s = example();
  auto json = nlohmann::json::parse(summary_json(s));
  EXPECT_TRUE(json["device"].is_null());
  EXPECT_TRUE(json["loop"].is_null());
  s.backend = "cuda";
  s.device = 1;
  s.loop = "launches";
  s.loop_because = "an old driver";
  json = nlohmann::json::parse(summary_json(s));
  EXPECT_EQ(json["device"], 1);
  EXPECT_EQ(json["loop"], "launches");
  EXPECT_EQ(json["loop_because"], "an old driver");
  EXPECT_EQ(json["steps_on_device"], 0);
  StepRecord record;
  for (const bool on_device : {true, false, true}) {
    record.on_device = on_device;
    s.statistics.add(record);
  }
  EXPECT_EQ(nlohmann::json::parse(summary_json(s))["steps_on_device"], 2);
}

TEST(SummaryJson, CountsMeansAndExtremes) {
  const auto json = nlohmann::json::parse(summary_json(example()));
  EXPECT_EQ(json["scenario"], "a \"quoted\" name");
  EXPECT_EQ(json["n_dof"], 30);
  EXPECT_EQ(json["converged_steps"], 2);
  EXPECT_EQ(json["failed_steps"], 1);
  EXPECT_EQ(json["reasons"], (nlohmann::json{{"converged", 2}, {"iteration_limit", 1}}));
  EXPECT_DOUBLE_EQ(json["iterations_mean"], 2024.0 / 3);
  EXPECT_EQ(json["iterations_max"], 2000);
  EXPECT_EQ(json["relative_residual_max"], 5e-4);
  EXPECT_DOUBLE_EQ(json["certificate_J_max"], 5e-3);
  EXPECT_EQ(json["max_penetration_m"], 2e-6);
  EXPECT_EQ(json["dynamics_ms_mean"], 2);
  EXPECT_DOUBLE_EQ(json["solver_ms_mean"], 2024.0 / 3);
}

TEST(SummaryJson, TellsEstimatesAndChosenSolvers) {
  auto json = nlohmann::json::parse(summary_json(example()));
  EXPECT_TRUE(json["error_estimate_max"].is_null());
  EXPECT_EQ(json["estimated_steps"], 0);
  EXPECT_EQ(json["solvers"], nlohmann::json::object());
  RunSummary s = example();
  StepRecord r;
  for (const double estimate : {3e-5, 8e-5, 1e-7}) {
    r.solve.error_estimate = estimate;
    r.solve.absolute_floor = estimate < 1e-6;
    r.solve.solver = estimate < 5e-5 ? "newton" : "cond";
    s.statistics.add(r);
  }
  json = nlohmann::json::parse(summary_json(s));
  EXPECT_EQ(json["error_estimate_max"], 8e-5);
  EXPECT_EQ(json["estimated_steps"], 3);
  EXPECT_EQ(json["floor_ended_steps"], 1);
  EXPECT_EQ(json["solvers"], (nlohmann::json{{"cond", 1}, {"newton", 2}}));
  EXPECT_EQ(json["fell_back_steps"], 0);
  for (const SolveStatus status : {SolveStatus::converged, SolveStatus::stalled}) {
    r.solve.status = status;
    r.solve.reason = "newton: stalled; answer of cond";
    s.statistics.add(r);
  }
  EXPECT_EQ(nlohmann::json::parse(summary_json(s))["fell_back_steps"], 1);
}

TEST(SummaryJson, TellsEveryEnvironment) {
  RunSummary s = example();
  s.environments[1].seed = 8;
  s.environments[1].statistics.add(record(SolveStatus::converged, 8, 1e-5, 0));
  s.environments[1].statistics.add(record(SolveStatus::stalled, 8, 1e-3, 0));
  s.checks.push_back({"weight", false, 0.1, 0.01, "-", 1});
  const auto json = nlohmann::json::parse(summary_json(s));
  EXPECT_EQ(json["n_env"], 2);
  EXPECT_EQ(json["seed"], 7);
  ASSERT_EQ(json["environments"].size(), 2u);
  EXPECT_EQ(json["environments"][0]["drawn"], (nlohmann::json{{"bodies.mat.friction", 0.25}}));
  EXPECT_EQ(json["environments"][1]["env"], 1);
  EXPECT_EQ(json["environments"][1]["seed"], 8);
  EXPECT_EQ(json["environments"][1]["steps"], 2);
  EXPECT_EQ(json["environments"][1]["converged_steps"], 1);
  EXPECT_EQ(json["checks"][0]["env"], 0);
  EXPECT_EQ(json["checks"][1]["env"], 1);
  EXPECT_EQ(json["failed_environments"], nlohmann::json::array());
}

TEST(SummaryJson, NamesTheStepAndTheReasonOfAFailedEnvironment) {
  RunSummary s = example();
  StepRecord failed = record(SolveStatus::not_a_number, 1, NAN, NAN);
  failed.env = 1;
  failed.step = 17;
  failed.time_s = 0.17;
  failed.solve.reason = "the answer is not finite";
  s.statistics.add(failed);
  const auto json = nlohmann::json::parse(summary_json(s));
  EXPECT_EQ(
      json["failed_environments"],
      (nlohmann::json::array(
          {{{"env", 1}, {"step", 17}, {"time_s", 0.17}, {"reason", "the answer is not finite"}}})));
}

TEST(SummaryJson, NotANumberIsSeenAndIsNullAndExplained) {
  for (const double bad : {static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    RunSummary s = example();
    StepRecord diverged = record(SolveStatus::diverged, 1, bad, 0);
    diverged.step = 4;
    diverged.solve.reason = "it grew";
    s.statistics.add(diverged);
    s.statistics.add(record(SolveStatus::converged, 8, 1e-5, 0));
    const auto json = nlohmann::json::parse(summary_json(s));
    EXPECT_TRUE(json["relative_residual_max"].is_null());
    EXPECT_EQ(json["max_penetration_m"], 2e-6);
    EXPECT_EQ(json["reasons"]["diverged"], 1);
    ASSERT_EQ(json["not_finite"].size(), 2u);
    EXPECT_EQ(json["not_finite"][0], (nlohmann::json{{"key", "relative_residual_max"},
                                                     {"env", 0},
                                                     {"step", 4},
                                                     {"reason", "diverged: it grew"}}));
    EXPECT_EQ(json["not_finite"][1]["key"], "certificate_J_max");
  }
}

TEST(SummaryJson, WhatASolverDoesNotMeasureIsSaidSo) {
  RunSummary s;
  s.statistics.add(record(SolveStatus::converged, 8, NAN, 0));
  const auto json = nlohmann::json::parse(summary_json(s));
  EXPECT_EQ(json["not_finite"][0]["reason"], "not measured");
}

TEST(SummaryJson, StepsThatDivergeOrAreNoNumberFailTheRun) {
  const auto failed = [](SolveStatus status) {
    RunSummary s = example();
    s.statistics.add(record(status, 1, 1, 0));
    return nlohmann::json::parse(summary_json(s))["run_failed"].get<bool>();
  };
  EXPECT_TRUE(failed(SolveStatus::diverged));
  EXPECT_TRUE(failed(SolveStatus::not_a_number));
  for (const SolveStatus status : {SolveStatus::converged, SolveStatus::iteration_limit,
                                   SolveStatus::stalled, SolveStatus::infeasible})
    EXPECT_FALSE(failed(status)) << name_of(status);
}

TEST(SummaryJson, NamesTheFirstStepOfEveryWayNotToConverge) {
  RunSummary s;
  for (const int step : {5, 6}) {
    StepRecord r = record(SolveStatus::stalled, 1, 1, 0);
    r.env = 2;
    r.step = step;
    r.time_s = 0.01 * step;
    r.solve.reason = "it stands";
    s.statistics.add(r);
  }
  s.statistics.add(record(SolveStatus::converged, 1, 1, 0));
  EXPECT_EQ(
      nlohmann::json::parse(summary_json(s))["unconverged"],
      (nlohmann::json::array(
          {{{"status", "stalled"},
            {"steps", 2},
            {"fails_the_run", false},
            {"first", {{"env", 2}, {"step", 5}, {"time_s", 0.05}, {"reason", "it stands"}}}}})));
}

TEST(SummaryJson, ACheckThatComparedNothingSaysSo) {
  RunSummary s = example();
  s.checks.push_back({"track", false, NAN, NAN, "", 0, "no file is given as reference", true});
  const auto json = nlohmann::json::parse(summary_json(s));
  EXPECT_EQ(json["checks"][0]["compared"], true);
  EXPECT_EQ(json["checks"][1]["compared"], false);
  EXPECT_EQ(json["checks"][1]["passed"], false);
  EXPECT_EQ(json["checks"][1]["reason"], "no file is given as reference");
}

TEST(SummaryJson, ARunWithoutStepsIsWellFormed) {
  const auto json = nlohmann::json::parse(summary_json(RunSummary{}));
  EXPECT_EQ(json["iterations_mean"], 0);
  EXPECT_EQ(json["reasons"], nlohmann::json::object());
  EXPECT_EQ(json["checks"], nlohmann::json::array());
}

TEST(SummaryJson, NamesThatAreNotTextDoNotBreakIt) {
  RunSummary s = example();
  s.scenario = "\xff\xfe broken";
  EXPECT_TRUE(nlohmann::json::accept(summary_json(s)));
}

TEST(Machine, SaysWhatItIs) {
  const Machine machine = this_machine();
  EXPECT_FALSE(machine.cpu.empty());
  EXPECT_GE(machine.cores, 1);
  EXPECT_EQ(machine.os.rfind("Linux ", 0), 0u);
}

}  // namespace
}  // namespace nodia
