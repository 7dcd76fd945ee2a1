#include "host/io/vtkhdf.hpp"

#include <fmt/format.h>

#include <numeric>

#include "host/io/file.hpp"
#include "host/problem/hdf5.hpp"

namespace nodia {
namespace {

constexpr std::uint8_t kVtkTetra = 10;

const double* components(const std::vector<Vec3d>& v) {
  return reinterpret_cast<const double*>(v.data());
}
double* components(std::vector<Vec3d>& v) {
  return reinterpret_cast<double*>(v.data());
}

/// Where the frames live in a file.
struct Datasets {
  hdf5::Handle points, velocity, contact_force, contact_state, von_mises;
};

/// 0, stride, 2 stride, ...
std::vector<std::int64_t> multiples(std::size_t count, std::int64_t stride) {
  std::vector<std::int64_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::int64_t>(i) * stride;
  return values;
}

void write_topology(const hdf5::Handle& root, const Topology& topology) {
  const std::size_t n_tet = topology.tets.size();
  std::vector<std::int64_t> connectivity;
  connectivity.reserve(4 * n_tet);
  for (const auto& tet : topology.tets)
    connectivity.insert(connectivity.end(), tet.begin(), tet.end());
  hdf5::write(root, "Connectivity", connectivity);
  hdf5::write(root, "Offsets", multiples(n_tet + 1, 4));
  hdf5::write(root, "Types", std::vector<std::uint8_t>(n_tet, kVtkTetra));
  hdf5::write(root, "NumberOfPoints", std::vector<std::int64_t>{topology.n_node});
  hdf5::write(root, "NumberOfCells", std::vector<std::int64_t>{static_cast<std::int64_t>(n_tet)});
  hdf5::write(root, "NumberOfConnectivityIds",
              std::vector<std::int64_t>{static_cast<std::int64_t>(4 * n_tet)});
}

/// Every step points at the one topology and at its own rows of the frame data.
void write_steps(const hdf5::Handle& root, const Topology& topology,
                 const std::vector<double>& time_s) {
  const std::size_t n = time_s.size();
  const std::vector<std::int64_t> zero = multiples(n, 0), node_row = multiples(n, topology.n_node);
  const hdf5::Handle steps = hdf5::create_group(root, "Steps");
  hdf5::write_attribute(steps, "NSteps", static_cast<std::int64_t>(n));
  hdf5::write(steps, "Values", time_s);
  hdf5::write(steps, "NumberOfParts", std::vector<std::int64_t>(n, 1));
  hdf5::write(steps, "PartOffsets", zero);
  hdf5::write(steps, "PointOffsets", node_row);
  hdf5::write(steps, "CellOffsets", {n, 1}, zero.data());
  hdf5::write(steps, "ConnectivityIdOffsets", {n, 1}, zero.data());
  const hdf5::Handle point_offsets = hdf5::create_group(steps, "PointDataOffsets");
  for (const char* name : {"velocity", "contact_force", "contact_state"})
    hdf5::write(point_offsets, name, node_row);
  const hdf5::Handle cell_offsets = hdf5::create_group(steps, "CellDataOffsets");
  hdf5::write(cell_offsets, "von_mises_Pa",
              multiples(n, static_cast<std::int64_t>(topology.tets.size())));
}

}  // namespace

std::int64_t Frame::byte_size() const {
  return static_cast<std::int64_t>(sizeof(Vec3d) *
                                       (x.size() + velocity.size() + contact_force.size()) +
                                   contact_state.size() + sizeof(float) * von_mises_Pa.size());
}

std::int64_t Topology::file_size(std::int64_t n_frame) const {
  const std::int64_t n_tet = static_cast<std::int64_t>(tets.size());
  const std::int64_t headers = 32768, step_row = 10 * 8, tet_row = 4 * 8 + 8 + 1;
  return headers + n_tet * tet_row + n_frame * (step_row + n_node * (3 * 24 + 1) + n_tet * 4);
}

struct VtkhdfWriter::Impl {
  std::string path;
  hsize_t n_node, n_tet;
  hdf5::Handle file;
  Datasets data;
};

VtkhdfWriter::VtkhdfWriter(const std::string& path, const Topology& topology,
                           const std::vector<double>& time_s) {
  check_room(path, topology.file_size(static_cast<std::int64_t>(time_s.size())));
  impl_ = std::make_unique<Impl>();
  impl_->path = path;
  impl_->n_node = static_cast<hsize_t>(topology.n_node);
  impl_->n_tet = topology.tets.size();
  impl_->file = hdf5::create_file(path);
  const hdf5::Handle root = hdf5::create_group(impl_->file, "VTKHDF");
  hdf5::write_attribute(root, "Version", std::vector<std::int64_t>{2, 0});
  hdf5::write_attribute(root, "Type", std::string("UnstructuredGrid"));
  write_topology(root, topology);
  write_steps(root, topology, time_s);
  const hsize_t node_rows = time_s.size() * impl_->n_node, tet_rows = time_s.size() * impl_->n_tet;
  Datasets& data = impl_->data;
  data.points = hdf5::create_dataset<double>(root, "Points", {node_rows, 3});
  const hdf5::Handle point_data = hdf5::create_group(root, "PointData");
  data.velocity = hdf5::create_dataset<double>(point_data, "velocity", {node_rows, 3});
  data.contact_force = hdf5::create_dataset<double>(point_data, "contact_force", {node_rows, 3});
  data.contact_state = hdf5::create_dataset<std::uint8_t>(point_data, "contact_state", {node_rows});
  const hdf5::Handle cell_data = hdf5::create_group(root, "CellData");
  data.von_mises = hdf5::create_dataset<float>(cell_data, "von_mises_Pa", {tet_rows});
}

VtkhdfWriter::~VtkhdfWriter() = default;

void VtkhdfWriter::write(std::int64_t i, const Frame& frame) {
  const hsize_t n_node = impl_->n_node, n_tet = impl_->n_tet, k = static_cast<hsize_t>(i);
  const Datasets& data = impl_->data;
  const bool good =
      hdf5::write_rows(data.points, k * n_node, n_node, components(frame.x)) &&
      hdf5::write_rows(data.velocity, k * n_node, n_node, components(frame.velocity)) &&
      hdf5::write_rows(data.contact_force, k * n_node, n_node, components(frame.contact_force)) &&
      hdf5::write_rows(data.contact_state, k * n_node, n_node, frame.contact_state.data()) &&
      hdf5::write_rows(data.von_mises, k * n_tet, n_tet, frame.von_mises_Pa.data());
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
  Topology topology;
  std::vector<double> time_s;
  Datasets data;
};

VtkhdfReader::VtkhdfReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->file = hdf5::open_file(path);
  const hdf5::Handle& file = impl_->file;
  try {
    impl_->topology.n_node = hdf5::read<std::int64_t>(file, "VTKHDF/NumberOfPoints").at(0);
    const auto connectivity = hdf5::read<std::int32_t>(file, "VTKHDF/Connectivity");
    impl_->topology.tets.resize(connectivity.size() / 4);
    for (std::size_t i = 0; i < connectivity.size(); ++i)
      impl_->topology.tets[i / 4][i % 4] = connectivity[i];
    impl_->time_s = hdf5::read<double>(file, "VTKHDF/Steps/Values");
    Datasets& data = impl_->data;
    data.points = hdf5::open_dataset(file, "VTKHDF/Points");
    data.velocity = hdf5::open_dataset(file, "VTKHDF/PointData/velocity");
    data.contact_force = hdf5::open_dataset(file, "VTKHDF/PointData/contact_force");
    data.contact_state = hdf5::open_dataset(file, "VTKHDF/PointData/contact_state");
    data.von_mises = hdf5::open_dataset(file, "VTKHDF/CellData/von_mises_Pa");
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{}: not a trajectory ({})", path, error.what()));
  }
}

