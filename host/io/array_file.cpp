#include "host/io/array_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <numeric>
#include <string_view>
#include <type_traits>

#include "host/io/sha256.hpp"
#include "host/problem/hdf5.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

static_assert(std::endian::native == std::endian::little, "files and sums are little-endian");

constexpr std::size_t kLeastCompressedBytes = 256;
constexpr hsize_t kChunkBytes = hsize_t{1} << 18;

template <class T>
constexpr const char* dtype_of() {
  if constexpr (std::is_same_v<T, float>) return "float32";
  if constexpr (std::is_same_v<T, double>) return "float64";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "uint8";
  if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "int64";
}

std::size_t size_of(const ArrayValues& values) {
  return std::visit([](const auto& list) { return list.size(); }, values);
}

std::string_view bytes_of(const ArrayValues& values) {
  return std::visit(
      [](const auto& list) {
        using T = typename std::decay_t<decltype(list)>::value_type;
        return std::string_view(reinterpret_cast<const char*>(list.data()),
                                list.size() * sizeof(T));
      },
      values);
}

void require_good(bool good, const std::string& what, const std::string& name) {
  if (!good) throw RuntimeError(fmt::format("{} {}: cannot write", what, name));
}

// --- writing

hdf5::Handle create_in_memory() {
  hdf5::be_quiet();
  const hdf5::Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fapl_core(access.id(), std::size_t{1} << 20, false);
  const hdf5::Handle creation(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_obj_track_times(creation.id(), false);
  hdf5::Handle file(H5Fcreate("arrays", H5F_ACC_TRUNC, creation.id(), access.id()));
  require_good(file.valid(), "HDF5 file", "in memory");
  return file;
}

/// UTF-8 of any length, which libraries of other languages read as text.
hdf5::Handle text_type() {
  hdf5::Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

void write_texts(const hdf5::Handle& object, const std::string& name, const hdf5::Handle& space,
                 const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  const hdf5::Handle type = text_type();
  const hdf5::Handle attribute(
      H5Acreate2(object.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT));
  require_good(attribute.valid() && H5Awrite(attribute.id(), type.id(), pointers.data()) >= 0,
               "attribute", name);
}

void write_attribute(const hdf5::Handle& object, const std::string& name,
                     const AttributeValue& value) {
  std::visit(
      [&](const auto& v) {
        using V = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<V, std::string>) {
          write_texts(object, name, hdf5::Handle(H5Screate(H5S_SCALAR)), {v});
        } else if constexpr (std::is_same_v<V, std::vector<std::string>>) {
          const hsize_t n = v.size();
          write_texts(object, name, hdf5::Handle(H5Screate_simple(1, &n, nullptr)), v);
        } else {
          hdf5::write_attribute(object, name, v);
        }
      },
      value);
}

void write_attributes(const hdf5::Handle& object, const Attributes& attributes) {
  for (const auto& [name, value] : attributes) write_attribute(object, name, value);
}

/// Chunks along the first axis.
hdf5::Handle creation_of(const NamedArray& array, std::size_t n_byte, Compression compression) {
  hdf5::Handle properties(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(properties.id(), false);
  if (compression == Compression::none || n_byte <= kLeastCompressedBytes) return properties;
  std::vector<hsize_t> chunk(array.shape.begin(), array.shape.end());
  const hsize_t row_bytes = n_byte / chunk.front();
  chunk.front() =
      std::clamp<hsize_t>(kChunkBytes / std::max<hsize_t>(row_bytes, 1), 1, chunk.front());
  H5Pset_chunk(properties.id(), static_cast<int>(chunk.size()), chunk.data());
  H5Pset_shuffle(properties.id());
  H5Pset_deflate(properties.id(), 1);
  return properties;
}

void write_array(const hdf5::Handle& group, const std::string& path, const NamedArray& array,
                 Compression compression) {
  std::vector<hsize_t> shape(array.shape.begin(), array.shape.end());
  const hsize_t n = std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>());
  if (shape.empty() || n != size_of(array.values))
    throw std::logic_error(
        fmt::format("array {}: {} values for its shape of {}", path, size_of(array.values), n));
  const hdf5::Handle properties = creation_of(array, bytes_of(array.values).size(), compression);
  const hdf5::Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
  std::visit(
      [&](const auto& list) {
        using T = typename std::decay_t<decltype(list)>::value_type;
        const hdf5::Handle dataset(H5Dcreate2(group.id(), path.c_str(), hdf5::file_type<T>(),
                                              space.id(), H5P_DEFAULT, properties.id(),
                                              H5P_DEFAULT));
        require_good(dataset.valid(), "dataset", path);
        if (!list.empty())
          require_good(H5Dwrite(dataset.id(), hdf5::memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                list.data()) >= 0,
                       "dataset", path);
        write_attributes(dataset, array.attributes);
      },
      array.values);
}

/// Creates the groups of the arrays; a path has one slash at most.
void create_groups(const hdf5::Handle& group, const ArrayGroup& arrays) {
  std::string last;
  for (const auto& [path, array] : arrays.arrays) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) continue;
    const std::string parent = path.substr(0, slash);
    if (parent == last) continue;
    last = parent;
    if (H5Lexists(group.id(), parent.c_str(), H5P_DEFAULT) <= 0) hdf5::create_group(group, parent);
  }
}

