/// Layout of a problem file, version 4. Matrices are row-major. Lengths: N rows, B blocks, C
/// contacts, P points, Q their terms, E environments, T different topologies with R rows, D bodies
/// and S positions in total.
///
///   /                    attributes format = "nodia_problem", version = 4, theta, step_s
///   /A/row_begin [N+1]   /A/column [B]   /A/value [B, 9] (block_csr.hpp)
///   /b [N, 3]   /mass [N or 0]   /position [N or 0, 3]
///   /env_node_begin [E+1]   /env_contact_begin [E+1]
///   /contacts/{node_i, node_j, mu1, mu2, key} [C]   /contacts/R [C, 9]   /contacts/phi [C, 3]
///   /points/begin [P+1]   /points/row [Q]   /points/J [Q, 9]   /env_point_begin [E+1, or 1]
///   /topology/of_env [E] (topology index of the environment)
///   /topology/row_begin [T+1]    /topology/kind [R] (RowKind)
///   /topology/body_begin [T+1]   /topology/bodies [D, 3] (BodyKind, first row, number of rows)
///   /topology/rest_begin [T+1]   /topology/rest [S, 3] (all rows of a topology or none)
///   /warm/v [N or 0, 3]   /warm/lambda [C or 0, 3]
///
/// The pattern of a topology is that of A in the rows of its first environment. Version 3 has no
/// /position. Version 2 has no /topology either, but /groups [G, 3] (first row in A, number of
/// rows, rows of a link: 2 in a chain, 0 in a dense block). Version 1 has no points and no groups.
///
/// The eight bytes kSealMark and the FNV-1a hash of the file (64 bits, little-endian) follow after
/// the HDF5 data, where HDF5 readers ignore them. HDF5 reads beyond its buffers in damaged files,
/// so the loader verifies the hash first. Files without a seal are read unverified.
#include <algorithm>
#include <fstream>
#include <string_view>
#include <unordered_map>

#include "host/problem/atomic_file.hpp"
#include "host/problem/contact_problem.hpp"
#include "host/problem/hdf5.hpp"

