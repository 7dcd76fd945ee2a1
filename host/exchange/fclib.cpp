#include "host/exchange/fclib.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "host/exchange/hdf5_vector.hpp"
#include "host/problem/atomic_file.hpp"
#include "host/problem/hdf5.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

constexpr int kByColumns = -1, kByRows = -2;

std::int64_t read_number(const hdf5::Handle& parent, const std::string& name) {
  const auto values = hdf5::read<std::int64_t>(parent, name);
  if (values.size() != 1)
    throw_bad_value("dataset " + name, fmt::format("{} values", values.size()), "one", "");
  return values.front();
}

std::int64_t read_count(const hdf5::Handle& parent, const std::string& name, std::int64_t low = 0) {
  const std::int64_t n = read_number(parent, name);
  require(n >= low && n <= std::numeric_limits<int>::max(), "dataset " + name,
          static_cast<double>(n), fmt::format("from {} to 2147483647", low), "");
  return n;
}

/// First `n` values. @throws InputError if there are fewer
template <class T>
std::vector<T> read_first(const hdf5::Handle& parent, const std::string& name, std::int64_t n) {
  std::vector<T> values = hdf5::read<T>(parent, name);
  if (static_cast<std::int64_t>(values.size()) < n)
    throw_bad_value("dataset " + name, fmt::format("{} values", values.size()),
                    fmt::format("at least {}", n), "");
  values.resize(static_cast<std::size_t>(n));
  return values;
}

