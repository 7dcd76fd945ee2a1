/// Groups of arrays with names, units and attributes: HDF5 files and checksums of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace nodia {

using ArrayValues = std::variant<std::vector<float>, std::vector<double>, std::vector<std::uint8_t>,
                                 std::vector<std::int32_t>, std::vector<std::int64_t>>;
/// Texts are UTF-8 and may be empty.
using AttributeValue = std::variant<std::string, std::int64_t, std::uint64_t, double,
                                    std::vector<std::string>, std::vector<double>>;
using Attributes = std::map<std::string, AttributeValue>;

struct NamedArray {
  std::vector<std::uint64_t> shape;  ///< row-major; the product is the number of values
  ArrayValues values;
  Attributes attributes;
};

/// Arrays by path, `observation/ball.nodes`.
struct ArrayGroup {
  Attributes attributes;
  std::map<std::string, NamedArray> arrays;
};

/// Groups by name.
struct ArrayFile {
  Attributes attributes;
  std::map<std::string, ArrayGroup> groups;
};

enum class Compression { none, gzip };

/// Bytes of an HDF5 file in the oldest format, without times: with one release of HDF5 and zlib,
/// equal values give equal bytes.
/// @param compression  gzip of level 1 after a shuffle, for arrays of more than 256 bytes
std::string hdf5_bytes(const ArrayFile& file, Compression compression);

/// @throws InputError `path: ...` if this is no such file
ArrayFile read_array_file(const std::string& path);
/// One group of such a file. @throws InputError also if there is none
ArrayGroup read_array_group(const std::string& path, const std::string& group);

/// SHA-256 over the group's attributes and then its arrays, both in the order of their names
/// (docs/datasets.md). It depends on the contents of a file, not on its compression.
std::string sha256_of(const ArrayGroup& group);

/// First difference of two groups, `attribute drawn` or `observation/ball.nodes, row 3`; empty if
/// all values have the same bits.
std::string first_difference(const ArrayGroup& a, const ArrayGroup& b);

/// Same for the arrays of `part`, whose rows must be the first rows of `whole`.
std::string first_difference_of_beginning(const ArrayGroup& whole, const ArrayGroup& part);

}  // namespace nodia
