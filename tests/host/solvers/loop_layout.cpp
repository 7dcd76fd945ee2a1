/// Where the loop keeps rows and contacts, and that no instruction set changes a bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/contact_layout.hpp"
#include "host/solvers/execution.hpp"
#include "kernels/core/error.hpp"
#include "kernels/cpu/isa.hpp"
#include "tests/support/joined_problems.hpp"
#include "tests/support/random_problem.hpp"

namespace nodia {
namespace {

TEST(RowLayout, HoldsEveryBlockOfEveryRowOnceTheDiagonalFirst) {
  for (const int n_node : {1, 15, 16, 17, 300}) {
    const ContactProblem p = random_problem(
        {.seed = 1, .n_env = 3, .n_node = n_node, .n_world_contact = 3, .n_pair_contact = 0});
    const BlockPattern& pattern = *p.A.pattern;
    RowLayout rows;
    LoopRanges ranges;
    RowLists<HostMemory> lists;
    EXPECT_FALSE(rows.fits(p));
    rows.build(p, {}, &ranges, &lists);
    EXPECT_TRUE(rows.fits(p)) << "the same pattern is kept";
    for (int e = 0; e < 3; ++e) {
      const LoopRange& range = ranges[e];
      ASSERT_EQ(range.first_row % kBlockLanes, 0);
      ASSERT_EQ(range.first_block_of_A, pattern.row_begin[p.env_node_begin[e]]);
      std::set<std::int32_t> taken;
      for (int node = p.env_node_begin[e]; node < p.env_node_begin[e + 1]; ++node) {
        const int row = rows.local_row(node);
        ASSERT_GE(row, 0);
        ASSERT_LT(row, range.n_row);
        EXPECT_TRUE(taken.insert(row).second);
        const std::int32_t* begin = lists.slice_begin.data() + range.first_slice_begin;
        std::set<std::int32_t> found;
        for (int k = begin[row / kSliceRows]; k < begin[row / kSliceRows + 1]; ++k) {
          const std::int64_t at = (range.first_pattern_block + k) * kSliceRows + row % kSliceRows;
          const int column = lists.column[at] / kNodeStride;
          if (lists.block[at] < 0) {
            EXPECT_EQ(column, row) << "padding points at its own row";
            continue;
          }
          const auto block = static_cast<std::int32_t>(range.first_block_of_A + lists.block[at]);
          if (k == begin[row / kSliceRows]) {
            EXPECT_EQ(block, pattern.diagonal[node]);
          }
          EXPECT_TRUE(found.insert(block).second);
          EXPECT_EQ(column, rows.local_row(pattern.column[block]));
        }
        std::set<std::int32_t> expected;
        for (int k = pattern.row_begin[node]; k < pattern.row_begin[node + 1]; ++k)
          expected.insert(k);
        EXPECT_EQ(found, expected);
      }
    }
  }
}

TEST(RowLayout, EnvironmentsOfOnePatternAndTheSameNodesInContactShareTheirLists) {
  ContactProblem p = random_problem(
      {.seed = 1, .n_env = 1, .n_node = 300, .n_world_contact = 9, .n_pair_contact = 0});
  const ContactProblem other = random_problem(
      {.seed = 2, .n_env = 1, .n_node = 300, .n_world_contact = 9, .n_pair_contact = 0});
  ContactProblem moved = p;  // one contact on another node
  std::set<std::int32_t> touched;
  for (const Contact<double>& c : p.contacts) touched.insert(c.side_i);
  for (std::int32_t node = 0; touched.contains(moved.contacts[0].side_i); ++node)
    moved.contacts[0].side_i = node;
  const ContactProblem batch = test::joined({p, moved, p, other, p});
  RowLayout rows;
  LoopRanges ranges;
  RowLists<HostMemory> lists;
  rows.build(batch, {}, &ranges, &lists);
  const auto same = [&](int a, int b) {
    return ranges[a].first_pattern_block == ranges[b].first_pattern_block &&
           ranges[a].first_slice_begin == ranges[b].first_slice_begin;
  };
  EXPECT_TRUE(same(0, 2));
  EXPECT_TRUE(same(0, 4));
  EXPECT_FALSE(same(0, 1)) << "other nodes in contact";
  EXPECT_FALSE(same(0, 3)) << "another pattern";
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < a; ++b) EXPECT_NE(ranges[a].first_block, ranges[b].first_block);
  // Alone, each has the order that it has in the batch.
  using Alone = std::pair<int, const ContactProblem*>;
  for (const auto& [e, alone] : {Alone{0, &p}, {1, &moved}, {3, &other}, {4, &p}}) {
    RowLayout own;
    LoopRanges own_ranges;
    RowLists<HostMemory> own_lists;
    own.build(*alone, {}, &own_ranges, &own_lists);
    for (int i = 0; i < alone->n_node(); ++i)
      EXPECT_EQ(own.local_row(i), rows.local_row(batch.env_node_begin[e] + i));
  }
}

/// Whatever environments are renewed, and however often: the rows that a layout made at once has.
TEST(RowLayout, RenewsTheRowsOfSomeEnvironmentsAsIfAllHadBeenMadeByTheirMarks) {
  const ContactProblem one = random_problem(
      {.seed = 1, .n_env = 1, .n_node = 300, .n_world_contact = 9, .n_pair_contact = 0});
  const ContactProblem other = random_problem(
      {.seed = 2, .n_env = 1, .n_node = 150, .n_world_contact = 9, .n_pair_contact = 0});
  const ContactProblem batch = test::joined({one, other, one, one});
  RowLayout rows;
  LoopRanges ranges;
  RowLists<HostMemory> lists;
  rows.build(batch, {}, &ranges, &lists);
  std::vector<RowMarks> marks;
  for (int e = 0; e < 4; ++e) marks.push_back(rows.marks(e));
  std::size_t most_blocks = 0;
  for (int round = 0; round < 40; ++round) {
    std::map<int, RowMarks> renewed;
    for (int e = round % 4; e < 4; e += 1 + round % 3) {
      marks[e] = rows.marks_of(batch, e);  // its contacts' nodes, and as many again that change
      const auto n_row = static_cast<int>(marks[e].in_contact.size());
      if (round % 5 != 0)
        for (int k = 0; k < 9; ++k) marks[e].in_contact[(31 * round + 7 * k + e) % n_row] = 1;
      renewed[e] = marks[e];
    }
    const RowLists<HostMemory> before = lists;
    const RowOffsets written = rows.renew(batch, renewed, &ranges, &lists);
    EXPECT_TRUE(rows.fits(batch));
    RowLayout at_once;
    LoopRanges own_ranges;
    RowLists<HostMemory> own_lists;
    at_once.build(batch, marks, &own_ranges, &own_lists);
    // Lists before `written` are as they were.
    ASSERT_LE(written.first_slice_begin, static_cast<std::int64_t>(before.slice_begin.size()));
    EXPECT_TRUE(std::equal(lists.column.begin(),
                           lists.column.begin() + written.first_pattern_block * kSliceRows,
                           before.column.begin()));
    for (int node = 0; node < batch.n_node(); ++node)
      ASSERT_EQ(rows.local_row(node), at_once.local_row(node));
    for (int e = 0; e <= 4; ++e) {
      const LoopRange &a = ranges[e], &b = own_ranges[e];
      ASSERT_EQ(a.first_row, b.first_row);
      ASSERT_EQ(a.first_block, b.first_block);
      ASSERT_EQ(a.first_partial, b.first_partial);
      ASSERT_EQ(a.env, b.env);
      if (e == 4) break;
      const std::int32_t n_slice = a.n_chunk * kBlockLanes / kSliceRows;
      const std::int32_t* const begin = lists.slice_begin.data() + a.first_slice_begin;
      const std::int32_t* const own_begin = own_lists.slice_begin.data() + b.first_slice_begin;
      ASSERT_TRUE(std::equal(begin, begin + n_slice + 1, own_begin));
      const std::ptrdiff_t n = std::ptrdiff_t{begin[n_slice]} * kSliceRows;
      const auto same = [&](const auto& all, const auto& own_all) {
        const auto first = all.begin() + a.first_pattern_block * kSliceRows;
        return std::equal(first, first + n, own_all.begin() + b.first_pattern_block * kSliceRows);
      };
      EXPECT_TRUE(same(lists.column, own_lists.column));
      EXPECT_TRUE(same(lists.block, own_lists.block));
    }
    most_blocks = std::max(most_blocks, lists.block.size());
  }
  EXPECT_LT(most_blocks, 10 * lists.block.size()) << "lists that serve nobody go";
}

TEST(ContactLayout, GivesEveryContactOneSlotOfTheRightKind) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const ContactProblem p = random_problem(
        {.seed = seed, .n_env = 4, .n_node = 40, .n_world_contact = 30, .n_pair_contact = 6});
    RowLayout rows;
    LoopRanges ranges;
    RowLists<HostMemory> row_lists;
    rows.build(p, {}, &ranges, &row_lists);
    ContactLayout layout;
    ContactLists<HostMemory> lists;
    layout.build(p, rows, &ranges, &lists);
    std::multiset<std::int32_t> found;
    for (std::int64_t slot = 0; slot < ranges.back().first_slot; ++slot)
      if (layout.contact_of_slot(slot) >= 0) found.insert(layout.contact_of_slot(slot));
    EXPECT_EQ(found.size(), p.contacts.size());
    EXPECT_EQ(std::set<std::int32_t>(found.begin(), found.end()).size(), p.contacts.size());
    for (int e = 0; e < p.n_env(); ++e) {
      const LoopRange& range = ranges[e];
      EXPECT_EQ(range.n_slot % kSliceRows, 0);
      // A single contact lies in the slot of its row.
      for (int slice = 0; slice < range.n_chunk * kBlockLanes / kSliceRows; ++slice) {
        const std::int32_t first = lists.contact_slice[range.first_slice + slice];
        if (first < 0) continue;
        for (int lane = 0; lane < kSliceRows; ++lane) {
          const std::int32_t m = layout.contact_of_slot(range.first_slot + first + lane);
          if (m < 0) continue;
          EXPECT_EQ(rows.local_row(p.contacts[m].side_i), slice * kSliceRows + lane);
          EXPECT_EQ(p.contacts[m].side_j, kWorld);
        }
      }
      for (int k = 0; k < range.n_coupled_slot; ++k) {
        const std::int32_t m =
            layout.contact_of_slot(range.first_slot + range.first_coupled_slot + k);
        ASSERT_GE(m, 0);
        EXPECT_GT(lists.coupled_count[range.first_row + rows.local_row(p.contacts[m].side_i)], 0);
      }
    }
  }
}

