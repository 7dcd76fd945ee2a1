#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <locale>
#include <random>
#include <sstream>

#include "host/io/steps_csv.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/given_step.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

std::vector<std::string> fields_of(const std::string& row) {
  std::vector<std::string> fields;
  std::istringstream stream(row + ",");
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

const StepsCsvColumns kPlain{Scene{}};

/// A row of a record without sensors and cables, or with a state.
std::string row_of(const StepRecord& record, const StepsCsvColumns& columns = kPlain,
                   const State& state = {}, const BodyLayout& layout = {}) {
  return columns.row({record, layout, test::GivenStep(state)});
}

void append(StepsCsv& csv, const StepRecord& record) {
  const State state;
  const BodyLayout layout;
  csv.append({record, layout, test::GivenStep(state)});
}

TEST(StepsCsv, HeaderIsTheContract) {
  EXPECT_EQ(
      kPlain.header(),
      "env,step,time_s,n_contact,n_stick,n_slip,iterations,status,relative_residual,certificate_J,"
      "energy_error_J,natural_map_error,error_estimate,max_penetration_m,kinetic_energy_J,"
      "potential_energy_J,contact_work_J,frame_work_J,push_work_J,energy_gain_J,dynamics_ms,"
      "solver_ms,work_units,error_bound");
}

TEST(StepsCsv, ValuesStandUnderTheirNames) {
  StepRecord r;
  r.env = 3;
  r.step = 17;
  r.time_s = 0.17;
  r.n_contact = 12;
  r.n_stick = 7;
  r.n_slip = 4;
  r.solve.iterations = 40;
  r.solve.status = SolveStatus::stalled;
  r.solve.relative_residual = 1.5e-5;
  r.solve.certificate_J = 2e-9;
  r.energy_error_J = 4e-7;
  r.solve.natural_map_error = 3e-6;
  r.solve.error_estimate = 5e-5;
  r.solve.work_units = 61.5;
  r.solve.error_bound = 3e-4;
  r.max_penetration_m = 1e-6;
  r.kinetic_energy_J = 0.25;
  r.potential_energy_J = -1.5;
  r.contact_work_J = -0.75;
  r.frame_work_J = 0.5;
  r.push_work_J = 0.125;
  r.energy_gain_J = -1e-4;
  r.dynamics_ms = 2.5;
  r.solver_ms = 3.75;
  EXPECT_EQ(
      row_of(r),
      "3,17,0.17,12,7,4,40,stalled,1.5e-05,2e-09,4e-07,3e-06,5e-05,1e-06,0.25,-1.5,-0.75,0.5,0.125,"
      "-1e-04,2.5,3.75,61.5,3e-04");
}

Scene with_sensors(const std::vector<std::string>& mounts, const std::string& attachment) {
  Scene scene;
  for (const std::string& name : mounts) scene.mounts.emplace_back().name = name;
  scene.attachments.emplace_back().name = attachment;
  return scene;
}

TEST(StepsCsv, SensorsFollowWithCleanAndDistinctNames) {
  const StepsCsvColumns columns(with_sensors({"wrist-1", "wrist_1"}, "grip"));
  const std::string added = columns.header().substr(kPlain.header().size());
  EXPECT_EQ(added,
            ",wrist_1_fx_N,wrist_1_fy_N,wrist_1_fz_N,wrist_1_tx_Nm,wrist_1_ty_Nm,wrist_1_tz_Nm"
            ",wrist_1_2_fx_N,wrist_1_2_fy_N,wrist_1_2_fz_N,wrist_1_2_tx_Nm,wrist_1_2_ty_Nm,wrist_1_"
            "2_tz_Nm,grip_fx_N,grip_fy_N,grip_fz_N,grip_tx_Nm,grip_ty_Nm,grip_tz_Nm");
  StepRecord r;
  r.sensors = {{{1, 2, 3}, {4, 5, 6}}, {{0.5, NAN, -0.5}, {}}};
  EXPECT_EQ(row_of(r, columns).substr(row_of(r).size()), ",1,2,3,4,5,6,0.5,,-0.5,0,0,0,,,,,,");
  EXPECT_EQ(fields_of(row_of(r, columns)).size(), fields_of(columns.header()).size());
}

/// Nine links of every cable, behind the rigid bodies' frames.
TEST(StepsCsv, CablesFollowWithNineLinks) {
  Scene scene;
  scene.rigid_bodies.resize(2);
  scene.cables.emplace_back().name = "left";
  const StepsCsvColumns one(scene);
  EXPECT_EQ(one.header().substr(kPlain.header().size()).rfind(",link_0_x_m,link_0_y_m,", 0), 0u);
  scene.cables.emplace_back().name = "right";
  const StepsCsvColumns two(scene);
  EXPECT_NE(two.header().find(",left_link_8_z_m,right_link_0_x_m,"), std::string::npos);
  BodyLayout layout;
  for (int k = 0; k < 2; ++k) layout.add(BodyKind::rigid, 1);
  layout.add(BodyKind::chain, 160);
  layout.add(BodyKind::chain, 3);
  State state;
  for (int f = 0; f < layout.n_frame(); ++f)
    state.frames.push_back({{static_cast<double>(f), 0.5, -1}, {}});
  const StepRecord r;
  const auto fields = fields_of(row_of(r, two, state, layout));
  ASSERT_EQ(fields.size(), fields_of(two.header()).size());
  const int links[] = {0, 19, 39, 59, 79, 99, 119, 139, 159};
  const int short_links[] = {0, 0, 0, 0, 1, 1, 1, 1, 2};
  for (std::size_t s = 0; s < 9; ++s) {
    EXPECT_EQ(fields[24 + 3 * s], std::to_string(2 + links[s]));
    EXPECT_EQ(fields[24 + 27 + 3 * s], std::to_string(162 + short_links[s]));
    EXPECT_EQ(fields[24 + 3 * s + 2], "-1");
  }
}

TEST(StepsCsv, WhatIsNotANumberIsEmpty) {
  StepRecord r;
  r.energy_error_J = NAN;
  r.solve.certificate_J = -NAN;
  const auto fields = fields_of(row_of(r));
  ASSERT_EQ(fields.size(), fields_of(kPlain.header()).size());
  EXPECT_EQ(fields[9], "");
  EXPECT_EQ(fields[10], "");
  EXPECT_EQ(fields[11], "0");
  EXPECT_EQ(fields[12], "") << "no estimate was made";
}

TEST(StepsCsv, NumbersReadBackBitForBit) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-300, 300), mantissa(-1, 1);
  StepRecord r;
  for (int i = 0; i < 2000; ++i) {
    r.kinetic_energy_J = mantissa(random) * std::pow(10.0, exponent(random));
    r.time_s = std::numeric_limits<double>::denorm_min() * static_cast<double>(random() % 1000);
    const auto fields = fields_of(row_of(r));
    ASSERT_EQ(std::strtod(fields[14].c_str(), nullptr), r.kinetic_energy_J);
    ASSERT_EQ(std::strtod(fields[2].c_str(), nullptr), r.time_s);
  }
}

