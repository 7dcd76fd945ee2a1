#include "host/io/vtkhdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "host/io/contact_datasets.hpp"
#include "host/io/file.hpp"
#include "host/problem/hdf5.hpp"

namespace nodia {
namespace {

constexpr int kNodiaVersion = 1;  ///< version of the group /nodia

constexpr hdf5::Layout kLayout = hdf5::Layout::checked;

constexpr std::size_t kReadBytes = std::size_t{1} << 24;
constexpr std::uint8_t kVtkLine = 3, kVtkTetra = 10;

const double* components(const std::vector<Vec3d>& v) {
  return reinterpret_cast<const double*>(v.data());
}
double* components(std::vector<Vec3d>& v) {
  return reinterpret_cast<double*>(v.data());
}
const double* components(const std::vector<Quaternion>& q) {
  return reinterpret_cast<const double*>(q.data());
}
double* components(std::vector<Quaternion>& q) {
  return reinterpret_cast<double*>(q.data());
}
static_assert(sizeof(Vec3d) == 3 * sizeof(double) && sizeof(Quaternion) == 4 * sizeof(double));

/// Datasets of the frames in a file.
struct Datasets {
  hdf5::Handle points, velocity, contact_force, contact_state, von_mises;
  hdf5::Handle position, orientation;
  ContactDatasets contacts;
};

/// 0, stride, 2 stride, ...
std::vector<std::int64_t> multiples(std::size_t count, std::int64_t stride) {
  std::vector<std::int64_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::int64_t>(i) * stride;
  return values;
}

void write_topology(const hdf5::Handle& root, const RecordedTopology& topology) {
  const std::size_t n_tet = topology.tets.size();
  std::vector<std::int64_t> connectivity, offsets = multiples(n_tet + 1, 4);
  std::vector<std::uint8_t> types(n_tet, kVtkTetra);
  connectivity.reserve(4 * n_tet + 2 * topology.lines.size());
  for (const auto& tet : topology.tets)
    connectivity.insert(connectivity.end(), tet.begin(), tet.end());
  for (const auto& line : topology.lines) {
    connectivity.insert(connectivity.end(), line.begin(), line.end());
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
    types.push_back(kVtkLine);
  }
  hdf5::write(root, "Connectivity", connectivity, kLayout);
  hdf5::write(root, "Offsets", offsets, kLayout);
  hdf5::write(root, "Types", types, kLayout);
  hdf5::write(root, "NumberOfPoints", std::vector<std::int64_t>{topology.n_point}, kLayout);
  hdf5::write(root, "NumberOfCells", std::vector<std::int64_t>{topology.n_cell()}, kLayout);
  hdf5::write(root, "NumberOfConnectivityIds",
              std::vector<std::int64_t>{static_cast<std::int64_t>(connectivity.size())}, kLayout);
}

std::vector<std::uint8_t> bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}
std::string text_of(const std::vector<std::uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

/// Every step refers to the one topology and to its own rows of the frame data.
void write_steps(const hdf5::Handle& root, const RecordedTopology& topology,
                 const std::vector<double>& time_s) {
  const std::size_t n = time_s.size();
  const std::vector<std::int64_t> zero = multiples(n, 0), node_row = multiples(n, topology.n_point);
  const hdf5::Handle steps = hdf5::create_group(root, "Steps");
  hdf5::write_attribute(steps, "NSteps", static_cast<std::int64_t>(n));
  hdf5::write(steps, "Values", time_s, kLayout);
  hdf5::write(steps, "NumberOfParts", std::vector<std::int64_t>(n, 1), kLayout);
  hdf5::write(steps, "PartOffsets", zero, kLayout);
  hdf5::write(steps, "PointOffsets", node_row, kLayout);
  hdf5::write(steps, "CellOffsets", {n, 1}, zero.data(), kLayout);
  hdf5::write(steps, "ConnectivityIdOffsets", {n, 1}, zero.data(), kLayout);
  const hdf5::Handle point_offsets = hdf5::create_group(steps, "PointDataOffsets");
  for (const char* name : {"velocity", "contact_force", "contact_state"})
    hdf5::write(point_offsets, name, node_row, kLayout);
  const hdf5::Handle cell_offsets = hdf5::create_group(steps, "CellDataOffsets");
  hdf5::write(cell_offsets, "von_mises_Pa", multiples(n, topology.n_cell()), kLayout);
}

/// 0, n_0, n_0 + n_1, ...
std::vector<std::int64_t> sums(const std::vector<std::int64_t>& counts) {
  std::vector<std::int64_t> offsets(counts.size() + 1);
  std::partial_sum(counts.begin(), counts.end(), offsets.begin() + 1);
  return offsets;
}

/// Creates the datasets of poses and contacts.
void create_nodia(const hdf5::Handle& file, const RecordedTopology& topology,
                  const std::vector<std::int64_t>& contact_offsets, Datasets* data) {
  const hdf5::Handle group = hdf5::create_group(file, "nodia");
  hdf5::write_attribute(group, "version", std::int64_t{kNodiaVersion});
  const hdf5::Handle frames = hdf5::create_group(group, "frames");
  const hsize_t n_frame = contact_offsets.size() - 1;
  const auto n_pose = static_cast<hsize_t>(topology.n_pose);
  data->position = hdf5::create_dataset<double>(frames, "position", {n_frame, n_pose, 3}, kLayout);
  data->orientation =
      hdf5::create_dataset<double>(frames, "orientation_wxyz", {n_frame, n_pose, 4}, kLayout);
  hdf5::write(frames, "description", bytes_of(topology.poses), kLayout);

  const hdf5::Handle contacts = hdf5::create_group(group, "contacts");
  const auto n = static_cast<hsize_t>(contact_offsets.back());
  hdf5::write(contacts, "offsets", contact_offsets, kLayout);
  hdf5::write(contacts, "bodies", bytes_of(topology.bodies), kLayout);
  data->contacts.create(contacts, n);
}

/// Copies all rows of a dataset into another from row `first` on.
template <class T>
bool copy_rows(const hdf5::Handle& from, const hdf5::Handle& to, hsize_t first) {
  const std::vector<hsize_t> shape = hdf5::shape_of(from);
  std::vector<T> values(hdf5::checked_size(from, shape, "frames"));
  if (values.empty()) return true;
  return hdf5::read_rows(from, 0, shape.front(), values.data()) &&
         hdf5::write_rows(to, first, shape.front(), values.data());
}

/// Reads every value of a dataset, some rows at a time, because a trajectory may exceed the memory.
void read_to_the_end(const hdf5::Handle& dataset, const char* name) {
  const hdf5::Handle type(dataset.valid() ? H5Dget_type(dataset.id()) : H5I_INVALID_HID);
  if (!type.valid()) throw InputError(fmt::format("{}: cannot be opened", name));
  const std::vector<hsize_t> shape = hdf5::shape_of(dataset);
  const std::size_t size = hdf5::checked_size(dataset, shape, name);
  if (size == 0) return;
  const hsize_t row_size = size / shape.front();
  const std::size_t row_bytes = H5Tget_size(type.id()) * row_size;
  const hsize_t most = std::max<hsize_t>(1, kReadBytes / std::max<std::size_t>(row_bytes, 1));
  std::vector<char> values(static_cast<std::size_t>(std::min(most, shape.front())) * row_bytes);
  for (hsize_t first = 0; first < shape.front(); first += most) {
    const hsize_t count = std::min(most, shape.front() - first);
    const hdf5::Handle file_space = hdf5::select_rows(dataset, first, count);
    const hsize_t n = count * row_size;
    const hdf5::Handle memory_space(H5Screate_simple(1, &n, nullptr));
    if (H5Dread(dataset.id(), type.id(), memory_space.id(), file_space.id(), H5P_DEFAULT,
                values.data()) < 0)
      throw InputError(fmt::format("{}: cannot be read, its checksum does not match", name));
  }
}

}  // namespace

std::int64_t Frame::byte_size() const {
  return static_cast<std::int64_t>(
      sizeof(Vec3d) * (x.size() + velocity.size() + contact_force.size() + position.size()) +
      contact_state.size() + sizeof(float) * von_mises_Pa.size() +
      sizeof(Quaternion) * orientation.size() +
      contacts.bytes_per_contact() * contacts.n_contact());
}

std::int64_t RecordedTopology::file_size(std::int64_t n_frame, std::int64_t n_contact) const {
  const std::int64_t n_tet = static_cast<std::int64_t>(tets.size());
  const std::int64_t n_line = static_cast<std::int64_t>(lines.size());
  const std::int64_t headers = 49152 + static_cast<std::int64_t>(poses.size() + bodies.size());
  const std::int64_t step_row = 11 * 8, tet_row = 4 * 8 + 8 + 1, line_row = 2 * 8 + 8 + 1;
  const auto contact_row = static_cast<std::int64_t>(
      empty_contact_record(&ContactQuantity::in_trajectory).bytes_per_contact());
  return headers + n_tet * tet_row + n_line * line_row + n_contact * contact_row +
         n_frame * (step_row + n_point * (3 * 24 + 1) + n_cell() * 4 + n_pose * 7 * 8);
}

struct VtkhdfWriter::Impl {
  std::string path;
  hsize_t n_point, n_tet, n_cell, n_pose;
  std::vector<std::int64_t> contact_offsets;
  hdf5::Handle file;
  Datasets data;
};

VtkhdfWriter::VtkhdfWriter(const std::string& path, const RecordedTopology& topology,
                           const FrameList& frames) {
  impl_ = std::make_unique<Impl>();
  impl_->path = path;
  impl_->contact_offsets = sums(frames.n_contact);
  check_room(path, topology.file_size(static_cast<std::int64_t>(frames.time_s.size()),
                                      impl_->contact_offsets.back()));
  impl_->n_point = static_cast<hsize_t>(topology.n_point);
  impl_->n_tet = topology.tets.size();
  impl_->n_cell = static_cast<hsize_t>(topology.n_cell());
  impl_->n_pose = static_cast<hsize_t>(topology.n_pose);
  impl_->file = hdf5::create_file(path);
  const hdf5::Handle root = hdf5::create_group(impl_->file, "VTKHDF");
  hdf5::write_attribute(root, "Version", std::vector<std::int64_t>{2, 0});
  hdf5::write_attribute(root, "Type", std::string("UnstructuredGrid"));
  write_topology(root, topology);
  write_steps(root, topology, frames.time_s);
  const hsize_t n_frame = frames.time_s.size();
  const hsize_t point_rows = n_frame * impl_->n_point, cell_rows = n_frame * impl_->n_cell;
  Datasets& data = impl_->data;
  data.points = hdf5::create_dataset<double>(root, "Points", {point_rows, 3}, kLayout);
  const hdf5::Handle point_data = hdf5::create_group(root, "PointData");
  data.velocity = hdf5::create_dataset<double>(point_data, "velocity", {point_rows, 3}, kLayout);
  data.contact_force =
      hdf5::create_dataset<double>(point_data, "contact_force", {point_rows, 3}, kLayout);
  data.contact_state =
      hdf5::create_dataset<std::uint8_t>(point_data, "contact_state", {point_rows}, kLayout);
  const hdf5::Handle cell_data = hdf5::create_group(root, "CellData");
  data.von_mises = hdf5::create_dataset<float>(cell_data, "von_mises_Pa", {cell_rows}, kLayout);
  create_nodia(impl_->file, topology, impl_->contact_offsets, &data);
}

VtkhdfWriter::~VtkhdfWriter() = default;

void VtkhdfWriter::write(std::int64_t i, const Frame& frame) {
  const hsize_t n_point = impl_->n_point, n_cell = impl_->n_cell, k = static_cast<hsize_t>(i);
  const Datasets& data = impl_->data;
  std::vector<float> stress = frame.von_mises_Pa;
  stress.resize(n_cell, std::numeric_limits<float>::quiet_NaN());
  const auto offset = impl_->contact_offsets.begin() + i;
  if (offset[1] - offset[0] != static_cast<std::int64_t>(frame.contacts.n_contact()))
    throw RuntimeError(fmt::format("{}: frame {} has another number of contacts", impl_->path, i));
  const bool poses_good = impl_->n_pose == 0 ||
                          (hdf5::write_rows(data.position, k, 1, components(frame.position)) &&
                           hdf5::write_rows(data.orientation, k, 1, components(frame.orientation)));
  const bool good =
      hdf5::write_rows(data.points, k * n_point, n_point, components(frame.x)) &&
      hdf5::write_rows(data.velocity, k * n_point, n_point, components(frame.velocity)) &&
      hdf5::write_rows(data.contact_force, k * n_point, n_point, components(frame.contact_force)) &&
      hdf5::write_rows(data.contact_state, k * n_point, n_point, frame.contact_state.data()) &&
      hdf5::write_rows(data.von_mises, k * n_cell, n_cell, stress.data()) && poses_good &&
      data.contacts.write(static_cast<hsize_t>(*offset), frame.contacts);
  if (!good) throw RuntimeError(fmt::format("{}: cannot write frame {}", impl_->path, i));
}

void VtkhdfWriter::close() {
  const bool flushed = H5Fflush(impl_->file.id(), H5F_SCOPE_GLOBAL) >= 0;
  impl_->data = Datasets{};
  if (!impl_->file.close() || !flushed)
    throw RuntimeError(fmt::format("{}: cannot close the file", impl_->path));
}

struct VtkhdfReader::Impl {
  std::string path;
  hdf5::Handle file;
  RecordedTopology topology;
  std::vector<double> time_s;
  std::vector<std::int64_t> contact_offsets;
  Datasets data;

