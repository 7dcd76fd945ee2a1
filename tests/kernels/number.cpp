#include "kernels/core/number.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>
#include <string>

namespace nodia {
namespace {

TEST(ParseReal, DoesNotDependOnTheLocale) {
  const char* const before = std::setlocale(LC_ALL, nullptr);
  const std::string saved = before ? before : "C";
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C"}) {
    std::setlocale(LC_ALL, name);
    EXPECT_EQ(parse_real("1.5"), 1.5);
    EXPECT_EQ(parse_real("1,5"), std::nullopt);
    EXPECT_EQ(parse_real("1.5e400"), std::nullopt);
    EXPECT_EQ(parse_real("1.5e-400"), 0.0);
  }
  std::setlocale(LC_ALL, saved.c_str());
}

TEST(ParseReal, TakesWholeFiniteNumbersOnly) {
  EXPECT_EQ(parse_real("75e3"), 75000.0);
  EXPECT_EQ(parse_real("+1"), 1.0);
  EXPECT_EQ(parse_real("-.5"), -0.5);
  for (const char* text : {"", " 1", "1 ", "1_000", "0x10", "nan", ".nan", "inf", "-inf", ".inf",
                           "1.2.3", "+-1", "++1", "one", "1e", "-", "1e-400x", "1e400x"}) {
    EXPECT_EQ(parse_real(text), std::nullopt) << text;
  }
}

TEST(ParseReal, RefusesWhatIsBeyondDouble) {
  for (const char* text : {"1e400", "-1e400", "1e310", "-1e999", "1.8e308", "+1e309"})
    EXPECT_EQ(parse_real(text), std::nullopt) << text;
  EXPECT_EQ(parse_real(std::string(400, '9')), std::nullopt);
  EXPECT_EQ(parse_real("1.7976931348623157e308"), std::numeric_limits<double>::max());
}

TEST(ParseReal, RoundsWhatIsBelowDoubleToZeroAndKeepsSubnormalNumbers) {
  for (const char* text : {"1e-400", "2e-324", "+1e-999"}) EXPECT_EQ(parse_real(text), 0.0) << text;
  ASSERT_EQ(parse_real("-1e-400"), 0.0);
  EXPECT_TRUE(std::signbit(*parse_real("-1e-400")));
  EXPECT_EQ(parse_real("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(parse_real("1e-310"), 1e-310);
  EXPECT_EQ(parse_real("5e-324"), std::numeric_limits<double>::denorm_min());
}

}  // namespace
}  // namespace nodia
