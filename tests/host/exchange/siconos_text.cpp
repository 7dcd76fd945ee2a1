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

// A dense M and H, a value for every contact velocity, and the flag at the end.
constexpr const char* kDenseGlobal =
    "3\n1\n0\n3\n3\n3 3\n2 0 0\n0 2 0\n0 0 2\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n"
    "-1 0.5 0.25\n7 8 9\n0.3\n0\n";

// The same as Siconos writes it, q and b in one line.
std::string joined_vectors() {
  std::string text = kDenseGlobal;
  text.replace(text.find("0.25\n"), 5, "0.25 ");
  return text;
}

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
  EXPECT_THAT(message_of(text),
              HasSubstr("file.dat:10: q = nan (must be a finite number, at most 1.8e308)"));
  text = kDense;
  text.replace(text.find("-1 0.5"), 6, "1,5 0.");
  EXPECT_THAT(message_of(text), HasSubstr("1,5"));
  EXPECT_THAT(message_of(""), HasSubstr("the file ends"));
  EXPECT_THAT(message_of(std::string(kDense) + "9 9"), HasSubstr("flag of a first guess"));
}

TEST(SiconosText, NumbersBeyondDoubleAreRefusedWithTheirLine) {
  for (const std::string number : {"1e400", "-1e400", "1e310", "-1e999", "1.8e308", "+1e400"}) {
    std::string text = kDense;
    text.replace(text.find("0.5"), 3, number);
    EXPECT_THAT(message_of(text), HasSubstr("file.dat:10: q = " + number + " (must be a finite"));
    text = kDense;
    text.replace(text.find("4\n"), 1, number);
    EXPECT_THAT(message_of(text),
                HasSubstr("file.dat:9: dense matrix = " + number + " (must be a fin"));
    text = kBlocks;
    text.replace(text.find("7 0"), 1, number);
    EXPECT_THAT(message_of(text), HasSubstr("block = " + number + " (must be a finite"));
    text = kTriplets;
    text.replace(text.find("2.5"), 3, number);
    EXPECT_THAT(message_of(text), HasSubstr("value of an entry = " + number + " (must be a fin"));
  }
}

TEST(SiconosText, WhatIsTooSmallForDoubleIsZeroAndSubnormalNumbersAreKept) {
  for (const auto& [number, value] :
       {std::pair("1e-400", 0.0), std::pair("-1e-999", 0.0), std::pair("5e-324", 5e-324),
        std::pair("1e-310", 1e-310), std::pair("1.7976931348623157e308", 1.7976931348623157e308)}) {
    std::string text = kDense;
    text.replace(text.find("0.5"), 3, number);
    EXPECT_EQ(read_siconos_text(text, "file.dat").q[1], value) << number;
  }
}

/// The text with one of its words left out or written twice.
std::string with_word(const std::string& text, std::size_t begin, std::size_t end, bool twice) {
  const std::string word = text.substr(begin, end - begin);
  return text.substr(0, begin) + (twice ? word + ' ' + word : "") + text.substr(end);
}

TEST(SiconosText, NoValueCanBeMissingOrTooMany) {
  for (const std::string& text :
       {std::string(kDense), kDense + std::string("0\n"), std::string(kDenseGlobal),
        joined_vectors(), std::string(kBlocks)}) {
    int n_word = 0;
    for (std::size_t begin = 0; (begin = text.find_first_not_of(" \t\n", begin)) < text.size();) {
      const std::size_t end = text.find_first_of(" \t\n", begin);
      // The flag at the end is optional.
      const bool is_flag = end + 1 == text.size() && text.substr(begin - 1) == "\n0\n";
      if (!is_flag) {
        EXPECT_NE(message_of(with_word(text, begin, end, false)), "accepted") << n_word << text;
      }
      EXPECT_NE(message_of(with_word(text, begin, end, true)), "accepted") << n_word << text;
      begin = end;
      ++n_word;
    }
    EXPECT_GT(n_word, 15);
  }
}

TEST(SiconosText, ALineOfAnotherLengthIsNamed) {
  std::string text = kDenseGlobal;
  text.replace(text.find("0 1 0\n"), 5, "0 1");  // line 15
  EXPECT_THAT(message_of(text), HasSubstr("file.dat:15: dense matrix = 2 values in "
                                          "this line (must be 3;"));
  text.replace(text.find("0 0 1\n"), 5, "0 0 0 1");  // as many in all
  EXPECT_THAT(message_of(text), HasSubstr("file.dat:15: "));
  text = kDenseGlobal;
  text.replace(text.find("8 9"), 3, "8");
  EXPECT_THAT(message_of(text), HasSubstr("file.dat:18: b = 2 values in this line (must be 3"));
  text = joined_vectors();
  text.replace(text.find("8 9"), 3, "8");
  EXPECT_THAT(message_of(text), HasSubstr("file.dat:17: b = 2 values in this line (must be 3"));
  text = kDenseGlobal;
  text.replace(text.find("8 9"), 3, "8 9 10");
  EXPECT_THAT(message_of(text), HasSubstr("file.dat:18: b = more than 3 values in this line"));
}

TEST(SiconosText, TwoVectorsInALineAreThoseInTwo) {
  const FrictionProblem joined = read_siconos_text(joined_vectors(), "joined.dat");
  const FrictionProblem apart = read_siconos_text(kDenseGlobal, "apart.dat");
  EXPECT_EQ(joined.kind, FrictionKind::global);
  EXPECT_EQ(joined.q, apart.q);
  EXPECT_EQ(joined.b, apart.b);
  EXPECT_EQ(joined.mu, apart.mu);
}

TEST(SiconosText, WithoutLinesTheFlagIsNeeded) {
  const std::string one_line = "3 1 0 3 3 3 3 2 1 0 1 3 0 0 0 4 -1 0.5 0 0.3";
  EXPECT_THAT(message_of(one_line), HasSubstr("flag of a first guess"));
  EXPECT_EQ(message_of(one_line + " 0"), "accepted");
  std::string a_value_a_line = one_line;
  for (char& c : a_value_a_line)
    if (c == ' ') c = '\n';
  EXPECT_THAT(message_of(a_value_a_line + "\n0\n"),
              HasSubstr("file.dat:17: q = 1 values in this line (must be 3"));
}

TEST(SiconosText, TheKindThatFitsTheSizesTellsWhatIsWrong) {
  std::string text = kDenseGlobal;
  text.replace(text.find("0.25"), 4, "1e400");
  EXPECT_THAT(message_of(text),
              testing::AllOf(HasSubstr("q = 1e400"), HasSubstr("read as a global problem")));
  EXPECT_THAT(message_of("3\n2\n0\n3\n3\n3 3\n2 1 0\n1 3 0\n0 0 4\n-1 0.5 0\n0.3\n"),
              HasSubstr("W = 3-by-3 (must be 6-by-6 for 2 contacts) (read as a local problem)"));
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
