/// Thin layer over HDF5's C interface: handles that close themselves, checked return codes.
///
/// Reading throws InputError, writing RuntimeError; the messages name the file or the dataset. HDF5
/// itself prints nothing.
#pragma once

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/core/error.hpp"

namespace nodia::hdf5 {

/// Owner of any HDF5 identifier.
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() { close(); }

  hid_t id() const { return id_; }
  bool valid() const { return id_ >= 0; }
  /// @return false if HDF5 failed to close it; for a file, to write its buffers
  bool close() { return id_ < 0 || H5Idec_ref(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

/// Stops HDF5 from printing its error stack, and from closing files at exit, which crashes after a
/// failed write (disk full).
inline void be_quiet() {
  static const bool done = [] {
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    return true;
  }();
  static_cast<void>(done);
}

/// Type in memory and in files (little-endian on every machine).
template <class T>
hid_t memory_type() {
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_NATIVE_UINT8;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return H5T_NATIVE_UINT64;
}
template <class T>
hid_t file_type() {
  if constexpr (std::is_same_v<T, double>) return H5T_IEEE_F64LE;
  if constexpr (std::is_same_v<T, float>) return H5T_IEEE_F32LE;
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_STD_U8LE;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_STD_I32LE;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_STD_I64LE;
  if constexpr (std::is_same_v<T, std::uint64_t>) return H5T_STD_U64LE;
}

/// Creates a file in the format of HDF5 1.10, with checksums of metadata, without creation times.
inline Handle create_file(const std::string& path) {
  be_quiet();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  const Handle creation(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_obj_track_times(creation.id(), false);
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()));
  if (!file.valid()) throw RuntimeError(fmt::format("{}: cannot create the HDF5 file", path));
  return file;
}

/// Creates a file in memory; `name` is for messages only.
inline Handle create_memory_file(const std::string& name) {
  be_quiet();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fapl_core(access.id(), std::size_t{1} << 20, false);
  Handle file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()));
  if (!file.valid()) throw RuntimeError(fmt::format("{}: cannot create the HDF5 file", name));
  return file;
}

/// Bytes of the file as on a disk.
inline std::string memory_file_image(const Handle& file) {
  const bool flushed = H5Fflush(file.id(), H5F_SCOPE_GLOBAL) >= 0;
  const ssize_t size = H5Fget_file_image(file.id(), nullptr, 0);
  std::string image(static_cast<std::size_t>(std::max<ssize_t>(size, 0)), '\0');
  if (!flushed || size <= 0 || H5Fget_file_image(file.id(), image.data(), image.size()) != size)
    throw RuntimeError("HDF5 file in memory: cannot take its image");
  return image;
}

/// Opens a file for reading.
inline Handle open_file(const std::string& path) {
  be_quiet();
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!file.valid()) throw InputError(fmt::format("{}: not a readable HDF5 file", path));
  return file;
}

inline Handle create_group(const Handle& parent, const std::string& name) {
  const Handle creation(H5Pcreate(H5P_GROUP_CREATE));
  H5Pset_obj_track_times(creation.id(), false);
  Handle group(H5Gcreate2(parent.id(), name.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT));
  if (!group.valid()) throw RuntimeError(fmt::format("group {}: cannot create", name));
  return group;
}

/// Opens a group for reading. @throws InputError if it does not exist
inline Handle open_group(const Handle& parent, const std::string& name) {
  Handle group(H5Gopen2(parent.id(), name.c_str(), H5P_DEFAULT));
  if (!group.valid()) throw InputError(fmt::format("group {}: missing", name));
  return group;
}

/// Rejects a link to an object with another link, because a recursion through a group below itself
/// would not end.
/// @param object  target of the link `name` in `parent`
/// @throws InputError for a soft or external link, and for an object with several hard links
inline void require_only_link(const Handle& parent, const std::string& name, const Handle& object) {
  H5L_info_t link;
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info;
  const bool has_info = H5Oget_info3(object.id(), &info, H5O_INFO_BASIC) >= 0;
#else
  H5O_info_t info;
  const bool has_info = H5Oget_info(object.id(), &info) >= 0;
#endif
  if (H5Lget_info(parent.id(), name.c_str(), &link, H5P_DEFAULT) < 0 ||
      link.type != H5L_TYPE_HARD || !has_info || info.rc != 1)
    throw InputError(fmt::format("{}: a second link to an object (nodia writes none)", name));
}

/// Layout of the values in a file: plain, or in pieces of about 128 kB with a checksum each
/// (fletcher32) that every reader verifies.
enum class Layout { plain, checked };
inline constexpr hsize_t kCheckedBytes = hsize_t{1} << 17;

