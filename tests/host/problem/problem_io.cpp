#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

#include "host/problem/atomic_file.hpp"
#include "host/problem/contact_problem.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/source_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

using test::same_bits;
using test::TemporaryFolder;
using test::text_of;

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void expect_same(const ContactProblem& a, const ContactProblem& b) {
  EXPECT_TRUE(same_bits(a.A.pattern->row_begin, b.A.pattern->row_begin));
  EXPECT_TRUE(same_bits(a.A.pattern->column, b.A.pattern->column));
  EXPECT_TRUE(same_bits(a.A.pattern->diagonal, b.A.pattern->diagonal));
  EXPECT_TRUE(same_bits(a.A.value, b.A.value));
  EXPECT_TRUE(same_bits(a.b, b.b));
  EXPECT_TRUE(same_bits(a.mass, b.mass));
  EXPECT_TRUE(same_bits(a.position, b.position));
  EXPECT_EQ(a.theta, b.theta);
  EXPECT_EQ(a.step_s, b.step_s);
  EXPECT_EQ(a.env_node_begin, b.env_node_begin);
  EXPECT_EQ(a.env_contact_begin, b.env_contact_begin);
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  for (std::size_t m = 0; m < a.contacts.size(); ++m) {
    const Contact<double>&c = a.contacts[m], &d = b.contacts[m];
    EXPECT_EQ(c.side_i, d.side_i);
    EXPECT_EQ(c.side_j, d.side_j);
    EXPECT_EQ(std::memcmp(&c.R, &d.R, sizeof(c.R)), 0);
    EXPECT_EQ(std::memcmp(&c.phi, &d.phi, sizeof(c.phi)), 0);
    EXPECT_EQ(c.mu1, d.mu1);
    EXPECT_EQ(c.mu2, d.mu2);
    EXPECT_EQ(c.key, d.key);
  }
  ASSERT_EQ(a.topology.size(), b.topology.size());
  for (std::size_t e = 0; e < a.topology.size(); ++e) {
    EXPECT_TRUE(*a.topology[e] == *b.topology[e]) << e;
    for (std::size_t other = 0; other < e; ++other)
      EXPECT_EQ(a.topology[e] == a.topology[other], b.topology[e] == b.topology[other]) << e;
  }
}

/// The topology of an environment, to be changed; that of the others stays.
Topology& own_topology(ContactProblem* p, int e) {
  auto copy = std::make_shared<Topology>(*p->topology[e]);
  p->topology[e] = copy;
  return *copy;
}

void expect_rejected(const std::string& path, const std::string& part_of_message) {
  try {
    load_problem(path);
    ADD_FAILURE() << part_of_message << ": accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(part_of_message));
  }
}

/// Mark and checksum behind the HDF5 file.
constexpr std::size_t kSealSize = 16;

TEST(ProblemFile, RoundTripsBitForBit) {
  const TemporaryFolder folder;
  const ContactProblem p =
      random_problem({.seed = 1, .n_env = 3, .n_node = 7, .anisotropic = true, .theta = 0.5});
  WarmStart warm{p.b, std::vector<Vec3d>(p.contacts.size(), Vec3d{-0.0, 5e-324, 1.0 / 3})};
  save_problem(p, folder.file("p.nodia.h5"), warm);
  WarmStart loaded_warm;
  expect_same(load_problem(folder.file("p.nodia.h5"), &loaded_warm), p);
  EXPECT_TRUE(same_bits(loaded_warm.v, warm.v));
  EXPECT_TRUE(same_bits(loaded_warm.lambda, warm.lambda));
  EXPECT_FALSE(std::filesystem::exists(folder.file("p.nodia.h5.tmp")));
}

TEST(ProblemFile, RoundTripsPointsBodiesAndPlaces) {
  const TemporaryFolder folder;
  ContactProblem p = random_problem({.seed = 2,
                                     .n_env = 2,
                                     .n_node = 7,
                                     .n_body = 2,
                                     .n_body_contact = 2,
                                     .n_triangle_contact = 2,
                                     .n_link = 5});
  p.position = p.b;
  save_problem(p, folder.file("p.nodia.h5"));
  const ContactProblem loaded = load_problem(folder.file("p.nodia.h5"));
  expect_same(loaded, p);
  EXPECT_EQ(loaded.points.begin, p.points.begin);
  EXPECT_EQ(loaded.points.row, p.points.row);
  ASSERT_EQ(loaded.points.J.size(), p.points.J.size());
  EXPECT_EQ(
      std::memcmp(loaded.points.J.data(), p.points.J.data(), p.points.J.size() * sizeof(Mat3d)), 0);
  EXPECT_EQ(loaded.env_point_begin, p.env_point_begin);
}

