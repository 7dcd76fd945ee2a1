// fclib's HDF5 files: round trip, every form of a matrix, damaged files.
#include "host/exchange/fclib.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "host/exchange/read_problem.hpp"
#include "host/problem/hdf5.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/random_friction.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

FrictionProblem local_problem() {
  const FrictionProblem global = random_friction({.n_body = 4, .n_contact = 5});
  FrictionProblem p;
  p.kind = FrictionKind::local;
  const Eigen::MatrixXd H(global.H);
  const Eigen::MatrixXd W = H.transpose() * H;
  p.M = W.sparseView();
  p.q = H.transpose() * global.q;
  p.mu = global.mu;
  p.title = "local one";
  return p;
}

void expect_equal(const FrictionProblem& a, const FrictionProblem& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.dimension, b.dimension);
  EXPECT_EQ(Eigen::MatrixXd(a.M), Eigen::MatrixXd(b.M));
  EXPECT_EQ(Eigen::MatrixXd(a.H), Eigen::MatrixXd(b.H));
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.b, b.b);
  EXPECT_EQ(a.mu, b.mu);
  EXPECT_EQ(a.title, b.title);
}

TEST(Fclib, ComesBackBitForBit) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("p.hdf5");
  for (const FrictionProblem& p :
       {random_friction({.n_body = 4, .n_contact = 5}),
        random_friction({.n_body = 4, .n_contact = 5, .dimension = 2}), local_problem()}) {
    write_fclib(p, path);
    expect_equal(read_fclib(path), p);
    const std::string first = test::text_of(path);
    write_fclib(p, path);
    EXPECT_EQ(test::text_of(path), first);
  }
}

/// W of local_problem as {p, i, x, nz}.
void write_local(const std::string& path, int nz, const std::vector<std::int32_t>& p,
                 const std::vector<std::int32_t>& i, const std::vector<double>& x) {
  const hdf5::Handle file = hdf5::create_file(path);
  const hdf5::Handle group = hdf5::create_group(file, "fclib_local");
  const hdf5::Handle W = hdf5::create_group(group, "W");
  const auto number = [](const hdf5::Handle& at, const char* name, std::int32_t n) {
    hdf5::write(at, name, std::vector<std::int32_t>{n});
  };
  number(group, "spacedim", 3);
  number(W, "m", 3);
  number(W, "n", 3);
  number(W, "nzmax", 9);
  number(W, "nz", nz);
  hdf5::write(W, "p", p);
  hdf5::write(W, "i", i);
  hdf5::write(W, "x", x);
  const hdf5::Handle vectors = hdf5::create_group(group, "vectors");
  hdf5::write(vectors, "q", std::vector<double>{-1, 0, 0});
  hdf5::write(vectors, "mu", std::vector<double>{0.5});
}

TEST(Fclib, ReadsTripletsColumnsAndRows) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("p.hdf5");
  Eigen::MatrixXd W(3, 3);
  W << 2, 1, 0, 1, 3, 0, 0, 0, 4;
  write_local(path, 5, {0, 0, 1, 1, 2, 9, 9}, {0, 1, 0, 1, 2, 9, 9}, {2, 1, 1, 3, 4, 9, 9});
  EXPECT_EQ(Eigen::MatrixXd(read_fclib(path).M), W);
  write_local(path, -1, {0, 2, 4, 5}, {0, 1, 0, 1, 2}, {2, 1, 1, 3, 4});
  EXPECT_EQ(Eigen::MatrixXd(read_fclib(path).M), W);
  write_local(path, -2, {0, 2, 4, 5}, {0, 1, 0, 1, 2}, {2, 1, 1, 3, 4});
  EXPECT_EQ(Eigen::MatrixXd(read_fclib(path).M), W);
}

TEST(Fclib, RefusesCountsAndIndicesThatDoNotFit) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("p.hdf5");
  const std::vector<double> x{2, 1, 1, 3, 4};
  write_local(path, 50, {0, 0, 1, 1, 2}, {0, 1, 0, 1, 2}, x);
  EXPECT_THROW(read_fclib(path), InputError);
  write_local(path, 5, {0, 0, 1, 1, 7}, {0, 1, 0, 1, 2}, x);
  EXPECT_THROW(read_fclib(path), InputError);
  write_local(path, -1, {0, 4, 2, 5}, {0, 1, 0, 1, 2}, x);
  EXPECT_THROW(read_fclib(path), InputError);
  write_local(path, -1, {0, 2, 4, 500}, {0, 1, 0, 1, 2}, x);
  EXPECT_THROW(read_fclib(path), InputError);
  write_local(path, -7, {0, 2, 4, 5}, {0, 1, 0, 1, 2}, x);
  EXPECT_THROW(read_fclib(path), InputError);
}

TEST(ReadProblem, DamagedFilesAreRefusedOrRead) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("p.hdf5");
  write_fclib(random_friction({.n_body = 2, .n_contact = 1}), path);
  const std::string whole = test::text_of(path);
  std::mt19937 engine(3);
  const auto try_it = [&](const std::string& bytes) {
    write_bytes(path, bytes);
    try {
      read_problem(path);
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  EXPECT_TRUE(try_it(whole));
  for (std::size_t n = 0; n < whole.size(); n += 61) EXPECT_FALSE(try_it(whole.substr(0, n))) << n;
  for (int k = 0; k < 200; ++k) {
    std::string bytes = whole;
    for (int change = 0; change < 4; ++change)
      bytes[engine() % bytes.size()] = static_cast<char>(engine());
    try_it(bytes);
  }
}

TEST(ReadProblem, IsDecidedByWhatTheFileHolds) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("p.dat");
  write_fclib(random_friction({.n_body = 2, .n_contact = 1}), path);
  EXPECT_TRUE(std::holds_alternative<FrictionProblem>(read_problem(path)));
  EXPECT_THROW(read_problem(folder.path()), InputError);
  EXPECT_THROW(read_problem(folder.file("none.dat")), InputError);
  write_bytes(path, std::string("3 1 \0 0", 7));
  EXPECT_THROW(read_problem(path), InputError);
}

}  // namespace
}  // namespace nodia