TEST(StepsCsv, TheLocaleDoesNotMatter) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  StepRecord r;
  r.step = 1234567;
  r.time_s = 12345.678;
  const std::string before = row_of(r);
  const std::locale old = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string after = row_of(r);
  std::locale::global(old);
  EXPECT_EQ(before, after);
  EXPECT_NE(after.find("1234567,12345.678,"), std::string::npos);
}

TEST(StepsCsv, EveryRowIsInTheFileAtOnce) {
  const test::TemporaryFolder folder;
  StepsCsv csv(folder.file("steps.csv"), Scene{});
  const StepRecord r;
  std::string expected = kPlain.header() + "\n";
  EXPECT_EQ(test::text_of(folder.file("steps.csv")), expected);
  for (int i = 0; i < 3; ++i) {
    append(csv, r);
    expected += row_of(r) + "\n";
    EXPECT_EQ(test::text_of(folder.file("steps.csv")), expected);
  }
}

TEST(StepsCsv, AFullDiskIsAnErrorAndLeavesWholeRows) {
  const test::TemporaryFolder folder;
  StepsCsv csv(folder.file("steps.csv"), Scene{});
  std::string message;
  {
    const test::FileSizeLimit limit(1000);
    try {
      for (int i = 0; i < 1000; ++i) append(csv, StepRecord{});
    } catch (const RuntimeError& error) {
      message = error.what();
    }
  }
  EXPECT_NE(message.find("steps.csv: cannot write (File too large)"), std::string::npos) << message;
  const std::string text = test::text_of(folder.file("steps.csv"));
  EXPECT_GT(text.size(), 900u);
  EXPECT_LE(text.size(), 1000u);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_EQ(fields_of(line).size(), fields_of(kPlain.header()).size());
  EXPECT_EQ(text.back(), '\n');
}

TEST(StepsCsv, AFolderThatIsNotThereIsAnError) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(StepsCsv(folder.file("missing/steps.csv"), Scene{}), RuntimeError);
}

}  // namespace
}  // namespace nodia
