#include "kernels/core/launch.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace nodia {
namespace {

constexpr std::array kSizes = {1,   2,   7,   8,   9,     255,   256,   257,
                               263, 597, 511, 512, 65536, 65537, 65836, 150001};

std::vector<double> random_terms(int n) {
  std::mt19937 generator(n);
  std::uniform_real_distribution<double> exponent(-12, 12), sign(-1, 1);
  std::vector<double> term(n);
  for (double& t : term) t = std::copysign(std::pow(10.0, exponent(generator)), sign(generator));
  return term;
}

/// The order of the contract, written as the contract is: chunks, interleaved lanes, a tree; again.
double sum_as_documented(std::vector<double> term) {
  do {
    std::vector<double> sums;
    for (std::size_t first = 0; first < term.size(); first += 256) {
      double p[8] = {};
      for (std::size_t i = first; i < term.size() && i < first + 256; ++i) p[i % 8] += term[i];
      sums.push_back(((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7])));
    }
    term = sums;
  } while (term.size() > 1);
  return term[0];
}

TEST(Launch, CallsEveryIndexOnce) {
  for (const int n : {0, 1, 2, 5, 1000})
    for (const int n_thread : {0, 1, 2, 3, 7}) {
      std::vector<int> calls(n, 0);
      launch(
          n, [&](int i) { ++calls[i]; }, n_thread);
      EXPECT_EQ(calls, std::vector<int>(n, 1)) << n << " indices, " << n_thread << " threads";
    }
}

TEST(Launch, ChunksCoverTheTermsWithoutOverlap) {
  EXPECT_EQ(chunk_count(0), 0);
  for (const int n : kSizes) {
    int next = 0;
    for (int c = 0; c < chunk_count(n); ++c) {
      EXPECT_EQ(c * kChunk, next);
      next = chunk_end(c, n);
    }
    EXPECT_EQ(next, n);
  }
}

TEST(Launch, ChunksOfTheLargestCountDoNotOverflow) {
  constexpr int kLargest = 2147483647;
  EXPECT_EQ(chunk_count(kLargest), 8388608);
  EXPECT_EQ(chunk_end(8388606, kLargest), 8388607 * 256);
  EXPECT_EQ(chunk_end(8388607, kLargest), kLargest);
}

TEST(OrderedSum, HasTheDocumentedOrderForEveryNumberOfThreads) {
  for (const int n : kSizes) {
    const std::vector<double> term = random_terms(n);
    const double expected = sum_as_documented(term);
    for (const int n_thread : {1, 2, 3, 5}) {
      std::vector<double> partial(chunk_count(n));
      EXPECT_EQ(ordered_sum(
                    n, [&](int i) { return term[i]; }, partial.data(), n_thread),
                expected)
          << n << " terms, " << n_thread << " threads";
    }
  }
}

TEST(OrderedSum, OfNothingIsZero) {
  EXPECT_EQ(ordered_sum(
                0, [](int) { return 1.0; }, nullptr, 1),
            0.0);
}

TEST(OrderedSum, OfSmallIntegersIsExact) {
  for (const int n : kSizes) {
    std::vector<double> partial(chunk_count(n));
    const double sum = ordered_sum(
        n, [](int i) { return i; }, partial.data(), 1);
    EXPECT_EQ(sum, 0.5 * n * (n - 1.0));
  }
}

TEST(OrderedSum, StaysInsideItsWorkspace) {
  for (const int n : kSizes) {
    std::vector<double> partial(chunk_count(n) + 1, -7.0);
    ordered_sum(
        n, [](int) { return 1.0; }, partial.data(), 2);
    EXPECT_EQ(partial.back(), -7.0);
  }
}

TEST(OrderedSum, CarriesNotANumber) {
  for (const int bad : {0, 300, 999}) {
    std::vector<double> partial(chunk_count(1000));
    const auto term = [&](int i) { return i == bad ? std::nan("") : 1.0; };
    EXPECT_TRUE(std::isnan(ordered_sum(1000, term, partial.data(), 1)));
  }
}

}  // namespace
}  // namespace nodia
