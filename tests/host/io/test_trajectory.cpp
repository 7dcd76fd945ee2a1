#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "host/io/trajectory.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

using test::TemporaryFolder;

Topology example_topology() {
  return {6, {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}}};
}

/// Frame i of a made-up trajectory.
Frame example_frame(int i, const Topology& topology = example_topology()) {
  std::mt19937_64 random(100 + i);
  std::uniform_real_distribution<double> value(-1, 1);
  const auto vectors = [&] {
    std::vector<Vec3d> v(topology.n_node);
    for (Vec3d& x : v) x = {value(random), value(random), value(random)};
    return v;
  };
  Frame frame;
  frame.time_s = 0.01 * i;
  frame.x = vectors();
  frame.velocity = vectors();
  frame.contact_force = vectors();
  for (std::int64_t n = 0; n < topology.n_node; ++n) frame.contact_state.push_back(random() % 3);
  for (std::size_t t = 0; t < topology.tets.size(); ++t)
    frame.von_mises_Pa.push_back(1e4f * static_cast<float>(value(random)));
  return frame;
}

bool same(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](Vec3d p, Vec3d q) { return p.x == q.x && p.y == q.y && p.z == q.z; });
}

void expect_same(const Frame& a, const Frame& b) {
  EXPECT_EQ(a.time_s, b.time_s);
  EXPECT_TRUE(same(a.x, b.x));
  EXPECT_TRUE(same(a.velocity, b.velocity));
  EXPECT_TRUE(same(a.contact_force, b.contact_force));
  EXPECT_EQ(a.contact_state, b.contact_state);
  EXPECT_EQ(a.von_mises_Pa, b.von_mises_Pa);
}

void expect_frames(const std::string& path, int first, int count) {
  const VtkhdfReader reader(path);
  EXPECT_EQ(reader.topology().n_node, 6);
  EXPECT_EQ(reader.topology().tets, example_topology().tets);
  ASSERT_EQ(reader.time_s().size(), static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) expect_same(reader.read(i), example_frame(first + i));
}

std::vector<std::string> names_in(const TemporaryFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Trajectory, FramesReadBackBitForBit) {
  const TemporaryFolder folder;
  TrajectoryWriter writer(folder.file("trajectory"), example_topology(), 50);
  for (int i = 0; i < 7; ++i) writer.append(example_frame(i));
  writer.finish();
  expect_frames(folder.file("trajectory.vtkhdf"), 0, 7);
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"trajectory.vtkhdf"});
}

TEST(Trajectory, PartsAreWholeFilesWhileTheRunLasts) {
  const TemporaryFolder folder;
  TrajectoryWriter writer(folder.file("trajectory"), example_topology(), 3);
  for (int i = 0; i < 8; ++i) writer.append(example_frame(i));
  EXPECT_EQ(names_in(folder),
            (std::vector<std::string>{"trajectory.part0000.vtkhdf", "trajectory.part0001.vtkhdf"}));
  expect_frames(folder.file("trajectory.part0000.vtkhdf"), 0, 3);
  expect_frames(folder.file("trajectory.part0001.vtkhdf"), 3, 3);
}

TEST(Trajectory, MergedPartsEqualOnePart) {
  const TemporaryFolder folder;
  for (const int part_frames : {1, 3, 4, 8, 9, 50}) {
    const std::string stem = folder.file("of" + std::to_string(part_frames));
    TrajectoryWriter writer(stem, example_topology(), part_frames);
    for (int i = 0; i < 9; ++i) writer.append(example_frame(i));
    writer.finish();
    expect_frames(stem + ".vtkhdf", 0, 9);
    EXPECT_EQ(test::text_of(stem + ".vtkhdf"), test::text_of(folder.file("of1.vtkhdf")));
  }
  EXPECT_EQ(names_in(folder).size(), 6u);
}

TEST(Trajectory, WithoutFramesThereIsNoFile) {
  const TemporaryFolder folder;
  TrajectoryWriter writer(folder.file("trajectory"), example_topology(), 3);
  writer.finish();
  EXPECT_TRUE(names_in(folder).empty());
}

