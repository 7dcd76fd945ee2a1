#include "host/io/shallow_cbor.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace nodia {
namespace {

using Json = nlohmann::json;

std::string cbor_of(const Json& json) {
  std::string bytes;
  Json::to_cbor(json, bytes);
  return bytes;
}

/// One array in another, so deep.
Json nested(int depth) {
  Json json = 1;
  for (int k = 0; k < depth; ++k) json = Json::array({std::move(json)});
  return json;
}

TEST(ShallowCbor, IsWhatIsWritten) {
  const Json::binary_t bytes(std::vector<std::uint8_t>(300, 7));
  const Json json = {
      {"a", {1, -2, 1e300, "text", nullptr, true}}, {"b", bytes}, {"c", Json::object()}};
  EXPECT_TRUE(is_shallow_cbor(cbor_of(json)));
  EXPECT_TRUE(is_shallow_cbor(cbor_of(nested(16))));
  EXPECT_TRUE(is_shallow_cbor(cbor_of(Json::array())));
}

TEST(ShallowCbor, IsNotWhatIsDeepOrCutOrOfUnknownLength) {
  EXPECT_FALSE(is_shallow_cbor(cbor_of(nested(17))));
  EXPECT_FALSE(is_shallow_cbor(std::string(1 << 20, '\x81'))) << "arrays";
  EXPECT_FALSE(is_shallow_cbor(std::string(1 << 20, '\x9f'))) << "arrays of unknown length";
  EXPECT_FALSE(is_shallow_cbor(std::string(1 << 20, '\x7f'))) << "texts of unknown length";
  EXPECT_FALSE(is_shallow_cbor(std::string(1 << 20, '\xc0'))) << "tags";
  EXPECT_FALSE(is_shallow_cbor("\x9b\xff\xff\xff\xff\xff\xff\xff\xff")) << "2^64 items";
  EXPECT_FALSE(is_shallow_cbor(""));
  const std::string whole = cbor_of({{"key", {1, 2, "three"}}});
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(is_shallow_cbor(whole.substr(0, n))) << n;
  EXPECT_FALSE(is_shallow_cbor(whole + '\x01')) << "two items";
}

/// What it accepts the parser may refuse, but does not crash on.
TEST(ShallowCbor, KeepsTheParserFromEveryRandomDepth) {
  std::mt19937 random(3);
  int n_whole = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::string bytes = cbor_of(nested(trial % 16));
    bytes.insert(random() % (bytes.size() + 1), 1, static_cast<char>(random()));
    if (!is_shallow_cbor(bytes)) continue;
    const Json json = Json::from_cbor(bytes, /*strict=*/true, /*allow_exceptions=*/false);
    n_whole += json.is_discarded() ? 0 : 1;
  }
  EXPECT_GT(n_whole, 0);
}

}  // namespace
}  // namespace nodia