// --- reading

template <class T>
NamedArray read_as(const hdf5::Handle& group, const std::string& path) {
  NamedArray array;
  std::vector<hsize_t> shape;
  array.values = hdf5::read<T>(group, path, &shape);
  array.shape.assign(shape.begin(), shape.end());
  return array;
}

std::vector<std::string> read_texts(const hdf5::Handle& attribute, const hdf5::Handle& space,
                                    std::size_t n, const std::string& name) {
  const hdf5::Handle type = text_type();
  std::vector<char*> pointers(n);
  if (n > 0 && H5Aread(attribute.id(), type.id(), pointers.data()) < 0)
    throw InputError(fmt::format("attribute {}: unreadable", name));
  std::vector<std::string> texts;
  for (const char* text : pointers) texts.emplace_back(text ? text : "");
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, pointers.data());
  return texts;
}

AttributeValue read_attribute(const hdf5::Handle& object, const std::string& name) {
  const hdf5::Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT));
  const hdf5::Handle type(attribute.valid() ? H5Aget_type(attribute.id()) : H5I_INVALID_HID);
  const hdf5::Handle space(attribute.valid() ? H5Aget_space(attribute.id()) : H5I_INVALID_HID);
  if (!type.valid() || !space.valid())
    throw InputError(fmt::format("attribute {}: unreadable", name));
  const bool scalar = H5Sget_simple_extent_type(space.id()) == H5S_SCALAR;
  const auto n =
      static_cast<std::size_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space.id()), 0));
  const auto numbers = [&]<class T>(T) {
    std::vector<T> values(n);
    if (n > 0 && H5Aread(attribute.id(), hdf5::memory_type<T>(), values.data()) < 0)
      throw InputError(fmt::format("attribute {}: unreadable", name));
    return values;
  };
  switch (H5Tget_class(type.id())) {
    case H5T_STRING: {
      if (H5Tis_variable_str(type.id()) <= 0) break;
      std::vector<std::string> texts = read_texts(attribute, space, n, name);
      if (scalar) return texts.front();
      return texts;
    }
    case H5T_INTEGER:
      if (!scalar) break;
      if (H5Tget_sign(type.id()) == H5T_SGN_NONE) return numbers(std::uint64_t{}).front();
      return numbers(std::int64_t{}).front();
    case H5T_FLOAT:
      if (scalar) return numbers(double{}).front();
      return numbers(double{});
    default:
      break;
  }
  throw InputError(fmt::format("attribute {}: of a kind that nodia does not write", name));
}