SparseMatrix read_matrix(const hdf5::Handle& parent, const std::string& name) {
  const auto at = [&](const char* member) { return name + "/" + member; };
  const std::int64_t m = read_count(parent, at("m")), n = read_count(parent, at("n"));
  const std::int64_t nz = read_count(parent, at("nz"), kByRows);
  const bool triplets = nz >= 0;
  const std::int64_t n_outer = nz == kByRows ? m : n;
  const auto p = read_first<std::int64_t>(parent, at("p"), triplets ? nz : n_outer + 1);
  if (!triplets) {
    bool ascending = p.front() == 0;
    for (std::size_t k = 1; k < p.size(); ++k) ascending = ascending && p[k] >= p[k - 1];
    if (!ascending) throw_bad_value("dataset " + at("p"), "[...]", "ascending from 0", "");
  }
  const std::int64_t n_entry = triplets ? nz : p.back();
  const auto i = read_first<std::int64_t>(parent, at("i"), n_entry);
  const auto x = read_first<double>(parent, at("x"), n_entry);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(x.size());
  std::int64_t outer = 0;
  for (std::int64_t k = 0; k < n_entry; ++k) {
    while (!triplets && k >= p[outer + 1]) ++outer;
    const std::int64_t row = nz == kByRows ? outer : i[k];
    const std::int64_t column = nz == kByRows ? i[k] : triplets ? p[k] : outer;
    if (row < 0 || row >= m || column < 0 || column >= n)
      throw_bad_value(fmt::format("dataset {}, entry {}", name, k),
                      fmt::format("({}, {})", row, column), fmt::format("inside {}-by-{}", m, n),
                      "");
    entries.emplace_back(static_cast<int>(row), static_cast<int>(column), x[k]);
  }
  SparseMatrix matrix(m, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  matrix.makeCompressed();
  return matrix;
}

Eigen::VectorXd read_vector(const hdf5::Handle& parent, const std::string& name) {
  const auto values = hdf5::read<double>(parent, name);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Text of a dataset; empty if none can be read.
std::string read_title(const hdf5::Handle& parent) {
  if (H5Lexists(parent.id(), "info", H5P_DEFAULT) <= 0 ||
      H5Lexists(parent.id(), "info/title", H5P_DEFAULT) <= 0)
    return "";
  const hdf5::Handle dataset(H5Dopen2(parent.id(), "info/title", H5P_DEFAULT));
  const hdf5::Handle type(dataset.valid() ? H5Dget_type(dataset.id()) : H5I_INVALID_HID);
  if (!type.valid() || H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0)
    return "";
  const hdf5::Handle space(H5Dget_space(dataset.id()));
  const std::size_t size = H5Tget_size(type.id());
  if (size > 4096 || H5Sget_simple_extent_npoints(space.id()) != 1) return "";
  std::string text(size, '\0');
  if (H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return "";
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

FrictionProblem read_group(const hdf5::Handle& file) {
  FrictionProblem problem;
  const bool global = H5Lexists(file.id(), "fclib_global", H5P_DEFAULT) > 0;
  if (!global && H5Lexists(file.id(), "fclib_local", H5P_DEFAULT) <= 0)
    throw InputError("no group fclib_global or fclib_local (must be a file of fclib)");
  problem.kind = global ? FrictionKind::global : FrictionKind::local;
  const hdf5::Handle group(
      H5Gopen2(file.id(), global ? "fclib_global" : "fclib_local", H5P_DEFAULT));
  if (!group.valid()) throw InputError("group of fclib: unreadable");
  problem.dimension = static_cast<int>(read_count(group, "spacedim"));
  const auto mu = hdf5::read<double>(group, "vectors/mu");
  problem.mu = mu;
  if (global) {
    problem.M = read_matrix(group, "M");
    problem.H = read_matrix(group, "H");
    problem.q = read_vector(group, "vectors/f");
    problem.b = read_vector(group, "vectors/w");
  } else {
    problem.M = read_matrix(group, "W");
    problem.q = read_vector(group, "vectors/q");
  }
  problem.title = read_title(group);
  return problem;
}

void write_matrix(const hdf5::Handle& parent, const std::string& name, SparseMatrix matrix) {
  matrix.makeCompressed();
  const hdf5::Handle group = hdf5::create_group(parent, name);
  const auto number = [&](const char* key, Eigen::Index value) {
    hdf5::write(group, key, std::vector<std::int32_t>{static_cast<std::int32_t>(value)});
  };
  const hsize_t n_entry = static_cast<hsize_t>(matrix.nonZeros());
  number("m", matrix.rows());
  number("n", matrix.cols());
  number("nzmax", matrix.nonZeros());
  number("nz", kByColumns);
  hdf5::write<std::int32_t>(group, "p", {static_cast<hsize_t>(matrix.cols()) + 1},
                            matrix.outerIndexPtr());
  hdf5::write<std::int32_t>(group, "i", {n_entry}, matrix.innerIndexPtr());
  hdf5::write<double>(group, "x", {n_entry}, matrix.valuePtr());
}

void write_text(const hdf5::Handle& parent, const std::string& name, const std::string& text) {
  const hdf5::Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.id(), text.size() + 1);
  const hdf5::Handle space(H5Screate(H5S_SCALAR));
  const hdf5::Handle properties(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(properties.id(), false);
  const hdf5::Handle dataset(H5Dcreate2(parent.id(), name.c_str(), type.id(), space.id(),
                                        H5P_DEFAULT, properties.id(), H5P_DEFAULT));
  if (!dataset.valid() ||
      H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) < 0)
    throw RuntimeError(fmt::format("dataset {}: cannot write", name));
}

}  // namespace

FrictionProblem read_fclib(const std::string& path) {
  const hdf5::Handle file = hdf5::open_file(path);
  FrictionProblem problem;
  try {
    problem = read_group(file);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path, error.what()));
  }
  if (problem.title.empty()) problem.title = std::filesystem::path(path).stem().string();
  problem.validate(path);
  return problem;
}

void write_fclib(const FrictionProblem& problem, const std::string& path) {
  const hdf5::Handle file = hdf5::create_memory_file(path);
  const bool global = problem.kind == FrictionKind::global;
  const hdf5::Handle group = hdf5::create_group(file, global ? "fclib_global" : "fclib_local");
  hdf5::write(group, "spacedim", std::vector<std::int32_t>{problem.dimension});
  write_matrix(group, global ? "M" : "W", problem.M);
  const hdf5::Handle vectors = hdf5::create_group(group, "vectors");
  if (global) {
    write_matrix(group, "H", problem.H);
    write_vector(vectors, "f", problem.q);
    write_vector(vectors, "w", problem.b);
  } else {
    write_vector(vectors, "q", problem.q);
  }
  hdf5::write(vectors, "mu", problem.mu);
  const hdf5::Handle info = hdf5::create_group(group, "info");
  write_text(info, "title", problem.title);
  write_text(info, "description", "written by nodia");
  write_text(info, "math_info", "");
  replace_file(path, hdf5::memory_file_image(file));
}

}  // namespace nodia