TEST(ProblemFile, RoundTripsTopologiesAndWhoSharesThem) {
  const TemporaryFolder folder;
  // Two nodes, a body and a link: all environments have the same pattern.
  ContactProblem p = random_problem({.seed = 6, .n_env = 5, .n_node = 2, .n_body = 1, .n_link = 1});
  ASSERT_EQ(p.topology[4], p.topology[0]);
  const auto with_rest = [&](int e, const std::vector<Vec3d>& rest) {
    Topology topology = *p.topology[e];
    topology.rest = rest;
    return std::make_shared<const Topology>(topology);
  };
  std::vector<Vec3d> rest(6, Vec3d{-0.0, 5e-324, 1.0 / 3});
  p.topology[1] = p.topology[3] = with_rest(1, rest);
  rest[5].x = 1e300;
  p.topology[4] = with_rest(4, rest);
  own_topology(&p, 4).bodies[1].kind = BodyKind::robot;
  own_topology(&p, 4).kind[2] = own_topology(&p, 4).kind[3] = RowKind::joint;
  ASSERT_NO_THROW(p.validate());
  save_problem(p, folder.file("p.nodia.h5"));
  const ContactProblem loaded = load_problem(folder.file("p.nodia.h5"));
  expect_same(loaded, p);
  EXPECT_EQ(loaded.topology[2], loaded.topology[0]);
  EXPECT_EQ(loaded.topology[3], loaded.topology[1]);
  EXPECT_TRUE(same_bits(loaded.topology[4]->rest, rest));
}

/// Made by the release before topologies from the problem that the test makes again.
TEST(ProblemFile, LoadsVersion2) {
  const ContactProblem p = random_problem({.seed = 4,
                                           .n_env = 2,
                                           .n_node = 3,
                                           .n_world_contact = 1,
                                           .n_pair_contact = 1,
                                           .n_body = 1,
                                           .n_body_contact = 1,
                                           .n_triangle_contact = 1,
                                           .n_link = 2});
  WarmStart warm;
  const ContactProblem loaded =
      load_problem(test::source_file("tests/host/problem/version_2.nodia.h5"), &warm);
  EXPECT_TRUE(*loaded.A.pattern == *p.A.pattern);
  ASSERT_EQ(loaded.A.value.size(), p.A.value.size());
  for (std::size_t k = 0; k < p.A.value.size(); ++k)
    EXPECT_NEAR(loaded.A.value[k], p.A.value[k], 1e-9) << k;
  EXPECT_EQ(loaded.points.row, p.points.row);
  EXPECT_EQ(loaded.env_point_begin, p.env_point_begin);
  EXPECT_EQ(loaded.n_contact(), p.n_contact());
  ASSERT_EQ(warm.v.size(), p.b.size());
  for (std::size_t i = 0; i < p.b.size(); ++i) EXPECT_NEAR(norm(warm.v[i] - p.b[i]), 0, 1e-9);
  ASSERT_EQ(loaded.topology.size(), 2u);
  for (int e = 0; e < 2; ++e) {
    const Topology& topology = *loaded.topology[e];
    EXPECT_TRUE(topology.pattern == p.topology[e]->pattern);
    EXPECT_EQ(topology.bodies,
              (std::vector<Body>{
                  {BodyKind::soft, 0, 3}, {BodyKind::robot, 3, 2}, {BodyKind::chain, 5, 4}}));
    EXPECT_TRUE(topology.rest.empty());
  }
}

/// The file with another number as its version, without a checksum.
std::string with_version(std::string bytes, char version) {
  bytes.resize(bytes.size() - kSealSize);
  std::size_t at = bytes.find("version");
  const std::string four("\4\0\0\0", 4);  // the size of the number comes before it
  at = bytes.find(four, bytes.find(four, at) + 1);
  EXPECT_NE(at, std::string::npos);
  bytes[at] = version;
  return bytes;
}

TEST(ProblemFile, RefusesVersionsThatItDoesNotKnow) {
  const TemporaryFolder folder;
  ContactProblem p = random_problem({});
  p.position = p.b;
  save_problem(p, folder.file("p.nodia.h5"));
  const std::string whole = text_of(folder.file("p.nodia.h5"));
  write_bytes(folder.file("q.nodia.h5"), with_version(whole, 4));
  expect_same(load_problem(folder.file("q.nodia.h5")), p);
  write_bytes(folder.file("q.nodia.h5"), with_version(whole, 3));
  p.position.clear();
  expect_same(load_problem(folder.file("q.nodia.h5")), p);
  write_bytes(folder.file("q.nodia.h5"), with_version(whole, 5));
  expect_rejected(folder.file("q.nodia.h5"),
                  "attribute version: 5 (must be 1 to 4; a newer nodia wrote the file)");
  write_bytes(folder.file("q.nodia.h5"), with_version(whole, 0));
  expect_rejected(folder.file("q.nodia.h5"), "attribute version: 0 (must be 1 to 4)");
}