  void read_topology();
  void open_nodia();
};

void VtkhdfReader::Impl::read_topology() {
  topology.n_point = hdf5::read<std::int64_t>(file, "VTKHDF/NumberOfPoints").at(0);
  const auto connectivity = hdf5::read<std::int32_t>(file, "VTKHDF/Connectivity");
  const auto types = hdf5::read<std::uint8_t>(file, "VTKHDF/Types");
  std::size_t at = 0;
  for (const std::uint8_t type : types) {
    if (type == kVtkTetra) {
      auto& tet = topology.tets.emplace_back();
      for (std::int32_t& node : tet) node = connectivity.at(at++);
    } else {
      auto& line = topology.lines.emplace_back();
      for (std::int32_t& point : line) point = connectivity.at(at++);
    }
  }
}

/// Files older than the group have no poses and no contacts.
void VtkhdfReader::Impl::open_nodia() {
  contact_offsets.assign(time_s.size() + 1, 0);
  if (H5Lexists(file.id(), "nodia", H5P_DEFAULT) <= 0) return;
  hdf5::read_version(hdf5::open_group(file, "nodia"), kNodiaVersion);
  topology.poses = text_of(hdf5::read<std::uint8_t>(file, "nodia/frames/description"));
  topology.bodies = text_of(hdf5::read<std::uint8_t>(file, "nodia/contacts/bodies"));
  data.position = hdf5::open_dataset(file, "nodia/frames/position");
  data.orientation = hdf5::open_dataset(file, "nodia/frames/orientation_wxyz");
  topology.n_pose = static_cast<std::int64_t>(hdf5::shape_of(data.position).at(1));
  contact_offsets = hdf5::read<std::int64_t>(file, "nodia/contacts/offsets");
  if (contact_offsets.size() != time_s.size() + 1 || contact_offsets.front() != 0 ||
      !std::is_sorted(contact_offsets.begin(), contact_offsets.end()) ||
      hdf5::checked_size(data.position, hdf5::shape_of(data.position), "position") !=
          time_s.size() * static_cast<std::size_t>(topology.n_pose) * 3)
    throw InputError("nodia: its sizes do not fit together");
  data.contacts.open(hdf5::open_group(file, "nodia/contacts"),
                     static_cast<hsize_t>(contact_offsets.back()));
}

VtkhdfReader::VtkhdfReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->file = hdf5::open_file(path);
  const hdf5::Handle& file = impl_->file;
  try {
    impl_->read_topology();
    impl_->time_s = hdf5::read<double>(file, "VTKHDF/Steps/Values");
    Datasets& data = impl_->data;
    data.points = hdf5::open_dataset(file, "VTKHDF/Points");
    data.velocity = hdf5::open_dataset(file, "VTKHDF/PointData/velocity");
    data.contact_force = hdf5::open_dataset(file, "VTKHDF/PointData/contact_force");
    data.contact_state = hdf5::open_dataset(file, "VTKHDF/PointData/contact_state");
    data.von_mises = hdf5::open_dataset(file, "VTKHDF/CellData/von_mises_Pa");
    impl_->open_nodia();
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{}: not a trajectory ({})", path, error.what()));
  }
}

