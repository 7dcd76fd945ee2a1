/// Where the loop keeps rows and contacts, and that no instruction set changes a bit.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <set>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/contact_layout.hpp"
#include "host/solvers/cond/options.hpp"
#include "kernels/core/error.hpp"
#include "kernels/cpu/isa.hpp"
#include "tests/support/random_problem.hpp"

namespace nodia {
namespace {

TEST(RowLayout, HoldsEveryBlockOfEveryRowOnceTheDiagonalFirst) {
  for (const int n_node : {1, 15, 16, 17, 300}) {
    const ContactProblem p = random_problem(
        {.seed = 1, .n_env = 3, .n_node = n_node, .n_world_contact = 3, .n_pair_contact = 0});
    const BlockPattern& pattern = *p.A.pattern;
    RowLayout rows;
    EXPECT_TRUE(rows.build(p));
    EXPECT_FALSE(rows.build(p)) << "the same pattern is kept";
    EXPECT_EQ(std::set<std::int32_t>(rows.row_of_node.begin(), rows.row_of_node.end()).size(),
              static_cast<std::size_t>(p.n_node()));
    for (int e = 0; e < 3; ++e) {
      const RowRange& range = rows.env[e];
      ASSERT_EQ(range.first_row % kBlockLanes, 0);
      for (int node = p.env_node_begin[e]; node < p.env_node_begin[e + 1]; ++node) {
        const int row = rows.local_row(e, node);
        ASSERT_GE(row, 0);
        ASSERT_LT(row, range.n_row);
        const std::int32_t* begin = rows.slice_begin.data() + range.first_slice;
        std::set<std::int32_t> found;
        for (int k = begin[row / kSliceRows]; k < begin[row / kSliceRows + 1]; ++k) {
          const std::int64_t at = (range.first_block + k) * kSliceRows + row % kSliceRows;
          const std::int32_t block = rows.block[at];
          if (k == begin[row / kSliceRows]) {
            EXPECT_EQ(block, pattern.diagonal[node]);
          }
          const int column = rows.column[at] / kNodeStride;
          if (block < 0) {
            EXPECT_EQ(column, row) << "padding points at its own row";
            continue;
          }
          EXPECT_TRUE(found.insert(block).second);
          EXPECT_EQ(column, rows.local_row(e, pattern.column[block]));
        }
        std::set<std::int32_t> expected;
        for (int k = pattern.row_begin[node]; k < pattern.row_begin[node + 1]; ++k)
          expected.insert(k);
        EXPECT_EQ(found, expected);
      }
    }
  }
}

TEST(ContactLayout, GivesEveryContactOneSlotOfTheRightKind) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const ContactProblem p = random_problem(
        {.seed = seed, .n_env = 4, .n_node = 40, .n_world_contact = 30, .n_pair_contact = 6});
    RowLayout rows;
    rows.build(p);
    ContactLayout layout;
    layout.build(p, rows);
    std::multiset<std::int32_t> found;
    for (const std::int32_t m : layout.contact_of_slot)
      if (m >= 0) found.insert(m);
    EXPECT_EQ(found.size(), p.contacts.size());
    EXPECT_EQ(std::set<std::int32_t>(found.begin(), found.end()).size(), p.contacts.size());
    for (int e = 0; e < p.n_env(); ++e) {
      const SlotRange& slots = layout.env[e];
      EXPECT_EQ(slots.n_slot % kSliceRows, 0);
      // A single contact lies in the slot of its row.
      for (int slice = 0; slice < rows.env[e].n_chunk * kBlockLanes / kSliceRows; ++slice) {
        const std::int32_t first = layout.contact_slice[rows.env[e].first_row / kSliceRows + slice];
        if (first < 0) continue;
        for (int lane = 0; lane < kSliceRows; ++lane) {
          const std::int32_t m = layout.contact_of_slot[slots.first_slot + first + lane];
          if (m < 0) continue;
          EXPECT_EQ(rows.local_row(e, p.contacts[m].node_i), slice * kSliceRows + lane);
          EXPECT_EQ(p.contacts[m].node_j, kWorld);
        }
      }
      for (int k = 0; k < slots.n_coupled_slot; ++k) {
        const std::int32_t m =
            layout.contact_of_slot[slots.first_slot + slots.first_coupled_slot + k];
        ASSERT_GE(m, 0);
        EXPECT_GT(layout.coupled_count[rows.row_of_node[p.contacts[m].node_i]], 0);
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
      options.of<CondOptions>().precision = precision;
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