VtkhdfReader::~VtkhdfReader() = default;

const Topology& VtkhdfReader::topology() const {
  return impl_->topology;
}
const std::vector<double>& VtkhdfReader::time_s() const {
  return impl_->time_s;
}

Frame VtkhdfReader::read(std::int64_t i) const {
  const hsize_t n_node = static_cast<hsize_t>(impl_->topology.n_node),
                n_tet = impl_->topology.tets.size();
  const auto k = static_cast<hsize_t>(i);
  const Datasets& data = impl_->data;
  Frame frame;
  frame.time_s = impl_->time_s.at(k);
  frame.x.resize(n_node);
  frame.velocity.resize(n_node);
  frame.contact_force.resize(n_node);
  frame.contact_state.resize(n_node);
  frame.von_mises_Pa.resize(n_tet);
  const bool good =
      hdf5::read_rows(data.points, k * n_node, n_node, components(frame.x)) &&
      hdf5::read_rows(data.velocity, k * n_node, n_node, components(frame.velocity)) &&
      hdf5::read_rows(data.contact_force, k * n_node, n_node, components(frame.contact_force)) &&
      hdf5::read_rows(data.contact_state, k * n_node, n_node, frame.contact_state.data()) &&
      hdf5::read_rows(data.von_mises, k * n_tet, n_tet, frame.von_mises_Pa.data());
  if (!good) throw InputError(fmt::format("{}: cannot read frame {}", impl_->path, i));
  return frame;
}

}  // namespace nodia
