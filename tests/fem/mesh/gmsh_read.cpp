/// Small files of every version written by hand, and the errors of broken ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <locale>

#include "fem/mesh/gmsh.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A tetrahedron, a named surface of one triangle and a named point; a quadratic triangle and a
/// quadrilateral to pass over.
const std::string kText22 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
0 7 "grip"
2 3 "skin of it"
3 1 "body"
$EndPhysicalNames
$Nodes
6
100 0 0 0
7 1 0 0
9000000 0 1.5e0 0
12 0 0 +2
13 5 5 5
14 6 5 5
$EndNodes
$Elements
6
1 15 2 7 1 12
2 2 2 3 1 100 7 9000000
3 4 2 1 1 100 7 9000000 12
4 9 2 0 2 13 14 100 7 12 9000000
5 3 2 0 2 13 14 100 7
6 1 0 13 14
$EndElements
)";

const std::string kText41 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
0 7 "grip"
2 3 "skin of it"
3 1 "body"
$EndPhysicalNames
$Entities
1 0 1 1
1 0 0 2 1 7
5 0 0 0 1 1.5 0 1 -3 0
5 0 0 0 1 1.5 2 1 1 1 5
$EndEntities
$Periodic
0
$EndPeriodic
$Nodes
3 6 7 9000000
2 5 1 3
100
7
9000000
0 0 0 0.1 0.2
1 0 0 0.3 0.4
0 1.5e0 0 0.5 0.6
3 5 0 1
12
0 0 +2
3 6 0 2
13
14
5 5 5
6 5 5
$EndNodes
$Elements
4 4 1 4
0 1 15 1
1 12
2 5 2 1
2 100 7 9000000
3 5 4 1
3 100 7 9000000 12
3 6 1 1
6 13 14
$EndElements
$NodeData
$Nodes
$EndNodeData
)";

/// Builds binary files value by value.
class Bytes {
 public:
  Bytes& text(std::string_view s) {
    data_ += s;
    return *this;
  }
  Bytes& integers(std::initializer_list<std::int32_t> values) {
    for (const auto v : values) add(v);
    return *this;
  }
  Bytes& sizes(std::initializer_list<std::uint64_t> values) {
    for (const auto v : values) add(v);
    return *this;
  }
  Bytes& reals(std::initializer_list<double> values) {
    for (const auto v : values) add(v);
    return *this;
  }
  const std::string& data() const { return data_; }

 private:
  template <class T>
  void add(T v) {
    data_.append(reinterpret_cast<const char*>(&v), sizeof(T));
  }
  std::string data_;
};

constexpr std::string_view kNames = R"($PhysicalNames
3
0 7 "grip"
2 3 "skin of it"
3 1 "body"
$EndPhysicalNames
)";

std::string binary_22() {
  Bytes b;
  b.text("$MeshFormat\n2.2 1 8\n").integers({1}).text("\n$EndMeshFormat\n").text(kNames);
  b.text("$Nodes\n6\n");
  b.integers({100}).reals({0, 0, 0}).integers({7}).reals({1, 0, 0});
  b.integers({9000000}).reals({0, 1.5, 0}).integers({12}).reals({0, 0, 2});
  b.integers({13}).reals({5, 5, 5}).integers({14}).reals({6, 5, 5});
  b.text("\n$EndNodes\n$Elements\n6\n");
  b.integers({15, 1, 2, /**/ 1, 7, 1, 12});
  b.integers({2, 1, 2, /**/ 2, 3, 1, 100, 7, 9000000});
  b.integers({1, 2, 0, /**/ 6, 13, 14, /**/ 7, 14, 13});
  b.integers({4, 1, 2, /**/ 3, 1, 1, 100, 7, 9000000, 12});
  b.integers({9, 1, 3, /**/ 4, 0, 2, 0, 13, 14, 100, 7, 12, 9000000});
  return b.text("\n$EndElements\n").data();
}