VtkhdfReader::~VtkhdfReader() = default;

const RecordedTopology& VtkhdfReader::topology() const {
  return impl_->topology;
}
const std::vector<double>& VtkhdfReader::time_s() const {
  return impl_->time_s;
}
std::vector<std::int64_t> VtkhdfReader::n_contact() const {
  std::vector<std::int64_t> counts;
  for (std::size_t i = 0; i + 1 < impl_->contact_offsets.size(); ++i)
    counts.push_back(impl_->contact_offsets[i + 1] - impl_->contact_offsets[i]);
  return counts;
}

Frame VtkhdfReader::read(std::int64_t i) const {
  const RecordedTopology& topology = impl_->topology;
  const auto n_point = static_cast<hsize_t>(topology.n_point);
  const auto n_cell = static_cast<hsize_t>(topology.n_cell());
  const auto n_pose = static_cast<hsize_t>(topology.n_pose);
  const auto k = static_cast<hsize_t>(i);
  const Datasets& data = impl_->data;
  Frame frame;
  frame.time_s = impl_->time_s.at(k);
  frame.x.resize(n_point);
  frame.velocity.resize(n_point);
  frame.contact_force.resize(n_point);
  frame.contact_state.resize(n_point);
  frame.von_mises_Pa.resize(topology.tets.size());
  frame.position.resize(n_pose);
  frame.orientation.resize(n_pose);
  const std::int64_t first = impl_->contact_offsets.at(k);
  const std::int64_t n_contact = impl_->contact_offsets.at(k + 1) - first;
  const bool poses_good =
      n_pose == 0 || (hdf5::read_rows(data.position, k, 1, components(frame.position)) &&
                      hdf5::read_rows(data.orientation, k, 1, components(frame.orientation)));
  const bool good =
      hdf5::read_rows(data.points, k * n_point, n_point, components(frame.x)) &&
      hdf5::read_rows(data.velocity, k * n_point, n_point, components(frame.velocity)) &&
      hdf5::read_rows(data.contact_force, k * n_point, n_point, components(frame.contact_force)) &&
      hdf5::read_rows(data.contact_state, k * n_point, n_point, frame.contact_state.data()) &&
      hdf5::read_rows(data.von_mises, k * n_cell, topology.tets.size(),
                      frame.von_mises_Pa.data()) &&
      poses_good &&
      data.contacts.read(static_cast<hsize_t>(first), static_cast<hsize_t>(n_contact),
                         &frame.contacts);
  if (!good) throw InputError(fmt::format("{}: cannot read frame {}", impl_->path, i));
  return frame;
}