extern "C" herr_t add_name(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

Attributes read_attributes(const hdf5::Handle& object) {
  std::vector<std::string> names;
  if (H5Aiterate2(object.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names) < 0)
    throw InputError("attributes: unreadable");
  Attributes attributes;
  for (const std::string& name : names) attributes[name] = read_attribute(object, name);
  return attributes;
}

extern "C" herr_t add_link(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

std::vector<std::string> links_of(const hdf5::Handle& group) {
  std::vector<std::string> names;
  if (H5Literate(group.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_link, &names) < 0)
    throw InputError("group: unreadable");
  return names;
}

NamedArray read_array(const hdf5::Handle& group, const std::string& path) {
  const hdf5::Handle dataset = hdf5::open_dataset(group, path);
  const hdf5::Handle type(H5Dget_type(dataset.id()));
  const std::size_t size = H5Tget_size(type.id());
  NamedArray array;
  if (H5Tget_class(type.id()) == H5T_FLOAT)
    array = size == sizeof(float) ? read_as<float>(group, path) : read_as<double>(group, path);
  else if (size == 1)
    array = read_as<std::uint8_t>(group, path);
  else if (size == sizeof(std::int32_t))
    array = read_as<std::int32_t>(group, path);
  else
    array = read_as<std::int64_t>(group, path);
  array.attributes = read_attributes(dataset);
  return array;
}

void read_arrays(const hdf5::Handle& group, const std::string& prefix, const hdf5::Handle& below,
                 ArrayGroup* into) {
  for (const std::string& name : links_of(below)) {
    const std::string path = prefix + name;
    const hdf5::Handle object(H5Oopen(below.id(), name.c_str(), H5P_DEFAULT));
    if (!object.valid()) throw InputError(fmt::format("{}: unreadable", path));
    hdf5::require_only_link(below, name, object);
    if (H5Iget_type(object.id()) == H5I_GROUP)
      read_arrays(group, path + "/", object, into);
    else
      into->arrays[path] = read_array(group, path);
  }
}

ArrayGroup read_group(const hdf5::Handle& file, const std::string& name) {
  const hdf5::Handle group = hdf5::open_group(file, name);
  hdf5::require_only_link(file, name, group);
  ArrayGroup read;
  read.attributes = read_attributes(group);
  read_arrays(group, "", group, &read);
  return read;
}

template <class Read>
auto with_path(const std::string& path, const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    const std::string what = error.what();
    throw InputError(what.starts_with(path) ? what : fmt::format("{}: {}", path, what));
  }
}

// --- sums

/// Adds every piece with its length in front, so that different lists of pieces never have the same
/// bytes.
class PieceSum {
 public:
  void piece(std::string_view bytes) {
    const auto n = static_cast<std::uint64_t>(bytes.size());
    sum_.add(&n, sizeof n);
    sum_.add(bytes);
  }
  template <class T>
  void number(T value) {
    piece({reinterpret_cast<const char*>(&value), sizeof value});
  }
  void attribute(const AttributeValue& value) {
    std::visit(
        [&](const auto& v) {
          using V = std::decay_t<decltype(v)>;
          if constexpr (std::is_same_v<V, std::string>) {
            piece("text"), piece(v);
          } else if constexpr (std::is_same_v<V, std::vector<std::string>>) {
            piece("texts");
            for (const std::string& text : v) piece(text);
          } else if constexpr (std::is_same_v<V, std::vector<double>>) {
            piece("float64s");
            for (const double x : v) number(x);
          } else {
            piece(std::is_same_v<V, double>         ? "float64"
                  : std::is_same_v<V, std::int64_t> ? "int64"
                                                    : "uint64");
            number(v);
          }
        },
        value);
  }
  void attributes(const Attributes& attributes) {
    for (const auto& [name, value] : attributes) piece(name), attribute(value);
  }
  std::string hex() { return sum_.hex(); }

 private:
  Sha256 sum_;
};

bool same_bits(const AttributeValue& a, const AttributeValue& b) {
  PieceSum one, other;
  one.attribute(a), other.attribute(b);
  return one.hex() == other.hex();
}

const char* dtype_of(const ArrayValues& values) {
  return std::visit(
      [](const auto& list) {
        return dtype_of<typename std::decay_t<decltype(list)>::value_type>();
      },
      values);
}

/// `attribute NAME` of the first difference; empty: none.
std::string difference_of(const Attributes& a, const Attributes& b) {
  for (const Attributes* list : {&a, &b})
    for (const auto& [name, value] : *list)
      if (!a.contains(name) || !b.contains(name) || !same_bits(a.at(name), b.at(name)))
        return "attribute " + name;
  return "";
}

std::string difference_of(const NamedArray& a, const NamedArray& b) {
  if (a.values.index() != b.values.index() || a.shape != b.shape)
    return fmt::format(", {} [{}] against {} [{}]", dtype_of(a.values), fmt::join(a.shape, ", "),
                       dtype_of(b.values), fmt::join(b.shape, ", "));
  const std::string_view one = bytes_of(a.values), other = bytes_of(b.values);
  const auto at = std::mismatch(one.begin(), one.end(), other.begin()).first - one.begin();
  if (at < static_cast<std::ptrdiff_t>(one.size()))
    return fmt::format(", row {}", static_cast<std::uint64_t>(at) / (one.size() / a.shape.front()));
  const std::string attribute = difference_of(a.attributes, b.attributes);
  return attribute.empty() ? "" : ", " + attribute;
}

}  // namespace

