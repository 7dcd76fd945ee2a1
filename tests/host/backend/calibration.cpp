/// What `--backend auto` predicts from a calibration, and what it makes of files that are none.
#include "host/backend/calibration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>

#include "host/backend/calibration_file.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const CalibrationKey kKey{"a device", "driver 1", "a CPU", "a build"};

CalibrationPoint point(int n_row, int n_env, double cpu_ms, double cuda_ms) {
  return {{LoopKind::one_pass, n_row, n_env, Precision::double_},
          {cpu_ms, cpu_ms / 4},
          {cuda_ms, cuda_ms / 4}};
}

Workload mats(int n_row, int n_env = 1) {
  return {LoopKind::one_pass, n_row, n_env, Precision::double_};
}

/// The device costs 2 ms and a tenth of the CPU's time: equal where the CPU takes 2.22 ms.
Calibration crossing() {
  Calibration c{kKey, {}};
  for (const int n_env : {1, 16})
    for (const int n_row : {100, 1000, 10000}) {
      const double cpu_ms = 1e-3 * n_row * n_env;
      c.points.push_back(point(n_row, n_env, cpu_ms, 2 + 0.1 * cpu_ms));
    }
  return c;
}

TEST(Calibration, PredictsItsOwnPointsExactly) {
  const Calibration c = crossing();
  for (const CalibrationPoint& p : c.points) {
    const auto predicted = predict(c, p.workload);
    ASSERT_TRUE(predicted);
    EXPECT_NEAR(predicted->cpu.whole, p.cpu.whole, 1e-12 * p.cpu.whole);
    EXPECT_NEAR(predicted->cpu.brief, p.cpu.brief, 1e-12 * p.cpu.brief);
    EXPECT_NEAR(predicted->cuda.whole, p.cuda.whole, 1e-12 * p.cuda.whole);
    EXPECT_NEAR(predicted->cuda.brief, p.cuda.brief, 1e-12 * p.cuda.brief);
  }
}

TEST(Calibration, PowersOfBothSizesAreExactBetweenPoints) {
  Calibration c{kKey, {}};
  const auto cpu = [](double n, double m) { return 1e-4 * std::pow(n, 1.2) * std::pow(m, 0.9); };
  const auto cuda = [](double n, double m) { return 3 * std::pow(n, 0.4) * std::pow(m, 0.2); };
  for (const int m : {1, 16, 256})
    for (const int n : {100, 1000}) c.points.push_back(point(n, m, cpu(n, m), cuda(n, m)));
  for (const auto& [n, m] : {std::pair{300, 1}, {150, 5}, {999, 100}}) {
    const auto p = predict(c, mats(n, m));
    ASSERT_TRUE(p);
    EXPECT_NEAR(p->cpu.whole, cpu(n, m), 1e-10 * cpu(n, m));
    EXPECT_NEAR(p->cuda.whole, cuda(n, m), 1e-10 * cuda(n, m));
  }
}

TEST(Calibration, BeyondTheLargestBothGoInProportionBelowTheSmallestTheDeviceStays) {
  const Calibration c{kKey, {point(100, 1, 1, 3), point(1000, 1, 10, 4), point(100, 16, 16, 5)}};
  const auto large = predict(c, mats(5000));
  EXPECT_NEAR(large->cpu.whole, 50, 1e-9);
  EXPECT_NEAR(large->cuda.whole, 20, 1e-9);
  const auto small = predict(c, mats(10));
  EXPECT_NEAR(small->cpu.whole, 0.1, 1e-12);
  EXPECT_NEAR(small->cuda.whole, 3, 1e-12);
  const auto many = predict(c, mats(100, 160));
  EXPECT_NEAR(many->cpu.whole, 160, 1e-9);
  EXPECT_NEAR(many->cuda.whole, 50, 1e-9);
  const auto many_large = predict(c, mats(1000, 16));  // that batch has no such point
  EXPECT_NEAR(many_large->cpu.whole, 160, 1e-9);
  EXPECT_NEAR(many_large->cuda.whole, 50, 1e-9);
  EXPECT_GT(predict(c, mats(0))->cpu.whole, 0);
}