void VtkhdfWriter::write_all(std::int64_t first, const VtkhdfReader& other) {
  const Datasets &to = impl_->data, &from = other.impl_->data;
  const auto first_frame = static_cast<hsize_t>(first);
  const hsize_t n_frame = other.time_s().size();
  const hsize_t point = first_frame * impl_->n_point, cell = first_frame * impl_->n_cell;
  const auto offset = impl_->contact_offsets.begin() + first;
  const auto contact = static_cast<hsize_t>(offset[0]);
  if (offset[static_cast<std::ptrdiff_t>(n_frame)] - offset[0] !=
      other.impl_->contact_offsets.back())
    throw RuntimeError(
        fmt::format("{}: {} has another number of contacts", impl_->path, other.impl_->path));
  ContactRecord contacts;
  const bool good =
      copy_rows<double>(from.points, to.points, point) &&
      copy_rows<double>(from.velocity, to.velocity, point) &&
      copy_rows<double>(from.contact_force, to.contact_force, point) &&
      copy_rows<std::uint8_t>(from.contact_state, to.contact_state, point) &&
      copy_rows<float>(from.von_mises, to.von_mises, cell) &&
      copy_rows<double>(from.position, to.position, first_frame) &&
      copy_rows<double>(from.orientation, to.orientation, first_frame) &&
      from.contacts.read(0, static_cast<hsize_t>(other.impl_->contact_offsets.back()), &contacts) &&
      to.contacts.write(contact, contacts);
  if (!good)
    throw RuntimeError(
        fmt::format("{}: cannot take the frames of {}", impl_->path, other.impl_->path));
}

std::int64_t VtkhdfReader::read_everything() const {
  std::string damage;  // no exception may pass through HDF5
  const auto visit = [](hid_t root, const char* name, const H5O_info_t* info,
                        void* told) -> herr_t {
    if (info->type != H5O_TYPE_DATASET) return 0;
    try {
      read_to_the_end(hdf5::Handle(H5Dopen2(root, name, H5P_DEFAULT)), name);
      return 0;
    } catch (const std::exception& error) {
      *static_cast<std::string*>(told) = error.what();
      return -1;
    }
  };
  if (H5Ovisit(impl_->file.id(), H5_INDEX_NAME, H5_ITER_NATIVE, visit, &damage) < 0)
    throw InputError(
        fmt::format("{}: {}", impl_->path, damage.empty() ? "its groups cannot be read" : damage));
  return static_cast<std::int64_t>(impl_->time_s.size());
}

}  // namespace nodia
