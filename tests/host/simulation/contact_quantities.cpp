#include "host/simulation/contact_quantities.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace nodia {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// Names of the columns and indices of their types in ContactRecord::Values.
std::vector<std::pair<std::string, std::size_t>> columns(ContactNames names) {
  std::vector<std::pair<std::string, std::size_t>> found;
  for (const ContactRecord::Column& column : empty_contact_record(names).columns)
    found.emplace_back(column.name, column.values.index());
  return found;
}

/// Names, types and order of the datasets decide the bytes of a trajectory.
TEST(ContactQuantities, AreTheColumnsOfTheRecords) {
  constexpr std::size_t kNumber = 0, kVector = 1, kByte = 2, kIndex = 3;
  EXPECT_THAT(
      columns(&ContactQuantity::in_trajectory),
      ElementsAre(Pair("position", kVector), Pair("force", kVector), Pair("slip_velocity", kVector),
                  Pair("gap_end", kNumber), Pair("state", kByte), Pair("body_i", kIndex),
                  Pair("link_i", kIndex), Pair("body_j", kIndex), Pair("link_j", kIndex)));
  EXPECT_THAT(columns(&ContactQuantity::in_dataset),
              ElementsAre(Pair("position_m", kVector), Pair("force_N", kVector),
                          Pair("slip_velocity_m_s", kVector), Pair("gap_end_m", kNumber),
                          Pair("state", kByte), Pair("body_i", kIndex), Pair("link_i", kIndex),
                          Pair("body_j", kIndex), Pair("link_j", kIndex)));
  EXPECT_THAT(columns(&ContactQuantity::in_python),
              ElementsAre(Pair("position_m", kVector), Pair("position_on_j_m", kVector),
                          Pair("force_N", kVector), Pair("normal", kVector),
                          Pair("slip_velocity_m_s", kVector), Pair("gap_end_m", kNumber),
                          Pair("state", kByte), Pair("i", kIndex), Pair("link_i", kIndex),
                          Pair("j", kIndex), Pair("link_j", kIndex)));
}

TEST(ContactQuantities, SayShapeMeaningAndUnit) {
  const ContactRecord record = empty_contact_record(&ContactQuantity::in_python);
  EXPECT_EQ(record.columns[2].quantity->text(), "(n, 3) force of j on i, mean over the step [N]");
  EXPECT_EQ(record.columns[6].quantity->text(), "(n,) 0 open, 1 stick, 2 slip");
}

TEST(ContactQuantities, ARecordKnowsItsSize) {
  EXPECT_EQ(ContactRecord().n_contact(), 0u);
  const ContactRecord record = empty_contact_record(&ContactQuantity::in_trajectory);
  EXPECT_EQ(record.n_contact(), 0u);
  std::size_t bytes = 0;
  for (const auto& [name, type] : columns(&ContactQuantity::in_trajectory))
    bytes += std::vector<std::size_t>{8, 24, 1, 4}[type];
  EXPECT_EQ(record.bytes_per_contact(), bytes);
}

}  // namespace
}  // namespace nodia