/// Creates a dataset without values and without creation time, so that equal values give equal
/// bytes in any order of writing.
template <class T>
Handle create_dataset(const Handle& parent, const std::string& name,
                      const std::vector<hsize_t>& shape, Layout layout = Layout::plain) {
  const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(properties.id(), false);
  hsize_t size = sizeof(T);
  for (const hsize_t n : shape) size *= n;
  if (layout == Layout::checked && size > 0) {
    const hsize_t pieces = (size + kCheckedBytes - 1) / kCheckedBytes;
    std::vector<hsize_t> piece = shape;
    piece.front() = std::max<hsize_t>(1, (shape.front() + pieces - 1) / pieces);
    H5Pset_chunk(properties.id(), static_cast<int>(piece.size()), piece.data());
    H5Pset_fletcher32(properties.id());
    H5Pset_alloc_time(properties.id(), H5D_ALLOC_TIME_EARLY);
  }
  Handle dataset(H5Dcreate2(parent.id(), name.c_str(), file_type<T>(), space.id(), H5P_DEFAULT,
                            properties.id(), H5P_DEFAULT));
  if (!dataset.valid()) throw RuntimeError(fmt::format("dataset {}: cannot create", name));
  return dataset;
}

/// Writes a whole dataset. @param data  values of `shape`, row-major
template <class T>
void write(const Handle& parent, const std::string& name, const std::vector<hsize_t>& shape,
           const T* data, Layout layout = Layout::plain) {
  const Handle dataset = create_dataset<T>(parent, name, shape, layout);
  if (H5Dwrite(dataset.id(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
    throw RuntimeError(fmt::format("dataset {}: cannot write", name));
}
template <class T>
void write(const Handle& parent, const std::string& name, const std::vector<T>& values,
           Layout layout = Layout::plain) {
  write(parent, name, {values.size()}, values.data(), layout);
}

template <class T>
void write_attribute(const Handle& object, const std::string& name, const std::vector<T>& values) {
  const hsize_t size = values.size();
  const Handle space(H5Screate_simple(1, &size, nullptr));
  const Handle attribute(
      H5Acreate2(object.id(), name.c_str(), file_type<T>(), space.id(), H5P_DEFAULT, H5P_DEFAULT));
  if (!attribute.valid() || H5Awrite(attribute.id(), memory_type<T>(), values.data()) < 0)
    throw RuntimeError(fmt::format("attribute {}: cannot write", name));
}
/// Writes a scalar attribute.
template <class T>
requires std::is_arithmetic_v<T>
void write_attribute(const Handle& object, const std::string& name, T value) {
  const Handle space(H5Screate(H5S_SCALAR));
  const Handle attribute(
      H5Acreate2(object.id(), name.c_str(), file_type<T>(), space.id(), H5P_DEFAULT, H5P_DEFAULT));
  if (!attribute.valid() || H5Awrite(attribute.id(), memory_type<T>(), &value) < 0)
    throw RuntimeError(fmt::format("attribute {}: cannot write", name));
}
/// Writes ASCII text of fixed length as attribute.
inline void write_attribute(const Handle& object, const std::string& name,
                            const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.id(), text.size());
  const Handle space(H5Screate(H5S_SCALAR));
  const Handle attribute(
      H5Acreate2(object.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT));
  if (!attribute.valid() || H5Awrite(attribute.id(), type.id(), text.data()) < 0)
    throw RuntimeError(fmt::format("attribute {}: cannot write", name));
}

/// Reads a scalar attribute, converted to T.
template <class T>
T read_attribute(const Handle& object, const std::string& name) {
  const Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT));
  const Handle space(attribute.valid() ? H5Aget_space(attribute.id()) : H5I_INVALID_HID);
  T value{};
  if (!space.valid() || H5Sget_simple_extent_npoints(space.id()) != 1 ||
      H5Aread(attribute.id(), memory_type<T>(), &value) < 0)
    throw InputError(fmt::format("attribute {}: missing or unreadable", name));
  return value;
}
/// Reads the attribute `version`. @throws InputError unless it is in 1 .. `newest`
inline int read_version(const Handle& object, int newest) {
  const auto version = read_attribute<std::int32_t>(object, "version");
  if (version < 1 || version > newest)
    throw InputError(
        fmt::format("version {} (must be at most {}: a newer nodia wrote it)", version, newest));
  return version;
}
/// Reads text of fixed length, at most 4096 characters.
inline std::string read_attribute_text(const Handle& object, const std::string& name) {
  const Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT));
  const Handle type(attribute.valid() ? H5Aget_type(attribute.id()) : H5I_INVALID_HID);
  const Handle space(attribute.valid() ? H5Aget_space(attribute.id()) : H5I_INVALID_HID);
  const bool fixed =
      type.valid() && H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) == 0;
  const std::size_t size = fixed ? H5Tget_size(type.id()) : 0;
  std::string text(std::min<std::size_t>(size, 4096), '\0');
  if (!space.valid() || H5Sget_simple_extent_npoints(space.id()) != 1 || size == 0 || size > 4096 ||
      H5Aread(attribute.id(), type.id(), text.data()) < 0)
    throw InputError(fmt::format("attribute {}: missing or unreadable", name));
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

