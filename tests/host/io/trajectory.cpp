#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "host/io/trajectory.hpp"
#include "host/problem/hdf5.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/contact_column.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/given_step.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

using test::TemporaryFolder;
using Kind = ObjectKind;

RecordedTopology example_topology() {
  RecordedTopology topology;
  topology.n_point = 9;
  topology.tets = {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}};
  topology.lines = {{6, 7}, {7, 8}};
  topology.n_pose = 2;
  topology.poses = R"([{"name": "a"}, {"name": "\u00e9"}])";
  topology.bodies = R"([{"name": "b", "kind": "cable"}])";
  return topology;
}

/// Frame i of a made-up trajectory.
Frame example_frame(int i, const RecordedTopology& topology = example_topology()) {
  std::mt19937_64 random(100 + i);
  std::uniform_real_distribution<double> value(-1, 1);
  const auto any = [&] { return Vec3d{value(random), value(random), value(random)}; };
  const auto vectors = [&] {
    std::vector<Vec3d> v(topology.n_point);
    for (Vec3d& x : v) x = {value(random), value(random), value(random)};
    return v;
  };
  Frame frame;
  frame.time_s = 0.01 * i;
  frame.x = vectors();
  frame.velocity = vectors();
  frame.contact_force = vectors();
  for (std::int64_t n = 0; n < topology.n_point; ++n) frame.contact_state.push_back(random() % 3);
  for (std::size_t t = 0; t < topology.tets.size(); ++t)
    frame.von_mises_Pa.push_back(1e4f * static_cast<float>(value(random)));
  for (std::int64_t k = 0; k < topology.n_pose; ++k) {
    frame.position.push_back(any());
    frame.orientation.push_back({value(random), value(random), value(random), value(random)});
  }
  frame.contacts = empty_contact_record(&ContactQuantity::in_trajectory);
  for (ContactRecord::Column& column : frame.contacts.columns)
    std::visit(
        [&]<class T>(std::vector<T>& values) {
          for (int c = 0; c < (5 * i) % 4; ++c)
            if constexpr (std::is_same_v<T, Vec3d>)
              values.push_back(any());
            else
              values.push_back(static_cast<T>(100 * value(random) + 100));
        },
        column.values);
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
  EXPECT_TRUE(same(a.position, b.position));
  ASSERT_EQ(a.orientation.size(), b.orientation.size());
  for (std::size_t k = 0; k < a.orientation.size(); ++k) {
    const Quaternion p = a.orientation[k], q = b.orientation[k];
    EXPECT_TRUE(p.w == q.w && p.x == q.x && p.y == q.y && p.z == q.z);
  }
  ASSERT_EQ(a.contacts.columns.size(), b.contacts.columns.size());
  for (std::size_t k = 0; k < a.contacts.columns.size(); ++k)
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
          const auto& others = std::get<std::vector<T>>(b.contacts.columns[k].values);
          if constexpr (std::is_same_v<T, Vec3d>)
            EXPECT_TRUE(same(values, others)) << a.contacts.columns[k].name;
          else
            EXPECT_EQ(values, others) << a.contacts.columns[k].name;
        },
        a.contacts.columns[k].values);
}

void expect_frames(const std::string& path, int first, int count) {
  const VtkhdfReader reader(path);
  EXPECT_EQ(reader.topology().n_point, 9);
  EXPECT_EQ(reader.topology().tets, example_topology().tets);
  EXPECT_EQ(reader.topology().lines, example_topology().lines);
  EXPECT_EQ(reader.topology().poses, example_topology().poses);
  EXPECT_EQ(reader.topology().bodies, example_topology().bodies);
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
    EXPECT_TRUE(test::text_of(stem + ".vtkhdf") == test::text_of(folder.file("of1.vtkhdf")))
        << part_frames << " frames a part";
  }
  EXPECT_EQ(names_in(folder).size(), 6u);
}

TEST(Trajectory, ItsBytesDoNotKnowTheTime) {
  const TemporaryFolder folder;
  for (const char* name : {"early", "late"}) {
    TrajectoryWriter writer(folder.file(name), example_topology(), 50);
    writer.append(example_frame(0));
    writer.finish();
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 counts in seconds
  }
  EXPECT_TRUE(test::text_of(folder.file("early.vtkhdf")) ==
              test::text_of(folder.file("late.vtkhdf")));
}

TEST(Trajectory, PartsAreClosedByTimeTooAndTheWholeIsTheSame) {
  const TemporaryFolder folder;
  for (const double part_seconds : {0.0, 1e9}) {
    const std::string stem = folder.file(part_seconds > 0 ? "slow" : "fast");
    TrajectoryWriter writer(stem, example_topology(), 50, part_seconds);
    for (int i = 0; i < 9; ++i) writer.append(example_frame(i));
    EXPECT_EQ(names_in(folder).size(), part_seconds > 0 ? 1u : 9u);  // one is the other stem's
    writer.finish();
  }
  EXPECT_EQ(test::text_of(folder.file("fast.vtkhdf")), test::text_of(folder.file("slow.vtkhdf")));
}