TEST(ProblemFile, RoundTripsWithoutMassContactsOrWarmStart) {
  const TemporaryFolder folder;
  ContactProblem p = random_problem({.n_world_contact = 0, .n_pair_contact = 0});
  p.mass.clear();
  save_problem(p, folder.file("p.nodia.h5"));
  WarmStart warm{p.b, {}};
  expect_same(load_problem(folder.file("p.nodia.h5"), &warm), p);
  EXPECT_TRUE(warm.v.empty());
}

TEST(ProblemFile, IsTheSameEveryTime) {
  const TemporaryFolder folder;
  const ContactProblem p = random_problem({});
  save_problem(p, folder.file("a.nodia.h5"));
  save_problem(p, folder.file("b.nodia.h5"));
  EXPECT_EQ(text_of(folder.file("a.nodia.h5")), text_of(folder.file("b.nodia.h5")));
}

void expect_rejected(const std::string& path) {
  try {
    load_problem(path);
    ADD_FAILURE() << path << ": accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith(path));
    EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\n")));
  }
}

TEST(ProblemFile, RejectsWhatIsNoFile) {
  const TemporaryFolder folder;
  expect_rejected(folder.file("missing.nodia.h5"));
  std::filesystem::create_directory(folder.file("folder.nodia.h5"));
  expect_rejected(folder.file("folder.nodia.h5"));
  write_bytes(folder.file("empty.nodia.h5"), "");
  expect_rejected(folder.file("empty.nodia.h5"));
  write_bytes(folder.file("text.nodia.h5"), "not an HDF5 file\n");
  expect_rejected(folder.file("text.nodia.h5"));
}

TEST(ProblemFile, RejectsTruncation) {
  const TemporaryFolder folder;
  save_problem(random_problem({.n_node = 4, .n_world_contact = 2, .n_pair_contact = 1}),
               folder.file("p.nodia.h5"));
  const std::string whole = text_of(folder.file("p.nodia.h5"));
  for (std::size_t k = 0; k < 100; ++k) {
    write_bytes(folder.file("cut.nodia.h5"), whole.substr(0, whole.size() * k / 100));
    expect_rejected(folder.file("cut.nodia.h5"));
  }
}

TEST(ProblemFile, RejectsAnyFlippedByte) {
  const TemporaryFolder folder;
  save_problem(random_problem({.n_node = 4, .n_world_contact = 2, .n_pair_contact = 1}),
               folder.file("p.nodia.h5"));
  const std::string whole = text_of(folder.file("p.nodia.h5"));
  std::mt19937 engine(1);
  for (int k = 0; k < 300; ++k) {
    std::string damaged = whole;
    for (int flip = 0; flip < 1 + k % 3; ++flip) {
      char& byte = damaged[engine() % (whole.size() - kSealSize)];
      byte = static_cast<char>(byte ^ (1 + engine() % 255));
    }
    write_bytes(folder.file("flipped.nodia.h5"), damaged);
    if (damaged != whole) expect_rejected(folder.file("flipped.nodia.h5"), "checksum");
  }
  std::string damaged = whole;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  write_bytes(folder.file("flipped.nodia.h5"), damaged);
  expect_rejected(folder.file("flipped.nodia.h5"), "checksum");
}

TEST(ProblemFile, LoadsWithoutChecksumAsOtherProgramsWriteIt) {
  const TemporaryFolder folder;
  const ContactProblem p = random_problem({});
  save_problem(p, folder.file("p.nodia.h5"));
  const std::string whole = text_of(folder.file("p.nodia.h5"));
  write_bytes(folder.file("q.nodia.h5"), whole.substr(0, whole.size() - kSealSize));
  expect_same(load_problem(folder.file("q.nodia.h5")), p);
}

/// Every occurrence of `from`, which must occur, replaced by `to` of the same length; no checksum.
std::string patched(std::string bytes, const std::string& from, const std::string& to) {
  bytes.resize(bytes.size() - kSealSize);
  std::size_t n = 0;
  for (std::size_t at = bytes.find(from); at != std::string::npos;
       at = bytes.find(from, at + to.size()), ++n)
    bytes.replace(at, from.size(), to);
  EXPECT_GT(n, 0u) << from;
  return bytes;
}

TEST(ProblemFile, NamesTheMissingPart) {
  const TemporaryFolder folder;
  save_problem(random_problem({}), folder.file("p.nodia.h5"));
  const std::string whole = text_of(folder.file("p.nodia.h5"));
  for (const std::string name :
       {"row_begin", "value", "mass", "env_node_begin", "env_contact_begin", "node_i", "mu2", "key",
        "lambda", "theta", "step_s", "format", "version", "of_env", "kind", "bodies", "body_begin",
        "rest_begin"}) {
    std::string other = name;
    other.back() = '_';
    write_bytes(folder.file("q.nodia.h5"), patched(whole, name, other));
    expect_rejected(folder.file("q.nodia.h5"), name);
  }
  write_bytes(folder.file("q.nodia.h5"), patched(whole, "nodia_problem", "nodia-problem"));
  expect_rejected(folder.file("q.nodia.h5"), "not a contact problem");
}