TEST(Trajectory, LargeFramesCloseTheirPartEarly) {
  const TemporaryFolder folder;
  Topology topology;
  topology.n_node = 500'000;
  TrajectoryWriter writer(folder.file("trajectory"), topology, 50);
  for (int i = 0; i < 2; ++i) writer.append(example_frame(i, topology));
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"trajectory.part0000.vtkhdf"});
}

TEST(Trajectory, TheRoomAskedForIsEnoughAndNotWasteful) {
  const TemporaryFolder folder;
  const Topology topology = example_topology();
  for (const int n : {1, 40, 400}) {
    TrajectoryWriter writer(folder.file("trajectory"), topology, 1000);
    for (int i = 0; i < n; ++i) writer.append(example_frame(i));
    writer.finish();
    const auto size =
        static_cast<std::int64_t>(std::filesystem::file_size(folder.file("trajectory.vtkhdf")));
    EXPECT_LE(size, topology.file_size(n));
    EXPECT_GE(size + 32768, topology.file_size(n));
  }
}

TEST(Trajectory, AFullDiskIsAnErrorAndClosedPartsStay) {
  const TemporaryFolder folder;
  const Topology topology = example_topology();
  TrajectoryWriter writer(folder.file("trajectory"), topology, 2);
  for (int i = 0; i < 4; ++i) writer.append(example_frame(i));
  std::string message;
  {
    const test::FileSizeLimit limit(20000);
    writer.append(example_frame(4));
    try {
      writer.append(example_frame(5));
    } catch (const RuntimeError& error) {
      message = error.what();
    }
  }
  EXPECT_NE(message.find("trajectory.part0002.vtkhdf.tmp: cannot write 0.0 MB (File too large)"),
            std::string::npos)
      << message;
  EXPECT_EQ(names_in(folder),
            (std::vector<std::string>{"trajectory.part0000.vtkhdf", "trajectory.part0001.vtkhdf"}));
  expect_frames(folder.file("trajectory.part0000.vtkhdf"), 0, 2);
  expect_frames(folder.file("trajectory.part0001.vtkhdf"), 2, 2);
}

TEST(Trajectory, AMergeWithoutRoomKeepsTheParts) {
  const TemporaryFolder folder;
  TrajectoryWriter writer(folder.file("trajectory"), example_topology(), 20);
  for (int i = 0; i < 100; ++i) writer.append(example_frame(i));
  {
    const test::FileSizeLimit limit(60000);
    EXPECT_THROW(writer.finish(), RuntimeError);
  }
  EXPECT_EQ(names_in(folder).size(), 5u);
  expect_frames(folder.file("trajectory.part0004.vtkhdf"), 80, 20);
}

TEST(Trajectory, WhatIsNotATrajectoryIsRefusedWithItsName) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("text.vtkhdf")) << "hello";
  for (const std::string name : {"text.vtkhdf", "missing.vtkhdf", "."}) {
    try {
      const VtkhdfReader reader(folder.file(name));
      FAIL() << name;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
    }
  }
}

TEST(Trajectory, TruncatedFilesNeverCrashTheReader) {
  const TemporaryFolder folder;
  TrajectoryWriter writer(folder.file("trajectory"), example_topology(), 50);
  for (int i = 0; i < 5; ++i) writer.append(example_frame(i));
  writer.finish();
  const std::string whole = test::text_of(folder.file("trajectory.vtkhdf"));
  for (std::size_t size = 0; size + 1 < whole.size(); size += 97) {
    std::ofstream(folder.file("cut.vtkhdf"), std::ios::binary) << whole.substr(0, size);
    try {
      const VtkhdfReader reader(folder.file("cut.vtkhdf"));
      static_cast<void>(reader.read(4));
    } catch (const InputError&) {
    }
  }
}