TEST(Calibration, TakesTheDeviceFromTheCrossingOn) {
  const Calibration c = crossing();
  EXPECT_EQ(choose_backend(c, mats(100)).backend, Backend::cpu);
  EXPECT_EQ(choose_backend(c, mats(1000)).backend, Backend::cpu);
  EXPECT_EQ(choose_backend(c, mats(10000)).backend, Backend::cuda);
  EXPECT_EQ(choose_backend(c, mats(1000000)).backend, Backend::cuda);
  EXPECT_EQ(choose_backend(c, mats(1000, 16)).backend, Backend::cuda);
  EXPECT_EQ(choose_backend(c, mats(100, 2)).backend, Backend::cpu);
  for (int n_row = 50; n_row < 20000; n_row += n_row / 10) {  // never slower by the law itself
    const double cpu_ms = 1e-3 * n_row, cuda_ms = 2 + 0.1 * cpu_ms;
    const bool on_device = choose_backend(c, mats(n_row)).backend == Backend::cuda;
    EXPECT_LE(on_device ? cuda_ms : cpu_ms, 1.1 * cpu_ms) << n_row;
    EXPECT_TRUE(on_device || n_row < 4000) << n_row;
  }
  EXPECT_EQ(choose_backend(c, mats(10000)).because,
            "a step of this size is predicted to take 3 ms on the device, 10 ms on the CPU");
}

TEST(Calibration, EqualTimesTakeTheDeviceAndSlowBriefStepsDoNot) {
  Calibration c{kKey, {point(100, 1, 4, 4)}};
  EXPECT_EQ(choose_backend(c, mats(100)).backend, Backend::cuda);
  c.points[0].cuda = {1, 1.09};  // the CPU's brief step takes 1 ms
  EXPECT_EQ(choose_backend(c, mats(100)).backend, Backend::cuda);
  c.points[0].cuda = {1, 1.11};
  const BackendChoice slow = choose_backend(c, mats(100));
  EXPECT_EQ(slow.backend, Backend::cpu);
  EXPECT_EQ(slow.because,
            "a step of few iterations of this size is predicted to take 1.11 ms on the device, 1 "
            "ms on the CPU");
}

TEST(Calibration, OtherLoopsAndPrecisionsSayNothing) {
  const Calibration c = crossing();
  const BackendChoice chains = choose_backend(c, {LoopKind::chains, 10000, 1, Precision::double_});
  EXPECT_EQ(chains.backend, Backend::cpu);
  EXPECT_THAT(chains.because, AllOf(HasSubstr("loop chains"), HasSubstr("double precision")));
  EXPECT_EQ(choose_backend(c, {LoopKind::one_pass, 10000, 1, Precision::float_}).backend,
            Backend::cpu);
}

TEST(Calibration, ScenesAndTheirProblemsAreOfOneKind) {
  SolverOptions options;
  options.execution.precision = Precision::mixed;
  const Scene mat = test::mat_on_rising_ball(1e5, 100, 0.01, 1);
  const Workload w = workload_of(mat, 7, options);
  EXPECT_EQ(w.loop, LoopKind::one_pass);
  EXPECT_EQ(w.n_row, static_cast<int>(mat.soft_bodies[0].mesh.nodes.size()));
  EXPECT_EQ(w.n_env, 7);
  EXPECT_EQ(w.precision, Precision::mixed);

  Scene with_block = mat;
  RigidBodyDescription block;
  block.name = "block";
  block.shape.kind = ShapeKind::sphere;
  block.shape.radius = 0.02;
  block.pose.position = {0.15, 0.15, 0.028};
  with_block.rigid_bodies.push_back(block);
  Scene touches_itself = mat;
  touches_itself.soft_bodies[0].self_contact = true;
  EXPECT_EQ(workload_of(touches_itself, 1, options).loop, LoopKind::phases);
  CableDescription cable;
  cable.name = "cable";
  cable.points_m = {{0, 0, 1}, {1, 0, 1}};
  cable.links = 10;
  Scene with_cable = with_block;
  with_cable.cables.push_back(cable);
  for (const auto& [scene, loop, n_more] : {std::tuple{mat, LoopKind::one_pass, 0},
                                            {with_block, LoopKind::phases, 2},
                                            {with_cable, LoopKind::chains, 22}}) {
    const Workload of_scene = workload_of(scene, 2, options);
    EXPECT_EQ(of_scene.loop, loop);
    EXPECT_EQ(of_scene.n_row, w.n_row + n_more);
    Simulation simulation({scene, scene}, test::tight(1e-6));
    const Workload of_problem = workload_of(simulation.build_problem(), options);
    EXPECT_EQ(of_problem.loop, loop);
    EXPECT_EQ(of_problem.n_row, of_scene.n_row);
    EXPECT_EQ(of_problem.n_env, 2);
  }
}