std::string binary_41() {
  Bytes b;
  b.text("$MeshFormat\n4.1 1 8\n").integers({1}).text("\n$EndMeshFormat\n").text(kNames);
  b.text("$Entities\n").sizes({1, 0, 1, 1});
  b.integers({1}).reals({0, 0, 2}).sizes({1}).integers({7});
  b.integers({5}).reals({0, 0, 0, 1, 1.5, 0}).sizes({1}).integers({-3}).sizes({0});
  b.integers({5}).reals({0, 0, 0, 1, 1.5, 2}).sizes({1}).integers({1}).sizes({1}).integers({5});
  b.text("\n$EndEntities\n$Nodes\n").sizes({3, 6, 7, 9000000});
  b.integers({2, 5, 1}).sizes({3, 100, 7, 9000000});
  b.reals({0, 0, 0, 0.1, 0.2, 1, 0, 0, 0.3, 0.4, 0, 1.5, 0, 0.5, 0.6});
  b.integers({3, 5, 0}).sizes({1, 12}).reals({0, 0, 2});
  b.integers({3, 6, 0}).sizes({2, 13, 14}).reals({5, 5, 5, 6, 5, 5});
  b.text("\n$EndNodes\n$Elements\n").sizes({4, 4, 1, 4});
  b.integers({0, 1, 15}).sizes({1, /**/ 1, 12});
  b.integers({2, 5, 2}).sizes({1, /**/ 2, 100, 7, 9000000});
  b.integers({3, 5, 4}).sizes({1, /**/ 3, 100, 7, 9000000, 12});
  b.integers({3, 6, 1}).sizes({1, /**/ 6, 13, 14});
  return b.text("\n$EndElements\n").data();
}

void expect_the_mesh(const TetMesh& mesh) {
  ASSERT_EQ(mesh.nodes.size(), 6u);
  EXPECT_EQ(mesh.nodes[1].x, 1);
  EXPECT_EQ(mesh.nodes[2].y, 1.5);
  EXPECT_EQ(mesh.nodes[3].z, 2);
  EXPECT_EQ(mesh.nodes[5].x, 6);
  EXPECT_THAT(mesh.tets, ElementsAre(std::array<std::int32_t, 4>{0, 1, 2, 3}));
  ASSERT_EQ(mesh.node_sets.size(), 3u);
  EXPECT_THAT(mesh.node_sets.at("grip"), ElementsAre(3));
  EXPECT_THAT(mesh.node_sets.at("skin of it"), ElementsAre(0, 1, 2));
  EXPECT_THAT(mesh.node_sets.at("body"), ElementsAre(0, 1, 2, 3));
}

std::string error_of(const std::string& bytes) {
  try {
    parse_gmsh(bytes, "a.msh");
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(GmshRead, HandWrittenFilesOfEveryVersion) {
  for (const std::string& bytes : {kText22, kText41, binary_22(), binary_41()}) {
    SCOPED_TRACE(bytes.substr(12, 8));
    expect_the_mesh(parse_gmsh(bytes, "a.msh"));
  }
}

/// A tetrahedron of second order with a bent edge where `bend` is not 0; a named group on one edge.
std::string second_order(double bend) {
  return R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 5 "edge"
3 1 "body"
$EndPhysicalNames
$Nodes
10
1 0 0 0
2 2 0 0
3 0 2 0
4 0 0 2
5 1 0 )" +
         std::to_string(bend) + R"(
6 1 1 0
7 0 1 0
8 0 0 1
9 0 1 1
10 1 0 1
$EndNodes
$Elements
2
1 8 2 5 1 1 2 5
2 11 2 1 1 1 2 3 4 5 6 7 8 9 10
$EndElements
)";
}

