/// Mesh files as texts: OBJ, STL, COLLADA, glTF.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "fem/mesh/triangle_mesh.hpp"

namespace nodia::test {

inline std::string obj_text(const TriangleMesh& mesh) {
  std::string text = "# nodia\no thing\n";
  for (const Vec3d& p : mesh.vertices) text += fmt::format("v {} {} {}\n", p.x, p.y, p.z);
  for (const auto& t : mesh.triangles)
    text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return text;
}

inline std::string ascii_stl_text(const TriangleMesh& mesh) {
  std::string text = "solid thing\n";
  for (const auto& t : mesh.triangles) {
    text += "  facet normal 0 0 0\n    outer loop\n";
    for (const std::int32_t i : t) {
      const Vec3d p = mesh.vertices[static_cast<std::size_t>(i)];
      text += fmt::format("      vertex {} {} {}\n", p.x, p.y, p.z);
    }
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid thing\n";
}

inline void append_floats(Vec3d p, std::string* bytes) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto c = static_cast<float>(p[axis]);
    bytes->append(reinterpret_cast<const char*>(&c), sizeof c);
  }
}

inline std::string binary_stl_bytes(const TriangleMesh& mesh,
                                    const std::string& header = "binary") {
  std::string bytes = header;
  bytes.resize(80, ' ');
  const auto n = static_cast<std::uint32_t>(mesh.triangles.size());
  bytes.append(reinterpret_cast<const char*>(&n), sizeof n);
  for (const auto& t : mesh.triangles) {
    bytes.append(12, '\0');
    for (const std::int32_t i : t)
      append_floats(mesh.vertices[static_cast<std::size_t>(i)], &bytes);
    bytes.append(2, '\0');
  }
  return bytes;
}

/// @param up      X_UP, Y_UP or Z_UP
/// @param matrix  of the node that has the mesh, rows one after the other
inline std::string collada_text(const TriangleMesh& mesh, const std::string& up, double unit_m,
                                const std::string& matrix = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1") {
  std::string positions, indices;
  for (const Vec3d p : mesh.vertices) positions += fmt::format("{} {} {} ", p.x, p.y, p.z);
  for (const auto& t : mesh.triangles) indices += fmt::format("{} {} {} ", t[0], t[1], t[2]);
  return fmt::format(
      R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="u" meter="{}"/><up_axis>{}</up_axis></asset>
<library_geometries><geometry id="g" name="g"><mesh>
<source id="p"><float_array id="a" count="{}">{}</float_array><technique_common>
<accessor source="#a" count="{}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
</technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="{}"><input semantic="VERTEX" source="#v" offset="0"/><p>{}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><matrix>{}</matrix><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
)",
      unit_m, up, 3 * mesh.vertices.size(), positions, mesh.vertices.size(), mesh.triangles.size(),
      indices, matrix);
}

/// A binary glTF 2.0 file with one node that is turned a quarter about x, from z up to y up, as
/// exporters write it.
inline std::string glb_bytes(const TriangleMesh& mesh) {
  std::string data;
  for (const Vec3d p : mesh.vertices) append_floats({p.x, p.z, -p.y}, &data);
  const std::size_t n_position_byte = data.size();
  for (const auto& t : mesh.triangles)
    for (const std::int32_t i : t) data.append(reinterpret_cast<const char*>(&i), sizeof i);
  std::string json = fmt::format(
      R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],)"
      R"("meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],)"
      R"("buffers":[{{"byteLength":{}}}],)"
      R"("bufferViews":[{{"buffer":0,"byteLength":{}}},{{"buffer":0,"byteOffset":{},"byteLength":{}}}],)"
      R"("accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3"}},)"
      R"({{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}}]}})",
      data.size(), n_position_byte, n_position_byte, data.size() - n_position_byte,
      mesh.vertices.size(), 3 * mesh.triangles.size());
  json.resize((json.size() + 3) / 4 * 4, ' ');
  data.resize((data.size() + 3) / 4 * 4, '\0');
  std::string bytes = "glTF";
  const auto append_word = [&](std::size_t value) {
    const auto word = static_cast<std::uint32_t>(value);
    bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
  };
  append_word(2);
  append_word(12 + 8 + json.size() + 8 + data.size());
  append_word(json.size());
  bytes += "JSON" + json;
  append_word(data.size());
  bytes += std::string("BIN\0", 4) + data;
  return bytes;
}

}  // namespace nodia::test
