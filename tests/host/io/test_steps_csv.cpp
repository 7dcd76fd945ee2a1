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
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

std::vector<std::string> fields_of(const std::string& row) {
  std::vector<std::string> fields;
  std::istringstream stream(row + ",");
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

TEST(StepsCsv, HeaderIsTheContract) {
  EXPECT_STREQ(
      kStepsCsvHeader,
      "env,step,time_s,n_contact,n_stick,n_slip,iterations,status,relative_residual,certificate_J,"
      "energy_error_J,natural_map_error,max_penetration_m,kinetic_energy_J,potential_energy_J,"
      "dynamics_ms,solver_ms");
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
  r.max_penetration_m = 1e-6;
  r.kinetic_energy_J = 0.25;
  r.potential_energy_J = -1.5;
  r.dynamics_ms = 2.5;
  r.solver_ms = 3.75;
  EXPECT_EQ(steps_csv_row(r),
            "3,17,0.17,12,7,4,40,stalled,1.5e-05,2e-09,4e-07,3e-06,1e-06,0.25,-1.5,2.5,3.75");
}

TEST(StepsCsv, WhatIsNotANumberIsEmpty) {
  StepRecord r;
  r.energy_error_J = NAN;
  r.solve.certificate_J = -NAN;
  const auto fields = fields_of(steps_csv_row(r));
  ASSERT_EQ(fields.size(), fields_of(kStepsCsvHeader).size());
  EXPECT_EQ(fields[9], "");
  EXPECT_EQ(fields[10], "");
  EXPECT_EQ(fields[11], "0");
}

TEST(StepsCsv, NumbersReadBackBitForBit) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-300, 300), mantissa(-1, 1);
  StepRecord r;
  for (int i = 0; i < 2000; ++i) {
    r.kinetic_energy_J = mantissa(random) * std::pow(10.0, exponent(random));
    r.time_s = std::numeric_limits<double>::denorm_min() * static_cast<double>(random() % 1000);
    const auto fields = fields_of(steps_csv_row(r));
    ASSERT_EQ(std::strtod(fields[13].c_str(), nullptr), r.kinetic_energy_J);
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
  const std::string before = steps_csv_row(r);
  const std::locale old = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string after = steps_csv_row(r);
  std::locale::global(old);
  EXPECT_EQ(before, after);
  EXPECT_NE(after.find("1234567,12345.678,"), std::string::npos);
}

TEST(StepsCsv, EveryRowIsInTheFileAtOnce) {
  const test::TemporaryFolder folder;
  StepsCsv csv(folder.file("steps.csv"));
  const StepRecord r;
  std::string expected = std::string(kStepsCsvHeader) + "\n";
  EXPECT_EQ(test::text_of(folder.file("steps.csv")), expected);
  for (int i = 0; i < 3; ++i) {
    csv.append(r);
    expected += steps_csv_row(r) + "\n";
    EXPECT_EQ(test::text_of(folder.file("steps.csv")), expected);
  }
}

TEST(StepsCsv, AFullDiskIsAnErrorAndLeavesWholeRows) {
  const test::TemporaryFolder folder;
  StepsCsv csv(folder.file("steps.csv"));
  std::string message;
  {
    const test::FileSizeLimit limit(1000);
    try {
      for (int i = 0; i < 1000; ++i) csv.append(StepRecord{});
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
    EXPECT_EQ(fields_of(line).size(), fields_of(kStepsCsvHeader).size());
  EXPECT_EQ(text.back(), '\n');
}

TEST(StepsCsv, AFolderThatIsNotThereIsAnError) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(StepsCsv(folder.file("missing/steps.csv")), RuntimeError);
}

}  // namespace
}  // namespace nodia