/// Sets an environment variable until the end of a scope.
class Environment {
 public:
  explicit Environment(const char* value) { setenv("NODIA_ISA", value, 1); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { unsetenv("NODIA_ISA"); }
};

TEST(CpuIsa, EveryInstructionSetGivesTheSameBits) {
  for (const RandomProblemOptions& shape : {RandomProblemOptions{.seed = 1,
                                           .n_node = 300,
                                           .n_world_contact = 90,
                                           .n_pair_contact = 0,
                                           .distinct_nodes = true},
                                            RandomProblemOptions{.seed = 2,
                                            .n_env = 2,
                                            .n_node = 40,
                                            .n_world_contact = 30,
                                            .n_pair_contact = 9,
                                            .anisotropic = true}}) {
    const ContactProblem p = random_problem(shape);
    for (const Precision precision : {Precision::double_, Precision::mixed, Precision::float_}) {
      SolverOptions options;
      options.solver = "cond";
      options.execution.precision = precision;
      std::vector<Solution> solutions;
      for (const CpuIsa isa : available_isas()) {
        const Environment chosen(name_of(isa));
        make_solver(options)->solve(p, {}, &solutions.emplace_back());
      }
      for (const Solution& s : solutions) {
        EXPECT_EQ(0, std::memcmp(s.v.data(), solutions[0].v.data(), s.v.size() * sizeof(Vec3d)));
        EXPECT_EQ(0, std::memcmp(s.lambda.data(), solutions[0].lambda.data(),
                                 s.lambda.size() * sizeof(Vec3d)));
      }
    }
  }
}

TEST(CpuIsa, AnUnknownOneIsBadInput) {
  const Environment chosen("avx5");
  EXPECT_THROW(chosen_isa(), InputError);
}

}  // namespace
}  // namespace nodia