TEST(Trajectory, EarlierRunsAreRemovedAndNothingElse) {
  const TemporaryFolder folder;
  const std::vector<std::string> ours = {"trajectory.vtkhdf", "trajectory.vtkhdf.tmp",
                                         "trajectory.part0000.vtkhdf", "trajectory_env0001.vtkhdf",
                                         "trajectory_env0001.part0012.vtkhdf.tmp"};
  const std::vector<std::string> others = {"my_trajectory.vtkhdf", "trajectory.png",
                                           "trajectory.vtkhdf.bak"};
  for (const auto& names : {ours, others})
    for (const std::string& name : names) std::ofstream(folder.file(name)) << "x";
  remove_trajectories(folder.path());
  EXPECT_EQ(names_in(folder), others);
}

TEST(Trajectory, NamesCarryTheEnvironmentWhereThereAreSeveral) {
  EXPECT_EQ(trajectory_name(0, 1), "trajectory");
  EXPECT_EQ(trajectory_name(0, 2), "trajectory_env0000");
  EXPECT_EQ(trajectory_name(12345, 20000), "trajectory_env12345");
}

TEST(Trajectory, BodiesAreNumberedThrough) {
  Scene scene = test::box_scene({1, 1, 1}, {1, 1, 1});
  SoftBodyDescription second = scene.soft_bodies.front();
  second.name = "second";
  scene.soft_bodies.push_back(second);
  const Topology topology = topology_of(scene);
  const auto& tets = scene.soft_bodies.front().mesh.tets;
  EXPECT_EQ(topology.n_node, 16);
  ASSERT_EQ(topology.tets.size(), 2 * tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t)
    for (int k = 0; k < 4; ++k) {
      EXPECT_EQ(topology.tets[t][k], tets[t][k]);
      EXPECT_EQ(topology.tets[tets.size() + t][k], tets[t][k] + 8);
    }
}

/// Contact forces are in the world frame, equal and opposite on two nodes, and add up; slip
/// outranks stick.
TEST(Trajectory, ContactsBecomeForcesAndStatesOfNodes) {
  const Scene scene = test::box_scene({1, 1, 1}, {1, 1, 1});
  TetModel model;
  model.add_body(scene.soft_bodies.front().mesh, scene.soft_bodies.front().material);
  model.finish();
  State state;
  state.x = scene.soft_bodies.front().mesh.nodes;
  state.v.assign(state.x.size(), Vec3d{1, 2, 3});
  state.time_s = 0.5;
  const Mat3d R = frame_from_normal(Vec3d{0, 0, 1});
  const std::vector<Contact<double>> contacts = {{.node_i = 2, .node_j = kWorld, .R = R},
                                                 {.node_i = 2, .node_j = 5, .R = R},
                                                 {.node_i = 6, .node_j = kWorld, .R = R}};
  const std::vector<Vec3d> lambda = {{4, 0.5, 0}, {2, 0, 0.25}, {0, 0, 0}};
  const std::vector<ContactState> states = {ContactState::slip, ContactState::stick,
                                            ContactState::open};
  const std::vector<std::int32_t> obstacles = {0, 0, 0};
  const StepRecord record;
  const Frame frame = frame_of(StepView{record, state, contacts, lambda, states, obstacles}, model);
  EXPECT_EQ(frame.time_s, 0.5);
  EXPECT_TRUE(same(frame.velocity, state.v));
  const Vec3d first = 4.0 * R.row[0] + 0.5 * R.row[1], second = 2.0 * R.row[0] + 0.25 * R.row[2];
  EXPECT_NEAR(norm(frame.contact_force[2] - first - second), 0, 1e-15);
  EXPECT_NEAR(norm(frame.contact_force[5] + second), 0, 1e-15);
  EXPECT_GT(frame.contact_force[2].z, 5.9);
  EXPECT_EQ(frame.contact_state, (std::vector<std::uint8_t>{0, 0, 2, 0, 0, 1, 0, 0}));
  EXPECT_EQ(frame.von_mises_Pa.size(), scene.soft_bodies.front().mesh.tets.size());
  for (const float stress : frame.von_mises_Pa) EXPECT_NEAR(stress, 0, 1e-6);
}

}  // namespace
}  // namespace nodia
