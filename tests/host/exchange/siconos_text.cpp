// Siconos' text files: every storage, both kinds, and what is refused.
#include "host/exchange/siconos_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

using testing::HasSubstr;

// W = [[2, 1, 0], [1, 3, 0], [0, 0, 4]], one contact in three dimensions.
constexpr const char* kDense = "3\n1\n0\n3\n3\n3\t3\n2 1 0\n1 3 0\n0 0 4\n-1 0.5 0\n0.3\n";

// Two contacts in a plane; the second block row has blocks (1, 0) and (1, 1); by columns.
constexpr const char* kBlocks =
    "2\n2\n1\n4\n4\n"
    "4\n2\n2\n2 4\n2 4\n3\n4\n0 2 4\n0 1 0 1\n"
    "0\n5 1 1 6\n1\n.1 .3 .2 .4\n2\n.1 .2 .3 .4\n3\n7 0 0 8\n"
    "1 2 3 4\n0.5 0.25\n0\n";

constexpr const char* kTriplets =
    "3\n1\n"
    "2\n2\n2\n1\nCSparse Version 3.1.4, some date\ntriplet: 2-by-2, nzmax: 4 nnz: 2\n"
    "    0 0 : 2e0\n    1 1 : 4\n"
    "2\n2\n3\n2\nCSparse Version 3.1.4, some date\n2-by-3, nzmax: 3 nnz: 3, 1-norm: 1\n"
    "    col 0 : locations 0 to 0\n      0 : 1\n    col 1 : locations 1 to 2\n      0 : -1\n"
    "      1 : 2.5\n    col 2 : locations 3 to 2\n"
    "7 8\n1 2 3\n0.7\n1\n0 0 0\n";

std::string message_of(const std::string& text, const std::string& path = "file.dat") {
  try {
    read_siconos_text(text, path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SiconosText, ReadsADenseLocalProblem) {
  const FrictionProblem p = read_siconos_text(kDense, "a/dense.dat");
  EXPECT_EQ(p.kind, FrictionKind::local);
  EXPECT_EQ(p.dimension, 3);
  EXPECT_EQ(p.title, "dense");
  EXPECT_EQ(p.M.coeff(0, 1), 1);
  EXPECT_EQ(p.M.coeff(2, 2), 4);
  EXPECT_EQ(p.q[1], 0.5);
  EXPECT_EQ(p.mu, std::vector<double>{0.3});
}

TEST(SiconosText, ReadsBlocksByColumns) {
  const FrictionProblem p = read_siconos_text(kBlocks, "blocks.dat");
  EXPECT_EQ(p.kind, FrictionKind::local);
  EXPECT_EQ(p.dimension, 2);
  EXPECT_EQ(p.M.coeff(0, 3), 0.2);  // second column of block (0, 1)
  EXPECT_EQ(p.M.coeff(1, 2), 0.3);
  EXPECT_EQ(p.M.coeff(2, 1), 0.3);
  EXPECT_EQ(p.asymmetry(), 0);
}

TEST(SiconosText, BlocksByRowsAreRefusedWithAHint) {
  std::string text = kBlocks;
  text.replace(text.find(".1 .3 .2 .4"), 11, ".1 .2 .3 .4");
  EXPECT_THAT(message_of(text), HasSubstr("column-major"));
}

TEST(SiconosText, ReadsSparseMatricesOfAGlobalProblemByTrial) {
  const FrictionProblem p = read_siconos_text(kTriplets, "triplets.dat");
  EXPECT_EQ(p.kind, FrictionKind::global);
  EXPECT_EQ(p.M.coeff(1, 1), 4);
  EXPECT_EQ(p.H.coeff(0, 1), -1);
  EXPECT_EQ(p.H.coeff(1, 1), 2.5);
  EXPECT_EQ(p.b[2], 3);
}

TEST(SiconosText, NamesFileLineAndRule) {
  std::string text = kDense;
  text.replace(text.find("0.3"), 3, "-.3");
  EXPECT_THAT(message_of(text), HasSubstr("file.dat: mu[0] = -0.3 (must be finite and >= 0"));
  text = kDense;
  text.replace(text.find("-1 0.5"), 6, "nan 0.");
  EXPECT_THAT(message_of(text), HasSubstr("file.dat:10: q = nan (must be a finite number)"));
  text = kDense;
  text.replace(text.find("-1 0.5"), 6, "1,5 0.");
  EXPECT_THAT(message_of(text), HasSubstr("1,5"));
  EXPECT_THAT(message_of(""), HasSubstr("the file ends"));
  EXPECT_THAT(message_of(std::string(kDense) + "9 9"), HasSubstr("flag of a first guess"));
}

TEST(SiconosText, HugeCountsAreRefusedBeforeMemoryIsTaken) {
  EXPECT_THAT(message_of("3 2147483647 0 3 3 3 3"), HasSubstr("what the file holds"));
  EXPECT_THAT(message_of("3 1 0 2000000000 2000000000 2000000000 2000000000 1"),
              HasSubstr("what the file holds"));
  EXPECT_THAT(message_of("3 99999999999 0 3 3 3 3"), HasSubstr("whole number"));
}

TEST(SiconosText, NoBeginningOfAFileIsAccepted) {
  for (const auto& [whole, last_mu] :
       {std::pair(kDense, "0.3"), std::pair(kBlocks, "0.25"), std::pair(kTriplets, "0.7")}) {
    const std::string text = whole;
    const std::size_t end = text.rfind(last_mu);
    for (std::size_t n = 0; n <= end; ++n)
      EXPECT_THROW(read_siconos_text(text.substr(0, n), "cut.dat"), InputError) << n;
  }
}

TEST(SiconosText, RandomDamageNeverCrashes) {
  std::mt19937 engine(1);
  int n_refused = 0;
  for (const char* whole : {kDense, kBlocks, kTriplets}) {
    for (int k = 0; k < 2000; ++k) {
      std::string text = whole;
      for (int change = 0; change < 3; ++change)
        text[engine() % text.size()] = "0123456789-.e+ \n:x\xff"[engine() % 19];
      n_refused += message_of(text) != "accepted";
    }
  }
  EXPECT_GT(n_refused, 3000);
}

}  // namespace
}  // namespace nodia