TEST(GmshRead, SecondOrderTetrahedraAreTheirCorners) {
  std::string notice;
  const TetMesh mesh = parse_gmsh(second_order(0), "a.msh", &notice);
  ASSERT_EQ(mesh.nodes.size(), 4u);
  EXPECT_EQ(mesh.nodes[3].z, 2);
  EXPECT_THAT(mesh.tets, ElementsAre(std::array<std::int32_t, 4>{0, 1, 2, 3}));
  EXPECT_THAT(mesh.node_sets.at("edge"), ElementsAre(0, 1));
  EXPECT_THAT(mesh.node_sets.at("body"), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(notice,
            "a.msh: 1 second-order (10-node) tetrahedra are taken as first-order ones, without "
            "their 6 nodes in the middles of edges");
  EXPECT_EQ(parse_gmsh(second_order(0.01), "a.msh", &notice).nodes.size(), 4u);
  EXPECT_THAT(notice, HasSubstr("edges; 1 of them have curved edges, which became straight"));
  parse_gmsh(kText22, "a.msh", &notice);
  EXPECT_EQ(notice, "");
}

TEST(GmshRead, OtherVolumesAreRefusedWithTheCommand) {
  for (const auto& [element, name] :
       {std::pair("5 5 2 0 2 13 14 100 7 12 9000000 13 14", "1 hexahedra (must be tetrahedra"),
        std::pair("5 6 2 0 2 13 14 100 7 12 9000000", "1 prisms (must be tetrahedra"),
        std::pair("5 7 2 0 2 13 14 100 7 12", "1 pyramids (must be tetrahedra")})
    EXPECT_THAT(error_of(replaced(kText22, "5 3 2 0 2 13 14 100 7", element)), HasSubstr(name));
}

TEST(GmshRead, WindowsLineEndsAndComments) {
  for (const std::string& unix_text : {kText22, kText41}) {
    std::string text = "$Comments\nfrom a mesher\n$EndComments\n" + unix_text;
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
      text.insert(at, 1, '\r');
    }
    expect_the_mesh(parse_gmsh(text, "a.msh"));
  }
}

TEST(GmshRead, NumbersDoNotDependOnTheLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  expect_the_mesh(parse_gmsh(kText22, "a.msh"));
  std::setlocale(LC_ALL, "C");
  std::locale::global(before);
}

TEST(GmshRead, ElementsRepeatedForEachPhysicalGroupAreTakenOnce) {
  std::string text = replaced(kText22, "3 4 2 1 1 100 7 9000000 12",
                              "3 4 2 1 1 100 7 9000000 12\n33 4 2 4 1 100 7 9000000 12");
  text = replaced(text, "$Elements\n6", "$Elements\n7");
  EXPECT_EQ(parse_gmsh(text, "a.msh").tets.size(), 1u);
  // In one group, or on two entities, it is a defect of the mesh and must reach check_mesh.
  EXPECT_EQ(parse_gmsh(replaced(text, "33 4 2 4 1", "33 4 2 1 1"), "a.msh").tets.size(), 2u);
  EXPECT_EQ(parse_gmsh(replaced(text, "33 4 2 4 1", "33 4 2 4 2"), "a.msh").tets.size(), 2u);
}

TEST(GmshRead, NamedGroupsWithoutElementsAreEmptySets) {
  const TetMesh mesh = parse_gmsh(replaced(kText22, "0 7 \"grip\"", "1 7 \"grip\""), "a.msh");
  EXPECT_THAT(mesh.node_sets.at("grip"), IsEmpty());
}

TEST(GmshRead, GroupsOfOneNameAreOneSet) {
  const TetMesh mesh = parse_gmsh(replaced(kText41, "skin of it", "grip"), "a.msh");
  EXPECT_THAT(mesh.node_sets.at("grip"), ElementsAre(0, 1, 2, 3));
}