TEST(Trajectory, MergingThatIsNotToGoOnLeavesTheParts) {
  const TemporaryFolder folder;
  TrajectoryWriter writer(folder.file("trajectory"), example_topology(), 3);
  for (int i = 0; i < 9; ++i) writer.append(example_frame(i));
  int asked = 0;
  EXPECT_FALSE(writer.finish([&] { return ++asked < 3; }));
  EXPECT_EQ(asked, 3);
  ASSERT_EQ(names_in(folder).size(), 3u);
  for (int part = 0; part < 3; ++part)
    expect_frames(folder.file("trajectory.part000" + std::to_string(part) + ".vtkhdf"), 3 * part,
                  3);
}

TEST(Trajectory, WithoutFramesThereIsNoFile) {
  const TemporaryFolder folder;
  TrajectoryWriter writer(folder.file("trajectory"), example_topology(), 3);
  writer.finish();
  EXPECT_TRUE(names_in(folder).empty());
}

TEST(Trajectory, LargeFramesCloseTheirPartEarly) {
  const TemporaryFolder folder;
  RecordedTopology topology;
  topology.n_point = 500'000;
  TrajectoryWriter writer(folder.file("trajectory"), topology, 50);
  for (int i = 0; i < 2; ++i) writer.append(example_frame(i, topology));
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"trajectory.part0000.vtkhdf"});
}

TEST(Trajectory, TheRoomAskedForIsEnoughAndNotWasteful) {
  const TemporaryFolder folder;
  const RecordedTopology topology = example_topology();
  for (const int n : {1, 40, 400}) {
    TrajectoryWriter writer(folder.file("trajectory"), topology, 1000);
    for (int i = 0; i < n; ++i) writer.append(example_frame(i));
    writer.finish();
    const auto size =
        static_cast<std::int64_t>(std::filesystem::file_size(folder.file("trajectory.vtkhdf")));
    std::int64_t n_contact = 0;
    for (int i = 0; i < n; ++i)
      n_contact += static_cast<std::int64_t>(example_frame(i).contacts.n_contact());
    EXPECT_LE(size, topology.file_size(n, n_contact));
    EXPECT_GE(size + 49152, topology.file_size(n, n_contact));
  }
}

void remove_link(const std::string& path, const char* name) {
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
  ASSERT_GE(H5Ldelete(file.id(), name, H5P_DEFAULT), 0);
}

/// A run that an older version began: its parts lack a quantity that this version has.
TEST(Trajectory, AQuantityThatAnOlderFileLacksReadsAsNaN) {
  const TemporaryFolder folder;
  const std::string part = folder.file("trajectory.part0000.vtkhdf");
  TrajectoryWriter older(folder.file("trajectory"), example_topology(), 3);
  for (int i = 0; i < 3; ++i) older.append(example_frame(i));
  remove_link(part, "nodia/contacts/gap_end");
  TrajectoryWriter writer(folder.file("trajectory"), example_topology(), 3);
  writer.go_on_from(3);
  for (int i = 3; i < 6; ++i) writer.append(example_frame(i));
  writer.finish();
  const VtkhdfReader reader(folder.file("trajectory.vtkhdf"));
  const auto gaps = [](const Frame& frame) {
    return test::contact_column<double>(frame.contacts, "gap_end");
  };
  EXPECT_THAT(gaps(reader.read(2)), testing::ElementsAre(testing::IsNan(), testing::IsNan()));
  EXPECT_EQ(test::contact_column<std::uint8_t>(reader.read(2).contacts, "state"),
            test::contact_column<std::uint8_t>(example_frame(2).contacts, "state"));
  for (const int i : {3, 4, 5}) expect_same(reader.read(i), example_frame(i));
}

TEST(Trajectory, AFileWithoutBodiesOfContactsIsRejected) {
  const TemporaryFolder folder;
  TrajectoryWriter writer(folder.file("trajectory"), example_topology(), 3);
  writer.append(example_frame(1));
  writer.finish();
  remove_link(folder.file("trajectory.vtkhdf"), "nodia/contacts/body_i");
  EXPECT_THROW(VtkhdfReader(folder.file("trajectory.vtkhdf")), InputError);
}