std::string hdf5_bytes(const ArrayFile& file, Compression compression) {
  const hdf5::Handle handle = create_in_memory();
  write_attributes(handle, file.attributes);
  for (const auto& [name, group] : file.groups) {
    const hdf5::Handle place = hdf5::create_group(handle, name);
    write_attributes(place, group.attributes);
    create_groups(place, group);
    for (const auto& [path, array] : group.arrays) write_array(place, path, array, compression);
  }
  return hdf5::memory_file_image(handle);
}

ArrayFile read_array_file(const std::string& path) {
  return with_path(path, [&] {
    const hdf5::Handle handle = hdf5::open_file(path);
    ArrayFile file;
    file.attributes = read_attributes(handle);
    for (const std::string& name : links_of(handle)) file.groups[name] = read_group(handle, name);
    return file;
  });
}

ArrayGroup read_array_group(const std::string& path, const std::string& group) {
  return with_path(path, [&] { return read_group(hdf5::open_file(path), group); });
}

std::string sha256_of(const ArrayGroup& group) {
  PieceSum sum;
  sum.attributes(group.attributes);
  for (const auto& [path, array] : group.arrays) {
    sum.piece(path);
    sum.piece(dtype_of(array.values));
    for (const std::uint64_t n : array.shape) sum.number(n);
    sum.piece(bytes_of(array.values));
    sum.attributes(array.attributes);
  }
  return sum.hex();
}

std::string first_difference_of_beginning(const ArrayGroup& whole, const ArrayGroup& part) {
  for (const auto& [path, array] : part.arrays) {
    if (!whole.arrays.contains(path)) return fmt::format("{}, which only one of them has", path);
    NamedArray beginning = whole.arrays.at(path);
    std::uint64_t& n_row = beginning.shape.front();
    const std::size_t row = n_row > 0 ? size_of(beginning.values) / n_row : 0;
    n_row = std::min(n_row, array.shape.front());
    std::visit([&](auto& list) { list.resize(n_row * row); }, beginning.values);
    const std::string difference = difference_of(beginning, array);
    if (!difference.empty()) return path + difference;
  }
  return "";
}

std::string first_difference(const ArrayGroup& a, const ArrayGroup& b) {
  for (const ArrayGroup* group : {&a, &b})
    for (const auto& [path, array] : group->arrays) {
      if (!a.arrays.contains(path) || !b.arrays.contains(path))
        return fmt::format("{}, which only one of them has", path);
      const std::string difference = difference_of(a.arrays.at(path), b.arrays.at(path));
      if (!difference.empty()) return path + difference;
    }
  return difference_of(a.attributes, b.attributes);
}

}  // namespace nodia