TEST(GmshRead, ErrorsNameFileLineAndRule) {
  EXPECT_EQ(error_of(replaced(kText22, "9000000 0 1.5e0", "9000000 0 1.5e0x")),
            "a.msh: line 14: coordinate = 1.5e0x (must be a finite number)");
  EXPECT_EQ(error_of(replaced(kText22, "9000000 0 1.5e0", "9000000 0 1e400")),
            "a.msh: line 14: coordinate = 1e400 (must be a finite number)");
  EXPECT_EQ(error_of(replaced(kText22, "2.2 0 8", "2 0 8")),
            "a.msh: line 2: version = 2 (must be 2.2 or 4.1; Gmsh saves it with "
            "Mesh.MshFileVersion = 4.1)");
  EXPECT_EQ(error_of(replaced(kText41, "3 100 7 9000000 12", "3 100 7 9000000 11")),
            "a.msh: line 44: node tag = 11 (must be a tag from the section $Nodes)");
  EXPECT_EQ(error_of(replaced(kText22, "7 1 0 0", "100 1 0 0")),
            "a.msh: line 17: node tag 100 is there twice");
  EXPECT_EQ(error_of(replaced(kText22, "$EndNodes", "$EndNode")),
            "a.msh: line 18: expected $EndNodes, found $EndNode");
  EXPECT_EQ(error_of(replaced(kText22, "4 9 2 0", "4 35 2 0")),
            "a.msh: line 24: element type = 35 (must be a type with a fixed number of nodes)");
  EXPECT_EQ(error_of(replaced(kText22, "4 9 2 0", "4 999 2 0")),
            "a.msh: line 24: element type = 999 (must be an integer in [1, 137])");
  EXPECT_EQ(error_of(replaced(kText22, "7 \"grip\"", "7 grip")),
            "a.msh: line 6: name =  grip (must be text in double quotes)");
  EXPECT_THAT(error_of(replaced(kText41, "3 6 7 9000000", "3 7 7 9000000")),
              HasSubstr("number of nodes = 7 (must be the sum over the blocks, 6)"));
  EXPECT_THAT(error_of(replaced(kText41, "4 4 1 4", "4 5 1 4")),
              HasSubstr("number of elements = 5 (must be the sum over the blocks, 4)"));
  EXPECT_THAT(error_of(replaced(kText41, "$Periodic\n0\n$EndPeriodic", "$PartitionedEntities")),
              HasSubstr("the mesh is partitioned"));
}

TEST(GmshRead, BinaryErrorsNameTheByte) {
  const std::string good = binary_22();
  const std::size_t mark = good.find("8\n") + 2;
  std::string big_endian = good;
  big_endian.replace(mark, 4, std::string("\0\0\0\1", 4));
  EXPECT_EQ(error_of(big_endian),
            "a.msh: byte 20: the file is big endian (must be little endian or ASCII)");
  std::string garbled = good;
  garbled.replace(mark, 4, "abcd");
  EXPECT_THAT(error_of(garbled), HasSubstr("a.msh: byte 20: byte order mark = "));
}

TEST(GmshRead, SectionsOutOfOrderMissingOrTwice) {
  const std::string head = kText22.substr(0, kText22.find("$Nodes"));
  const std::size_t elements = kText22.find("$Elements");
  const std::string nodes_section = kText22.substr(head.size(), elements - head.size());
  const std::string elements_section = kText22.substr(elements);
  EXPECT_THAT(error_of(head), HasSubstr("section $Nodes is missing"));
  EXPECT_THAT(error_of(head + nodes_section), HasSubstr("section $Elements is missing"));
  EXPECT_THAT(error_of(head + elements_section + nodes_section),
              HasSubstr("$Elements comes before $Nodes"));
  EXPECT_THAT(error_of(head + nodes_section + nodes_section), HasSubstr("$Nodes is there twice"));
  EXPECT_THAT(error_of(kText22 + "stray words"), HasSubstr("expected a section"));
  EXPECT_THAT(error_of(kText22 + "$NodeData\n1"), HasSubstr("$EndNodeData is missing"));
}