TEST(ProblemFile, RejectsProblemsThatBreakARule) {
  const TemporaryFolder folder;
  const auto expect_rule = [&](const char* message,
                               const std::function<void(ContactProblem&, WarmStart&)>& damage) {
    ContactProblem p = random_problem({});
    WarmStart warm{p.b, {}};
    damage(p, warm);
    save_problem(p, folder.file("p.nodia.h5"), warm);
    expect_rejected(folder.file("p.nodia.h5"), message);
  };
  expect_rule("problem.b", [](ContactProblem& p, WarmStart&) { p.b.pop_back(); });
  expect_rule("problem.theta", [](ContactProblem& p, WarmStart&) { p.theta = 2; });
  expect_rule("problem.contacts[1].mu1",
              [](ContactProblem& p, WarmStart&) { p.contacts[1].mu1 = -1; });
  expect_rule("group warm", [](ContactProblem&, WarmStart& warm) { warm.v.pop_back(); });
  expect_rule("group warm", [](ContactProblem&, WarmStart& warm) { warm.lambda.resize(2); });
  expect_rule("problem.topology[0].bodies = 11 rows",
              [](ContactProblem& p, WarmStart&) { own_topology(&p, 0).bodies[0].n_row -= 1; });
  expect_rule("problem.topology[0].kind[7]",
              [](ContactProblem& p, WarmStart&) { own_topology(&p, 0).kind[7] = RowKind::joint; });
  expect_rule("problem.topology[0].kind = 11 entries",
              [](ContactProblem& p, WarmStart&) { own_topology(&p, 0).kind.pop_back(); });
  expect_rule("dataset topology/bodies: kind of row 0 = 4", [](ContactProblem& p, WarmStart&) {
    own_topology(&p, 0).bodies[0].kind = static_cast<BodyKind>(4);
  });
  expect_rule("problem.topology[0].rest = 1 entries",
              [](ContactProblem& p, WarmStart&) { own_topology(&p, 0).rest = {Vec3d{}}; });
  expect_rule("dataset topology/of_env: 0 entries (must be 1",
              [](ContactProblem& p, WarmStart&) { p.topology.clear(); });
  expect_rule("A/row_begin", [](ContactProblem& p, WarmStart&) {
    auto pattern = std::make_shared<BlockPattern>(*p.A.pattern);
    pattern->row_begin.clear();
    p.A.pattern = pattern;
  });
  expect_rule("problem.A", [](ContactProblem& p, WarmStart&) {
    auto pattern = std::make_shared<BlockPattern>(*p.A.pattern);
    pattern->row_begin[1] = -5;
    pattern->row_begin[2] = 1 << 30;
    p.A.pattern = pattern;
  });
}

TEST(ProblemFile, RejectsSizesLargerThanTheFileBeforeAllocating) {
  const TemporaryFolder folder;
  const std::uint64_t n_node = 1237, claimed = std::uint64_t{1} << 40;
  save_problem(random_problem({.n_node = int(n_node)}), folder.file("p.nodia.h5"));
  const auto bytes_of = [](const std::uint64_t& n) {
    return std::string(reinterpret_cast<const char*>(&n), sizeof(n));
  };
  write_bytes(folder.file("q.nodia.h5"),
              patched(text_of(folder.file("p.nodia.h5")), bytes_of(n_node), bytes_of(claimed)));
  expect_rejected(folder.file("q.nodia.h5"), "dataset b");
}

TEST(ReplaceFile, NamesTheFileItCannotWrite) {
  const TemporaryFolder folder;
  try {
    save_problem(random_problem({}), folder.file("missing/p.nodia.h5"));
    FAIL() << "accepted";
  } catch (const RuntimeError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith(folder.file("missing/p.nodia.h5")));
  }
}

TEST(ReplaceFile, LeavesTheOldFileWhereWritingFails) {
  const TemporaryFolder folder;
  write_bytes(folder.file("file"), "old");
  std::filesystem::create_directory(folder.file("file.tmp"));
  EXPECT_THROW(replace_file(folder.file("file"), "new"), RuntimeError);
  EXPECT_EQ(text_of(folder.file("file")), "old");
  std::filesystem::remove(folder.file("file.tmp"));
  replace_file(folder.file("file"), "new");
  EXPECT_EQ(text_of(folder.file("file")), "new");
}

}  // namespace
}  // namespace nodia