/// Number of values of a dataset of this shape. Checks that the file contains that many (compressed
/// at most as much as deflate can), so a damaged header cannot cause a large allocation.
/// @throws InputError
inline std::size_t checked_size(const Handle& dataset, const std::vector<hsize_t>& shape,
                                const std::string& name) {
  const Handle file(H5Iget_file_id(dataset.id())), type(H5Dget_type(dataset.id()));
  hsize_t file_bytes = 0;
  if (!file.valid() || !type.valid() || H5Fget_filesize(file.id(), &file_bytes) < 0)
    throw InputError(fmt::format("dataset {}: unreadable", name));
  const hsize_t stored_bytes = std::min<hsize_t>(H5Dget_storage_size(dataset.id()), file_bytes);
  const hsize_t limit = 1100 * stored_bytes / std::max<hsize_t>(H5Tget_size(type.id()), 1);
  if (std::find(shape.begin(), shape.end(), hsize_t{0}) != shape.end()) return 0;
  hsize_t size = 1;
  for (const hsize_t n : shape) {
    if (size > limit / n)
      throw InputError(fmt::format("dataset {}: larger than what its file holds", name));
    size *= n;
  }
  return static_cast<std::size_t>(size);
}

inline Handle open_dataset(const Handle& parent, const std::string& name) {
  Handle dataset(H5Dopen2(parent.id(), name.c_str(), H5P_DEFAULT));
  if (!dataset.valid()) throw InputError(fmt::format("dataset {}: missing or unreadable", name));
  return dataset;
}

inline std::vector<hsize_t> shape_of(const Handle& dataset) {
  const Handle space(H5Dget_space(dataset.id()));
  std::vector<hsize_t> shape(
      static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.id()), 0)));
  H5Sget_simple_extent_dims(space.id(), shape.data(), nullptr);
  return shape;
}

/// Reads a whole dataset, row-major, converted to T. @param shape  output, may be null
template <class T>
std::vector<T> read(const Handle& parent, const std::string& name,
                    std::vector<hsize_t>* shape = nullptr) {
  const Handle dataset = open_dataset(parent, name);
  const std::vector<hsize_t> found = shape_of(dataset);
  std::vector<T> values(checked_size(dataset, found, name));
  if (H5Dread(dataset.id(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    throw InputError(fmt::format("dataset {}: cannot read", name));
  if (shape) *shape = found;
  return values;
}

/// Selects rows [first, first + count) of the first axis of a dataset's dataspace.
inline Handle select_rows(const Handle& dataset, hsize_t first, hsize_t count) {
  std::vector<hsize_t> block = shape_of(dataset), start(block.size(), 0);
  block.front() = count;
  start.front() = first;
  Handle space(H5Dget_space(dataset.id()));
  if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, block.data(),
                          nullptr) < 0)
    throw InputError("dataset: rows outside");
  return space;
}

/// Writes rows [first, first + count) of the first axis. @return false if HDF5 failed
template <class T>
bool write_rows(const Handle& dataset, hsize_t first, hsize_t count, const T* data) {
  if (count == 0) return true;
  const Handle file_space = select_rows(dataset, first, count);
  const hsize_t size = static_cast<hsize_t>(H5Sget_select_npoints(file_space.id()));
  const Handle memory_space(H5Screate_simple(1, &size, nullptr));
  return H5Dwrite(dataset.id(), memory_type<T>(), memory_space.id(), file_space.id(), H5P_DEFAULT,
                  data) >= 0;
}
template <class T>
bool read_rows(const Handle& dataset, hsize_t first, hsize_t count, T* data) {
  if (count == 0) return true;
  const Handle file_space = select_rows(dataset, first, count);
  const hsize_t size = static_cast<hsize_t>(H5Sget_select_npoints(file_space.id()));
  const Handle memory_space(H5Screate_simple(1, &size, nullptr));
  return H5Dread(dataset.id(), memory_type<T>(), memory_space.id(), file_space.id(), H5P_DEFAULT,
                 data) >= 0;
}

}  // namespace nodia::hdf5