TEST(GmshRead, CountsBeyondTheFileAreRefusedBeforeAllocation) {
  for (const std::string count :
       {"-1", "2147483647", "2147483648", "18446744073709551615", "7e3", "x"}) {
    EXPECT_THAT(error_of(replaced(kText22, "$Nodes\n6\n", "$Nodes\n" + count + "\n")),
                HasSubstr("a.msh: line 1"));
    EXPECT_THAT(error_of(replaced(kText22, "$Elements\n6\n", "$Elements\n" + count + "\n")),
                HasSubstr("a.msh: line "));
    EXPECT_THAT(error_of(replaced(kText22, "Names\n3\n", "Names\n" + count + "\n")),
                HasSubstr("a.msh: line "));
    EXPECT_THAT(error_of(replaced(kText22, "3 4 2 1 1", "3 4 " + count + " 1 1")),
                HasSubstr("a.msh: line "));
    EXPECT_THAT(error_of(replaced(kText41, "3 6 7 9000000", "3 " + count + " 7 9000000")),
                HasSubstr("a.msh: line "));
    EXPECT_THAT(error_of(replaced(kText41, "3 6 7 9000000", count + " 6 7 9000000")),
                HasSubstr("a.msh: line "));
    EXPECT_THAT(error_of(replaced(kText41, "2 5 2 1\n", "2 5 2 " + count + "\n")),
                HasSubstr("a.msh: line "));
    EXPECT_THAT(error_of(replaced(kText41, "1 0 1 1\n", "1 0 1 " + count + "\n")),
                HasSubstr("a.msh: line "));
  }
  const auto with = [](const std::string& good, const std::string& behind, std::size_t offset,
                       auto value) {
    std::string bytes = good;
    std::memcpy(bytes.data() + bytes.find(behind) + behind.size() + offset, &value, sizeof(value));
    return bytes;
  };
  for (const std::int32_t count : {-1, 0, 0x7fffffff}) {
    EXPECT_THAT(error_of(with(binary_22(), "$Elements\n6\n", 4, count)), HasSubstr("a.msh: byte "));
  }
  for (const std::uint64_t count :
       {~std::uint64_t{0}, std::uint64_t{1} << 31, std::uint64_t{1} << 62}) {
    for (const std::size_t offset : {0, 8}) {
      EXPECT_THAT(error_of(with(binary_41(), "$Nodes\n", offset, count)),
                  HasSubstr("a.msh: byte "));
      EXPECT_THAT(error_of(with(binary_41(), "$Elements\n", offset, count)),
                  HasSubstr("a.msh: byte "));
      EXPECT_THAT(error_of(with(binary_41(), "$Entities\n", offset, count)),
                  HasSubstr("a.msh: byte "));
    }
  }
}

/// n groups that each hold n nodes must not take n^2 memory.
TEST(GmshRead, GroupsThatOverlapTooOftenAreRefused) {
  const int n = 3000;
  std::string names, tags, nodes, points;
  for (int k = 1; k <= n; ++k) {
    const std::string number = std::to_string(k);
    names += "0 " + number + " \"" + number + "\"\n";
    tags.append(1, ' ').append(number);
    nodes += number + "\n";
    points += number + " " + number + "\n";
  }
  std::string coordinates;
  for (int k = 0; k < n; ++k) coordinates += "0 0 0\n";
  const std::string count = std::to_string(n);
  EXPECT_THAT(error_of("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n" + count + "\n" +
                       names + "$EndPhysicalNames\n$Entities\n1 0 0 0\n1 0 0 0 " + count + tags +
                       "\n$EndEntities\n$Nodes\n1 " + count + " 1 " + count + "\n0 1 0 " + count +
                       "\n" + nodes + coordinates + "$EndNodes\n$Elements\n1 " + count + " 1 " +
                       count + "\n0 1 15 " + count + "\n" + points + "$EndElements\n"),
              HasSubstr("overlap so often"));
}

TEST(GmshRead, WhatIsNoMeshFile) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "nodia_gmsh_read";
  fs::create_directories(folder);
  const auto error_of_file = [](const fs::path& path) {
    try {
      read_gmsh(path.string());
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(error_of_file(folder / "missing.msh"), HasSubstr("missing.msh: no such file"));
  EXPECT_THAT(error_of_file(folder), HasSubstr("is a folder"));
  EXPECT_THAT(error_of_file("/dev/zero"), HasSubstr("is not a regular file"));
  EXPECT_THAT(error_of_file(""), HasSubstr("no such file"));
  std::ofstream(folder / "empty.msh").flush();
  EXPECT_THAT(error_of_file(folder / "empty.msh"), HasSubstr("is empty"));
  EXPECT_THAT(error_of(" \n\t\r\n"), HasSubstr("is empty"));
  EXPECT_THAT(error_of("solid cube\n"), HasSubstr("a.msh: line 1: not a Gmsh .msh file"));
  EXPECT_THAT(error_of(std::string("\x7f"
                                   "ELF\0\1\2\3",
                                   8)),
              HasSubstr("not a Gmsh .msh file"));
  std::ofstream(folder / "good.msh") << kText22;
  expect_the_mesh(read_gmsh((folder / "good.msh").string()));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace nodia
