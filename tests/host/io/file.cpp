/// What is read of files as a whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "host/io/file.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

using ::testing::HasSubstr;

TEST(BytesOfFile, AreAllOfThem) {
  const test::TemporaryFolder folder;
  // Around the sizes of pieces in which a file is read.
  for (const std::size_t size : {0u, 1u, 65535u, 65536u, 65537u, 131072u, 300001u}) {
    std::string bytes(size, '\0');
    for (std::size_t k = 0; k < size; ++k) bytes[k] = static_cast<char>(k * k % 251);
    std::ofstream(folder.file("f"), std::ios::binary) << bytes;
    EXPECT_TRUE(bytes_of_file(folder.file("f")) == bytes) << size;
  }
}

TEST(BytesOfFile, RefuseWhatCannotBeRead) {
  const test::TemporaryFolder folder;
  const auto refusal = [](const std::string& path) {
    try {
      bytes_of_file(path);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(folder.file("none")),
            folder.file("none") + ": cannot be read (No such file or directory)");
  EXPECT_THAT(refusal(folder.path()), HasSubstr(": cannot be read (Is a directory)"));
}

}  // namespace
}  // namespace nodia