TEST(Trajectory, AFullDiskIsAnErrorAndClosedPartsStay) {
  const TemporaryFolder folder;
  const RecordedTopology topology = example_topology();
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
  EXPECT_NE(message.find("trajectory.part0002.vtkhdf.tmp: cannot write 0.1 MB (File too large)"),
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
  const RecordedTopology topology = recorded_topology(scene);
  const auto& tets = scene.soft_bodies.front().mesh.tets;
  EXPECT_EQ(topology.n_point, 16);
  ASSERT_EQ(topology.tets.size(), 2 * tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t)
    for (int k = 0; k < 4; ++k) {
      EXPECT_EQ(topology.tets[t][k], tets[t][k]);
      EXPECT_EQ(topology.tets[tets.size() + t][k], tets[t][k] + 8);
    }
}

/// Contact forces are in the world frame, equal and opposite on two nodes, and add up; slip
/// outranks stick.
TEST(Trajectory, ContactsBecomeForcesAndStatesOfPoints) {
  Scene scene = test::box_scene({1, 1, 1}, {1, 1, 1});
  scene.rigid_bodies.emplace_back().name = "ball";
  scene.rigid_bodies[0].shape = {ShapeKind::sphere, {}, 0.5, 0, {}};
  scene.cables.resize(2);
  for (CableDescription& cable : scene.cables) cable.links = 3;
  scene.obstacles.emplace_back().name = "floor";
  TetModel model;
  model.add_body(scene.soft_bodies.front().mesh, scene.soft_bodies.front().material);
  model.finish();
  BodyLayout layout;
  layout.add(BodyKind::soft, 8);
  layout.add(BodyKind::rigid, 1);
  for (int k = 0; k < 2; ++k) layout.add(BodyKind::chain, 3);
  State state;
  state.x = scene.soft_bodies.front().mesh.nodes;
  state.v.assign(static_cast<std::size_t>(layout.n_row()), Vec3d{1, 2, 3});
  for (int f = 0; f < 7; ++f) {
    state.frames.push_back({{0, 0, 1.0 + f}, {0, 1, 0, 0}});
    state.v[static_cast<std::size_t>(layout.frame_row(f))] = {0, 0, 10.0 + f};
  }
  state.time_s = 0.5;
  const Mat3d R = frame_from_normal(Vec3d{0, 0, 1});
  const std::vector<Contact<double>> contacts = {{.side_i = 2, .side_j = kWorld, .R = R},
                                                 {.side_i = 2, .side_j = 5, .R = R},
                                                 {.side_i = 6, .side_j = kWorld, .R = R},
                                                 {.side_i = 30, .side_j = 31, .R = R}};
  const std::vector<Vec3d> lambda = {{4, 0.5, 0}, {2, 0, 0.25}, {0, 0, 0}, {3, 0, 0}};
  const std::vector<ContactState> states = {ContactState::slip, ContactState::stick,
                                            ContactState::open, ContactState::stick};
  const ObjectId soft{Kind::soft_body, 0, 0}, floor{Kind::obstacle, 0, 0}, link{Kind::cable, 1, 2};
  // The last one: link 2 of the second cable against a face of the soft body near node 7.
  const std::vector<ContactSides> sides = {{soft, floor, {}, {}},
                                           {soft, soft, {}, {}},
                                           {soft, floor, {}, {}},
                                           {link, soft, {0.9, 0.9, 0.9}, {7, 8, 9}}};
  const StepRecord record;
  const test::GivenStep source(state, {contacts, lambda, states, sides});
  FrameMaker maker(scene, model);
  const Pose floor_pose{{0, 0, -3}, Mat3d::identity()};
  const Frame frame = maker.frame_of(StepView{record, layout, source, {}, {floor_pose}});
  const RecordedTopology topology = recorded_topology(scene);
  EXPECT_EQ(topology.n_point, 8 + 6);
  EXPECT_EQ(topology.lines,
            (std::vector<std::array<std::int32_t, 2>>{{8, 9}, {9, 10}, {11, 12}, {12, 13}}));
  EXPECT_EQ(topology.n_pose, 2);
  ASSERT_EQ(frame.x.size(), 14u);
  EXPECT_EQ(frame.x[8].z, 2);
  EXPECT_EQ(frame.x[13].z, 7);
  EXPECT_EQ(frame.velocity[0].y, 2);
  EXPECT_EQ(frame.velocity[13].z, 16);
  ASSERT_EQ(frame.position.size(), 2u);
  EXPECT_EQ(frame.position[0].z, 1);
  EXPECT_EQ(frame.position[1].z, -3);
  EXPECT_EQ(frame.time_s, 0.5);
  const Vec3d first = 4.0 * R.row[0] + 0.5 * R.row[1], second = 2.0 * R.row[0] + 0.25 * R.row[2];
  EXPECT_NEAR(norm(frame.contact_force[2] - first - second), 0, 1e-15);
  EXPECT_NEAR(norm(frame.contact_force[5] + second), 0, 1e-15);
  EXPECT_GT(frame.contact_force[2].z, 5.9);
  EXPECT_NEAR(frame.contact_force[13].z, 3, 1e-15);
  EXPECT_NEAR(frame.contact_force[7].z, -3, 1e-15);
  EXPECT_EQ(frame.contact_state,
            (std::vector<std::uint8_t>{0, 0, 2, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(frame.von_mises_Pa.size(), scene.soft_bodies.front().mesh.tets.size());
  for (const float stress : frame.von_mises_Pa) EXPECT_NEAR(stress, 0, 1e-6);
  // Bodies: box, ball, two cables, floor.
  ASSERT_EQ(frame.contacts.n_contact(), 4u);
  const auto indices = [&](const char* name) {
    return test::contact_column<std::int32_t>(frame.contacts, name);
  };
  EXPECT_EQ(indices("body_i"), (std::vector<std::int32_t>{0, 0, 0, 3}));
  EXPECT_EQ(indices("body_j"), (std::vector<std::int32_t>{4, 0, 4, 0}));
  EXPECT_EQ(indices("link_i"), (std::vector<std::int32_t>{0, 0, 0, 2}));
  EXPECT_EQ(test::contact_column<std::uint8_t>(frame.contacts, "state"),
            (std::vector<std::uint8_t>{2, 1, 0, 1}));
  EXPECT_EQ(test::contact_column<Vec3d>(frame.contacts, "position").at(3).x, 0.9);
  EXPECT_EQ(test::contact_column<Vec3d>(frame.contacts, "slip_velocity").at(3).y, 8);
  EXPECT_NEAR(test::contact_column<Vec3d>(frame.contacts, "force").at(3).z, 3, 1e-15);
}

/// A base at height 1 and a link that slides along x.
Scene sliding_arm() {
  Scene scene;
  RobotSceneDescription& robot = scene.robots.emplace_back();
  robot.name = "arm";
  robot.robot.name = "arm";
  robot.base.position = {0, 0, 1};
  RobotLink base, link;
  base.name = "base";
  link.name = "slide";
  link.parent = 0;
  link.joint.name = "rail";
  link.joint.kind = JointKind::prismatic;
  link.joint.axis = {1, 0, 0};
  link.inertia = RigidInertia{1, {}, Mat3d::identity()};
  link.collisions.push_back({"tool",
                             {{0, 0, 0.1}, Mat3d::identity()},
                             {ShapeKind::capsule, {}, 0.01, 0.2, {}},
                             "",
                             {1, 1, 1}});
  robot.robot.links = {base, link};
  return scene;
}

TEST(Trajectory, RobotLinksHavePoses) {
  const Scene scene = sliding_arm();
  const RecordedTopology topology = recorded_topology(scene);
  EXPECT_EQ(topology.n_pose, 2);
  EXPECT_NE(topology.poses.find(R"("name":"slide","kind":"robot_link","robot":"arm")"),
            std::string::npos)
      << topology.poses;
  EXPECT_NE(topology.poses.find(R"("shape":"capsule","radius_m":0.01,"length_m":0.2)"),
            std::string::npos);
  BodyLayout layout;
  layout.add(BodyKind::robot, 1);
  State state;
  state.q = {0.25};
  state.v = {Vec3d{}};
  const TetModel none;
  const std::vector<Pose> links = {{{0, 0, 1}, Mat3d::identity()},
                                   {{0.25, 0, 1}, {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}}};
  const Frame frame = FrameMaker(scene, none).frame_of(state, layout, {links});
  ASSERT_EQ(frame.position.size(), 2u);
  EXPECT_EQ(frame.position[0].z, 1);
  EXPECT_EQ(frame.position[1].x, 0.25);
  EXPECT_NEAR(frame.orientation[0].w, 1, 1e-15);
  EXPECT_NEAR(frame.orientation[1].z, std::sqrt(0.5), 1e-15);
}

/// Of the state that is looked at: at the start, after a state was set, and at the end of a step.
TEST(Trajectory, SimulationsGiveThePosesOfRobotLinks) {
  const Scene scene = sliding_arm();
  Simulation simulation({scene}, {});
  ASSERT_EQ(simulation.link_poses().size(), 2u);
  EXPECT_EQ(simulation.link_poses()[0].position.z, 1);
  EXPECT_EQ(simulation.link_poses()[1].position.x, 0);
  State state = simulation.state();
  state.q = {0.25};
  state.v = {Vec3d{2, 0, 0}};
  simulation.set_state(0, state);
  EXPECT_NEAR(simulation.link_poses()[1].position.x, 0.25, 1e-15);
  int n_seen = 0;
  simulation.step([&](const StepView& view) {
    ++n_seen;
    ASSERT_EQ(view.link_poses.size(), 2u);
    EXPECT_GT(view.state().q[0], 0.26);
    EXPECT_NEAR(view.link_poses[1].position.x, view.state().q[0], 1e-15);
  });
  EXPECT_EQ(n_seen, 1);
}

}  // namespace
}  // namespace nodia
