/// Arrays with names, units and attributes, in groups: as HDF5 files and as sums.
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
  std::vector<std::uint64_t> shape;  ///< row-major; its product is the number of values
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

/// The bytes of an HDF5 file of the oldest format without times of day: equal
/// values make equal bytes with one release of HDF5 and zlib.
/// @param compression  gzip of level 1 behind a shuffle, of arrays of more than 256 bytes
std::string hdf5_bytes(const ArrayFile& file, Compression compression);

/// @throws InputError `path: ...` for what is no such file
ArrayFile read_array_file(const std::string& path);
/// One of its groups. @throws InputError also where there is none
ArrayGroup read_array_group(const std::string& path, const std::string& group);

/// SHA-256 over the group's attributes and then its arrays, both in the order of their names
/// (docs/datasets.md): of what a file says, however it is compressed.
std::string sha256_of(const ArrayGroup& group);

/// Where two groups differ first, in words, `attribute drawn` or `observation/ball.nodes, row 3`;
/// empty where every value has the same bits.
std::string first_difference(const ArrayGroup& a, const ArrayGroup& b);

/// The same of the arrays of `part`, whose rows must be the first ones of `whole`.
std::string first_difference_of_beginning(const ArrayGroup& whole, const ArrayGroup& part);

}  // namespace nodia