namespace nodia {
namespace {

constexpr const char* kFormat = "nodia_problem";
constexpr std::int32_t kVersion = 4;
constexpr std::string_view kSealMark = "nodiaFNV";
constexpr std::size_t kSealSize = 16;

class Fnv1a {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  /// kSealMark and the hash.
  std::string seal() const {
    std::string text(kSealMark);
    for (int byte = 0; byte < 8; ++byte) text += static_cast<char>(hash_ >> (8 * byte) & 0xff);
    return text;
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

std::string sealed(std::string bytes) {
  Fnv1a hash;
  hash.add(bytes);
  return bytes += hash.seal();
}

/// @throws InputError if the file has a seal with a wrong hash
void require_intact(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : 0;
  if (size < static_cast<std::streamoff>(kSealSize)) return;
  std::streamoff left = size - static_cast<std::streamoff>(kSealSize);
  std::string found(kSealSize, ' ');
  file.seekg(left);
  if (!file.read(found.data(), static_cast<std::streamsize>(kSealSize)) ||
      !found.starts_with(kSealMark))
    return;
  file.seekg(0);
  Fnv1a hash;
  std::vector<char> part(std::size_t{1} << 20);
  while (left > 0) {
    const std::streamoff n = std::min(left, static_cast<std::streamoff>(part.size()));
    if (!file.read(part.data(), n)) break;
    hash.add({part.data(), static_cast<std::size_t>(n)});
    left -= n;
  }
  if (hash.seal() != found)
    throw InputError(fmt::format("{}: damaged (its checksum does not match)", path));
}

/// Writes `n_column` values per item.
template <class Item, class Value>
void write_table(const hdf5::Handle& parent, const std::string& name,
                 const std::vector<Item>& items, int n_column, Value value) {
  using T = decltype(value(items.front(), 0));
  std::vector<T> table;
  table.reserve(items.size() * static_cast<std::size_t>(n_column));
  for (const Item& item : items)
    for (int k = 0; k < n_column; ++k) table.push_back(value(item, k));
  std::vector<hsize_t> shape{items.size()};
  if (n_column > 1) shape.push_back(static_cast<hsize_t>(n_column));
  hdf5::write(parent, name, shape, table.data());
}

void write_vectors(const hdf5::Handle& parent, const std::string& name,
                   const std::vector<Vec3d>& v) {
  write_table(parent, name, v, 3, [](const Vec3d& a, int k) { return a[k]; });
}

void write_topology(const hdf5::Handle& group, const ContactProblem& p) {
  std::unordered_map<const Topology*, std::int32_t> numbers;
  std::vector<std::int32_t> of_env, row_begin{0}, body_begin{0}, rest_begin{0};
  std::vector<RowKind> kind;
  std::vector<Body> bodies;
  std::vector<Vec3d> rest;
  const auto append = [](const auto& part, auto* all, std::vector<std::int32_t>* begin) {
    all->insert(all->end(), part.begin(), part.end());
    begin->push_back(static_cast<std::int32_t>(all->size()));
  };
  for (const auto& topology : p.topology) {
    const auto [number, is_new] =
        numbers.emplace(topology.get(), static_cast<std::int32_t>(numbers.size()));
    of_env.push_back(number->second);
    if (!is_new) continue;
    append(topology->kind, &kind, &row_begin);
    append(topology->bodies, &bodies, &body_begin);
    append(topology->rest, &rest, &rest_begin);
  }
  hdf5::write(group, "of_env", of_env);
  hdf5::write(group, "row_begin", row_begin);
  write_table(group, "kind", kind, 1, [](RowKind k, int) { return static_cast<std::uint8_t>(k); });
  hdf5::write(group, "body_begin", body_begin);
  write_table(group, "bodies", bodies, 3, [](const Body& body, int k) {
    return k == 0 ? static_cast<std::int32_t>(body.kind) : k == 1 ? body.first_row : body.n_row;
  });
  hdf5::write(group, "rest_begin", rest_begin);
  write_vectors(group, "rest", rest);
}

void write_problem(const hdf5::Handle& file, const ContactProblem& p, const WarmStart& warm) {
  hdf5::write_attribute(file, "format", std::string(kFormat));
  hdf5::write_attribute(file, "version", kVersion);
  hdf5::write_attribute(file, "theta", p.theta);
  hdf5::write_attribute(file, "step_s", p.step_s);

  const hdf5::Handle a = hdf5::create_group(file, "A");
  const hsize_t n_block = static_cast<hsize_t>(p.A.pattern->n_block());
  hdf5::write(a, "row_begin", p.A.pattern->row_begin);
  hdf5::write(a, "column", p.A.pattern->column);
  hdf5::write(a, "value", {n_block, 9}, p.A.value.data());

  write_vectors(file, "b", p.b);
  hdf5::write(file, "mass", p.mass);
  write_vectors(file, "position", p.position);
  hdf5::write(file, "env_node_begin", p.env_node_begin);
  hdf5::write(file, "env_contact_begin", p.env_contact_begin);

  using C = Contact<double>;
  const hdf5::Handle contacts = hdf5::create_group(file, "contacts");
  write_table(contacts, "node_i", p.contacts, 1, [](const C& c, int) { return c.side_i; });
  write_table(contacts, "node_j", p.contacts, 1, [](const C& c, int) { return c.side_j; });
  write_table(contacts, "R", p.contacts, 9, [](const C& c, int k) { return c.R(k / 3, k % 3); });
  write_table(contacts, "phi", p.contacts, 3, [](const C& c, int k) { return c.phi[k]; });
  write_table(contacts, "mu1", p.contacts, 1, [](const C& c, int) { return c.mu1; });
  write_table(contacts, "mu2", p.contacts, 1, [](const C& c, int) { return c.mu2; });
  write_table(contacts, "key", p.contacts, 1, [](const C& c, int) { return c.key; });

  const hdf5::Handle points = hdf5::create_group(file, "points");
  hdf5::write(points, "begin", p.points.begin);
  hdf5::write(points, "row", p.points.row);
  write_table(points, "J", p.points.J, 9, [](const Mat3d& J, int k) { return J(k / 3, k % 3); });
  hdf5::write(file, "env_point_begin", p.env_point_begin);
  write_topology(hdf5::create_group(file, "topology"), p);

  const hdf5::Handle w = hdf5::create_group(file, "warm");
  write_vectors(w, "v", warm.v);
  write_vectors(w, "lambda", warm.lambda);
}

/// Reads a dataset with `n_column` values per item.
template <class T>
std::vector<T> read_table(const hdf5::Handle& file, const std::string& name, hsize_t n_column) {
  std::vector<hsize_t> shape;
  std::vector<T> table = hdf5::read<T>(file, name, &shape);
  const bool good = n_column == 1 ? shape.size() == 1 : shape.size() == 2 && shape[1] == n_column;
  if (!good) throw InputError(fmt::format("dataset {}: must have {} columns", name, n_column));
  return table;
}

std::vector<Vec3d> read_vectors(const hdf5::Handle& file, const std::string& name) {
  const std::vector<double> table = read_table<double>(file, name, 3);
  std::vector<Vec3d> v(table.size() / 3);
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = {table[3 * i], table[3 * i + 1], table[3 * i + 2]};
  return v;
}

/// Index of the diagonal block of every row; -1 if it is missing, which validate() reports.
std::vector<std::int32_t> find_diagonals(const BlockPattern& pattern) {
  std::vector<std::int32_t> diagonal(pattern.row_begin.size() - 1, -1);
  for (int i = 0; i < pattern.n_row(); ++i)
    for (int k = std::max(pattern.row_begin[i], 0);
         k < std::min(pattern.row_begin[i + 1], pattern.n_block()); ++k)
      if (pattern.column[k] == i) diagonal[i] = k;
  return diagonal;
}

std::vector<Contact<double>> read_contacts(const hdf5::Handle& file) {
  const auto side_i = read_table<std::int32_t>(file, "contacts/node_i", 1);
  const auto side_j = read_table<std::int32_t>(file, "contacts/node_j", 1);
  const auto R = read_table<double>(file, "contacts/R", 9);
  const auto phi = read_vectors(file, "contacts/phi");
  const auto mu1 = read_table<double>(file, "contacts/mu1", 1);
  const auto mu2 = read_table<double>(file, "contacts/mu2", 1);
  const auto key = read_table<std::uint64_t>(file, "contacts/key", 1);
  const std::size_t n = side_i.size();
  if (side_j.size() != n || R.size() != 9 * n || phi.size() != n || mu1.size() != n ||
      mu2.size() != n || key.size() != n)
    throw InputError("group contacts: datasets of different lengths");
  std::vector<Contact<double>> contacts(n);
  for (std::size_t m = 0; m < n; ++m) {
    Contact<double>& c = contacts[m];
    c = {side_i[m], side_j[m], {}, phi[m], mu1[m], mu2[m], key[m]};
    for (int k = 0; k < 9; ++k) c.R(k / 3, k % 3) = R[9 * m + static_cast<std::size_t>(k)];
  }
  return contacts;
}

void read_points(const hdf5::Handle& file, ContactProblem* p) {
  p->points.begin = read_table<std::int32_t>(file, "points/begin", 1);
  p->points.row = read_table<std::int32_t>(file, "points/row", 1);
  const auto J = read_table<double>(file, "points/J", 9);
  p->points.J.resize(J.size() / 9);
  for (std::size_t e = 0; e < p->points.J.size(); ++e)
    for (int k = 0; k < 9; ++k)
      p->points.J[e](k / 3, k % 3) = J[9 * e + static_cast<std::size_t>(k)];
  p->env_point_begin = read_table<std::int32_t>(file, "env_point_begin", 1);
}

/// Bodies of version 2, which does not distinguish rigid bodies from robots. Both are read as
/// robots, whose rows imply less.
std::vector<Body> read_groups(const hdf5::Handle& file) {
  const auto groups = read_table<std::int32_t>(file, "groups", 3);
  std::vector<Body> bodies;
  for (std::size_t g = 0; g < groups.size() / 3; ++g) {
    const std::int32_t link_rows = groups[3 * g + 2];
    require(link_rows == 0 || link_rows == kLinkRows,
            fmt::format("dataset groups: row {}, rows of a link", g), link_rows,
            fmt::format("0 or {}", kLinkRows), "");
    bodies.push_back(
        {link_rows == 0 ? BodyKind::robot : BodyKind::chain, groups[3 * g], groups[3 * g + 1]});
  }
  return bodies;
}

/// Stored data of one topology; its pattern is that of A.
struct StoredTopology {
  std::vector<RowKind> kind;
  std::vector<Body> bodies;
  std::vector<Vec3d> rest;
};

/// Reads offsets of a list. @throws InputError unless they ascend from 0 to `size`
std::vector<std::int32_t> read_ends(const hdf5::Handle& file, const std::string& name,
                                    std::size_t size) {
  std::vector<std::int32_t> begin = read_table<std::int32_t>(file, name, 1);
  if (begin.empty() || begin.front() != 0 || begin.back() != static_cast<std::int64_t>(size) ||
      !std::is_sorted(begin.begin(), begin.end()))
    throw InputError(fmt::format("dataset {}: must ascend from 0 to {}", name, size));
  return begin;
}

std::vector<StoredTopology> read_topologies(const hdf5::Handle& file) {
  const auto kind = read_table<std::uint8_t>(file, "topology/kind", 1);
  const auto bodies = read_table<std::int32_t>(file, "topology/bodies", 3);
  const auto rest = read_vectors(file, "topology/rest");
  const auto row_begin = read_ends(file, "topology/row_begin", kind.size());
  const auto body_begin = read_ends(file, "topology/body_begin", bodies.size() / 3);
  const auto rest_begin = read_ends(file, "topology/rest_begin", rest.size());
  if (body_begin.size() != row_begin.size() || rest_begin.size() != row_begin.size())
    throw InputError("group topology: datasets of different lengths");
  std::vector<StoredTopology> stored(row_begin.size() - 1);
  for (std::size_t t = 0; t < stored.size(); ++t) {
    for (std::int32_t i = row_begin[t]; i < row_begin[t + 1]; ++i)
      stored[t].kind.push_back(static_cast<RowKind>(kind[i]));
    for (std::size_t k = static_cast<std::size_t>(body_begin[t]);
         k < static_cast<std::size_t>(body_begin[t + 1]); ++k) {
      const std::int32_t body_kind = bodies[3 * k];
      require(body_kind >= 0 && body_kind <= static_cast<std::int32_t>(BodyKind::robot),
              fmt::format("dataset topology/bodies: kind of row {}", k), body_kind, "0 to 3", "");
      stored[t].bodies.push_back(
          {static_cast<BodyKind>(body_kind), bodies[3 * k + 1], bodies[3 * k + 2]});
    }
    stored[t].rest.assign(rest.begin() + rest_begin[t], rest.begin() + rest_begin[t + 1]);
  }
  return stored;
}

/// Replaces the bodies that derive_topology() derived from A by the stored ones.
void read_topology(const hdf5::Handle& file, ContactProblem* p) {
  const std::vector<StoredTopology> stored = read_topologies(file);
  const auto of_env = read_table<std::int32_t>(file, "topology/of_env", 1);
  if (of_env.size() != static_cast<std::size_t>(p->n_env()))
    throw InputError(
        fmt::format("dataset topology/of_env: {} entries (must be {}; one an environment)",
                    of_env.size(), p->n_env()));
  std::vector<std::shared_ptr<const Topology>> made(stored.size());
  for (std::size_t e = 0; e < of_env.size(); ++e) {
    const std::int32_t t = of_env[e];
    if (t < 0 || t >= static_cast<std::int64_t>(stored.size()))
      throw InputError(
          fmt::format("dataset topology/of_env: {} (must be in [0, {}))", t, stored.size()));
    if (!made[t]) {
      Topology topology = *p->topology[e];
      topology.kind = stored[t].kind;
      topology.bodies = stored[t].bodies;
      topology.rest = stored[t].rest;
      made[t] = std::make_shared<const Topology>(std::move(topology));
    }
    p->topology[e] = made[t];
  }
}

ContactProblem read_problem(const hdf5::Handle& file, WarmStart* warm) {
  if (hdf5::read_attribute_text(file, "format") != kFormat)
    throw InputError("attribute format: not a contact problem");
  const auto version = hdf5::read_attribute<std::int32_t>(file, "version");
  if (version < 1 || version > kVersion)
    throw InputError(fmt::format("attribute version: {} (must be 1 to {}{})", version, kVersion,
                                 version > kVersion ? "; a newer nodia wrote the file" : ""));
  ContactProblem p;
  p.theta = hdf5::read_attribute<double>(file, "theta");
  p.step_s = hdf5::read_attribute<double>(file, "step_s");

  auto pattern = std::make_shared<BlockPattern>();
  pattern->row_begin = read_table<std::int32_t>(file, "A/row_begin", 1);
  if (pattern->row_begin.empty()) throw InputError("dataset A/row_begin: empty");
  pattern->column = read_table<std::int32_t>(file, "A/column", 1);
  pattern->diagonal = find_diagonals(*pattern);
  p.A.pattern = std::move(pattern);
  p.A.value = read_table<double>(file, "A/value", 9);
  p.A.value.resize(p.A.value.size() + kBlockPadding);

  p.b = read_vectors(file, "b");
  p.mass = read_table<double>(file, "mass", 1);
  if (version > 3) p.position = read_vectors(file, "position");
  p.env_node_begin = read_table<std::int32_t>(file, "env_node_begin", 1);
  p.env_contact_begin = read_table<std::int32_t>(file, "env_contact_begin", 1);
  p.contacts = read_contacts(file);
  if (version > 1) read_points(file, &p);
  p.derive_topology(version == 2 ? read_groups(file) : std::vector<Body>{});
  if (version > 2) read_topology(file, &p);
  p.validate();

  WarmStart start{read_vectors(file, "warm/v"), read_vectors(file, "warm/lambda")};
  if ((!start.v.empty() && start.v.size() != p.b.size()) ||
      (!start.lambda.empty() && start.lambda.size() != p.contacts.size()))
    throw InputError("group warm: sizes differ from the problem's");
  if (warm) *warm = std::move(start);
  return p;
}

}  // namespace

void save_problem(const ContactProblem& problem, const std::string& path, const WarmStart& warm) {
  // The file is made in memory, so that a full disk fails in this code's write, not inside HDF5.
  hdf5::Handle file = hdf5::create_memory_file(path);
  write_problem(file, problem, warm);
  replace_file(path, sealed(hdf5::memory_file_image(file)));
}

ContactProblem load_problem(const std::string& path, WarmStart* warm) {
  require_intact(path);
  try {
    return read_problem(hdf5::open_file(path), warm);
  } catch (const InputError& error) {
    const std::string what = error.what();
    throw InputError(what.starts_with(path) ? what : fmt::format("{}: {}", path, what));
  }
}

}  // namespace nodia