/// A cache folder of its own.
class CalibrationFile : public testing::Test {
 protected:
  void SetUp() override { setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1); }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", home_.c_str(), 1);
  }
  void put(const std::string& text) {
    std::filesystem::create_directories(cache_folder());
    std::ofstream(path_of_key(), std::ios::binary | std::ios::trunc) << text;
  }
  std::string path_of_key() const { return calibration_path(kKey); }
  /// Of what is there now; one line that a summary can hold.
  std::string refusal() const {
    const FoundCalibration found = find_calibration(kKey);
    EXPECT_FALSE(found.calibration);
    EXPECT_EQ(found.because.find('\n'), std::string::npos);
    EXPECT_LT(found.because.size(), 1000U);
    return found.because;
  }

  const test::TemporaryFolder folder_;
  const std::string home_ = std::getenv("HOME") ? std::getenv("HOME") : "";
};

TEST_F(CalibrationFile, IsReadAsItWasWritten) {
  EXPECT_EQ(refusal(), "no calibration of this machine; nodia bench --calibrate makes one");
  const Calibration written = crossing();
  for (int times = 0; times < 2; ++times) write_calibration(path_of_key(), written);
  const FoundCalibration found = find_calibration(kKey);
  ASSERT_TRUE(found.calibration) << found.because;
  EXPECT_EQ(found.because, "");
  EXPECT_EQ(calibration_json(*found.calibration), calibration_json(written));
  ASSERT_EQ(found.calibration->points.size(), written.points.size());
  EXPECT_EQ(found.calibration->points[3].cuda.brief, written.points[3].cuda.brief);
  int n_file = 0;
  for (const auto& entry : std::filesystem::directory_iterator(cache_folder()))
    n_file += entry.exists();
  EXPECT_EQ(n_file, 1);
}

TEST_F(CalibrationFile, OfAnotherMachineOrBuildIsIgnored) {
  const std::string text = calibration_json(crossing());
  for (const auto& [name, words] : {std::pair{"device", "of another device"},
                                    {"software", "of another driver or toolkit"},
                                    {"cpu", "of another CPU"},
                                    {"build", "of another build of nodia"}}) {
    std::string other = text;
    other.insert(other.find(std::string("\"") + name + "\": \"") + std::string(name).size() + 5,
                 "not ");
    put(other);
    EXPECT_THAT(refusal(), AllOf(HasSubstr(words), HasSubstr("not "), HasSubstr("is ignored"),
                                 HasSubstr("nodia bench --calibrate")));
  }
}

TEST_F(CalibrationFile, EveryTruncationIsIgnored) {
  const std::string text = calibration_json(crossing());
  for (std::size_t n = 0; n + 2 < text.size(); n += 7) {
    put(text.substr(0, n));
    EXPECT_THAT(refusal(), HasSubstr("is ignored"));
  }
}

