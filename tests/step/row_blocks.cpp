/// Tests gathered rows against A and b of the host, bit for bit.
#include "kernels/step/row_blocks.hpp"

#include <gtest/gtest.h>

#include "tests/support/same_bits.hpp"
#include "tests/support/soft_step.hpp"

namespace nodia::test {
namespace {

std::vector<double> values(const Mat3d& m) {
  std::vector<double> value(9);
  store_block(value.data(), m);
  return value;
}

void expect_rows_of(const SoftStepScene& scene) {
  const OneLaneLauncher launcher;
  SoftStepArrays arrays;
  const SoftRows soft = arrays.make(scene);
  evaluate_corners(launcher, {soft});
  const DirectMemory memory;
  const BlockPattern& pattern = *scene.system.pattern();
  for (int i = 0; i < soft.model.n_node; ++i) {
    std::vector<std::int32_t> column;
    std::vector<double> value;
    const Vec3d elastic = for_row_blocks(
        soft, i,
        [&](std::int32_t j, const Mat3d& block) {
          column.push_back(j);
          const std::vector<double> own = values(block);
          value.insert(value.end(), own.begin(), own.end());
        },
        memory);
    const std::ptrdiff_t begin = pattern.row_begin[i], end = pattern.row_begin[i + 1];
    ASSERT_EQ(column, std::vector<std::int32_t>(pattern.column.begin() + begin,
                                                pattern.column.begin() + end));
    ASSERT_EQ(count_different(value, std::vector<double>(scene.A.value.begin() + 9 * begin,
                                                         scene.A.value.begin() + 9 * end)),
              0);
    const double* diagonal = scene.A.value.data() + 9 * std::ptrdiff_t{pattern.diagonal[i]};
    ASSERT_EQ(count_different(values(row_diagonal_block(soft, i, memory)),
                              std::vector<double>(diagonal, diagonal + 9)),
              0);
    const std::vector<Vec3d> b{scene.b[i]};
    ASSERT_EQ(count_different({row_right_hand_side(soft, i, memory)}, b), 0);
    ASSERT_EQ(count_different(
                  {row_right_hand_side(soft, load_of(soft, i, memory), i, elastic, memory)}, b),
              0);
  }
}

TEST(RowBlocks, HaveTheBitsOfTheHostsRows) {
  for (unsigned seed = 0; seed < 4; ++seed)
    for (const SoftStepLoads loads : {SoftStepLoads::none, SoftStepLoads::attachments,
                                      SoftStepLoads::attachments_and_external_forces}) {
      SCOPED_TRACE(seed);
      expect_rows_of({seed, {box_of({1, 1, 1}), box_of({4, 3, 2}), tet_helix(30, 0.02)}, loads});
      expect_rows_of({seed, {mesh_ball(0.1, 200), mesh_mat({0.2, 0.2, 0.01}, 300)}, loads});
    }
}

}  // namespace
}  // namespace nodia::test
