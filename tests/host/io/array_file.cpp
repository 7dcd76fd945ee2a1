#include "host/io/array_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "host/io/sha256.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

/// Every kind of value, empty ones and NaN among them.
ArrayGroup mixed(unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  ArrayGroup group;
  std::vector<double> numbers(300);
  for (double& x : numbers) x = normal(random);
  numbers[7] = std::numeric_limits<double>::quiet_NaN();
  group.arrays["numbers"] = {{100, 3}, numbers, {{"unit", std::string("m")}}};
  group.arrays["below/floats"] = {{5}, std::vector<float>{1, 2, 3, 4, 5}, {}};
  group.arrays["below/bytes"] = {{2, 1, 2}, std::vector<std::uint8_t>{0, 255, 3, 4}, {}};
  group.arrays["none"] = {{0, 3}, std::vector<float>{}, {{"unit", std::string("N")}}};
  group.arrays["int32"] = {{2}, std::vector<std::int32_t>{-1, 2}, {}};
  group.arrays["int64"] = {{1}, std::vector<std::int64_t>{std::int64_t{1} << 40}, {}};
  group.arrays["int64"].attributes["low"] = std::vector<double>{-0.0, 1e-300};
  group.attributes = {{"empty", std::string()},
                      {"text", std::string("Gr\xc3\xb6\xc3\x9f"
                                           "e")},
                      {"texts", std::vector<std::string>{"a", "", "long one"}},
                      {"seed", std::numeric_limits<std::uint64_t>::max()},
                      {"step", std::int64_t{-1}},
                      {"hz", 25.0}};
  return group;
}

std::string written(const test::TemporaryFolder& folder, const ArrayFile& file,
                    Compression compression) {
  const std::string path = folder.file("f.h5");
  std::ofstream(path, std::ios::binary) << hdf5_bytes(file, compression);
  return path;
}

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Sha256 pieces;
  pieces.add("a"), pieces.add(""), pieces.add("bc");
  EXPECT_EQ(pieces.hex(), sha256_of("abc"));
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const test::TemporaryFolder folder;
  const std::string bytes(3'000'001, 'x');
  std::ofstream(folder.file("f"), std::ios::binary) << bytes;
  EXPECT_EQ(sha256_of_file(folder.file("f")), sha256_of(bytes));
  EXPECT_THROW(sha256_of_file(folder.file("g")), InputError);
}

TEST(ArrayFile, WhatIsWrittenIsRead) {
  const test::TemporaryFolder folder;
  ArrayFile file;
  file.attributes = {{"format", std::string("test")}};
  file.groups["one"] = mixed(1);
  file.groups["two"] = mixed(2);
  for (const Compression compression : {Compression::none, Compression::gzip}) {
    const std::string path = written(folder, file, compression);
    const ArrayFile read = read_array_file(path);
    EXPECT_EQ(read.attributes, file.attributes);
    ASSERT_EQ(read.groups.size(), 2u);
    for (const auto& [name, group] : file.groups) {
      EXPECT_EQ(first_difference(read.groups.at(name), group), "");
      EXPECT_EQ(sha256_of(read.groups.at(name)), sha256_of(group));
      EXPECT_EQ(sha256_of(read_array_group(path, name)), sha256_of(group));
    }
  }
}

TEST(ArrayFile, EqualValuesMakeEqualBytes) {
  ArrayFile file;
  file.groups["one"] = mixed();
  EXPECT_EQ(hdf5_bytes(file, Compression::gzip), hdf5_bytes(file, Compression::gzip));
}

TEST(ArrayFile, EveryChangeChangesTheSumAndIsNamed) {
  const ArrayGroup was = mixed();
  const auto expect = [&](const std::string& named, const auto& change) {
    ArrayGroup is = mixed();
    change(&is);
    EXPECT_NE(sha256_of(is), sha256_of(was)) << named;
    EXPECT_EQ(first_difference(was, is), named);
    EXPECT_EQ(first_difference(is, was).substr(0, 4), named.substr(0, 4));
  };
  expect("numbers, row 33", [](ArrayGroup* g) {
    std::get<std::vector<double>>(g->arrays["numbers"].values)[100] += 1e-16;
  });
  expect("numbers, row 2",
         [](ArrayGroup* g) { std::get<std::vector<double>>(g->arrays["numbers"].values)[7] = 0; });
  expect("numbers, float64 [100, 3] against float64 [300]",
         [](ArrayGroup* g) { g->arrays["numbers"].shape = {300}; });
  expect("numbers, attribute unit",
         [](ArrayGroup* g) { g->arrays["numbers"].attributes["unit"] = std::string("N"); });
  expect("int64, attribute low", [](ArrayGroup* g) {
    g->arrays["int64"].attributes["low"] = std::vector<double>{0.0, 1e-300};
  });
  expect("attribute seed", [](ArrayGroup* g) { g->attributes["seed"] = std::uint64_t{7}; });
  expect("attribute texts", [](ArrayGroup* g) {
    g->attributes["texts"] = std::vector<std::string>{"a", "long one", ""};
  });
  expect("below/floats, which only one of them has",
         [](ArrayGroup* g) { g->arrays.erase("below/floats"); });
}

TEST(ArrayFile, WhatIsNoFileOfItIsRefused) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("f.h5")) << "no HDF5";
  EXPECT_THROW(read_array_file(folder.file("f.h5")), InputError);
  EXPECT_THROW(read_array_file(folder.file("missing.h5")), InputError);
  ArrayFile file;
  file.groups["one"] = mixed();
  EXPECT_THROW(read_array_group(written(folder, file, Compression::none), "two"), InputError);
}

}  // namespace
}  // namespace nodia