TEST_F(CalibrationFile, WrongValuesAreIgnored) {
  const std::string text = calibration_json({kKey, {point(100, 1, 4, 8), point(200, 1, 4, 8)}});
  const auto with = [&text](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return changed.replace(at, from.size(), to);
  };
  const std::string deep(500000, '['), long_text = "\"" + std::string(5000, 'x') + "\"";
  for (const std::string& wrong : {with("nodia_calibration", "nodia_bench"),
                                   with("\"format_version\": 1", "\"format_version\": 2"),
                                   with("\"n_row\": 100", "\"n_row\": 0"),
                                   with("\"n_row\": 100", "\"n_row\": -3"),
                                   with("\"n_row\": 100", "\"n_row\": 1.5"),
                                   with("\"n_row\": 100", "\"n_row\": 1e99"),
                                   with("\"n_row\": 100", "\"n_row\": 99999999999999999999"),
                                   with("\"n_row\": 100", "\"n_row\": \"100\""),
                                   with("\"n_row\": 100", "\"n_row\": 200"),
                                   with("\"n_row\": 100", "\"n_row\": " + long_text),
                                   with("\"n_env\": 1", "\"n_env\": null"),
                                   with("\"cpu_ms\": 4.0", "\"cpu_ms\": 0"),
                                   with("\"cpu_ms\": 4.0", "\"cpu_ms\": -4.0"),
                                   with("\"cpu_ms\": 4.0", "\"cpu_ms\": 1e999"),
                                   with("\"cpu_ms\": 4.0", "\"cpu_ms\": null"),
                                   with("\"cuda_brief_ms\"", "\"cuda_brief\""),
                                   with("one_pass", "two_passes"),
                                   with("double", "half"),
                                   with("\"points\": [", "\"points\": 3, \"more\": ["),
                                   with("a device", "a dev\xff\xfe\x01\x80ice"),
                                   with("a build", "a\\u0001\\n build"),
                                   deep,
                                   std::string(2000000, ' '),
                                   std::string("null"),
                                   std::string("[]"),
                                   std::string("{}"),
                                   std::string("\0\0\0", 3)}) {
    put(wrong);
    EXPECT_THAT(refusal(), HasSubstr("is ignored")) << wrong.substr(0, 200);
  }
  put(with("\"format\"", "\"a key of later versions\": 1, \"format\""));
  EXPECT_TRUE(find_calibration(kKey).calibration);
}

TEST_F(CalibrationFile, WhatIsNoFileIsIgnoredAtOnce) {
  put("");
  std::filesystem::remove(path_of_key());
  ASSERT_EQ(mkfifo(path_of_key().c_str(), 0600), 0);
  EXPECT_THAT(refusal(), HasSubstr("not a regular file"));
  std::filesystem::remove(path_of_key());
  std::filesystem::create_symlink("/dev/zero", path_of_key());
  EXPECT_THAT(refusal(), HasSubstr("not a regular file"));
  std::filesystem::remove(path_of_key());
  std::filesystem::create_directory(path_of_key());
  EXPECT_THAT(refusal(), HasSubstr("not a regular file"));
  EXPECT_THROW(write_calibration(path_of_key(), crossing()), RuntimeError);
  std::filesystem::remove(path_of_key());
  std::filesystem::create_symlink("nowhere", path_of_key());
  EXPECT_THAT(refusal(), HasSubstr("is ignored"));
  write_calibration(path_of_key(), crossing());
  EXPECT_TRUE(find_calibration(kKey).calibration);
}

TEST_F(CalibrationFile, LiesInTheCacheFolder) {
  EXPECT_EQ(cache_folder(), folder_.path() + "/nodia");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(cache_folder(), "/home/someone/.cache/nodia");
  setenv("HOME", "", 1);
  EXPECT_EQ(cache_folder(), "");
  EXPECT_EQ(calibration_path(kKey), "");
  EXPECT_EQ(refusal(), "no calibration: neither XDG_CACHE_HOME nor HOME is an absolute path");
  setenv("XDG_CACHE_HOME", "/cache", 1);
  const CalibrationKey odd{"../../a/b\n", "", std::string(1000, 'c'), ""};
  EXPECT_EQ(calibration_path(odd),
            "/cache/nodia/calibration_______a_b__" + std::string(80, 'c') + ".json");
}

TEST_F(CalibrationFile, CannotBeMadeBelowAFile) {
  std::ofstream(folder_.file("nodia")) << "a file";
  EXPECT_THROW(write_calibration(path_of_key(), crossing()), InputError);
  EXPECT_EQ(refusal(), "no calibration of this machine; nodia bench --calibrate makes one");
}

}  // namespace
}  // namespace nodia
