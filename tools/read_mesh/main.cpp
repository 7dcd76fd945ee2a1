/// The program nodia-read-mesh FILE as_written|z_up writes the triangles of a mesh file to standard
/// output, for fem/mesh/read_triangle_mesh.cpp. Assimp reads the file. The process limits its
/// memory and its time.
///
/// Output: the numbers of vertices and triangles (int64), then three double per vertex [m], then
/// three int32 per triangle. If the file cannot be read, the exit code is 2 and the output is the
/// reason.
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <sys/resource.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>
#include <string_view>

#include "tools/read_mesh/scene_triangles.hpp"

namespace nodia {
namespace {

constexpr rlim_t kMemory = rlim_t{4} << 30;  ///< [bytes]
constexpr rlim_t kCpuTime_s = 60;

void limit(int resource, rlim_t value) {
  const rlimit both{value, value};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

void limit_resources() {
#if !defined(__SANITIZE_ADDRESS__)  // the address sanitizer reserves more than any limit
  limit(RLIMIT_AS, kMemory);
#endif
  limit(RLIMIT_CPU, kCpuTime_s);
  limit(RLIMIT_CORE, 0);
}

std::string lower_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return extension;
}

/// Text of an OBJ file without comments: Assimp rejects a face with a comment on the same line.
std::string text_without_comments(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text, line;
  while (std::getline(file, line)) text += line.substr(0, line.find('#')) + "\n";
  return text;
}

/// Rotates y up to z up.
void turn_up(SceneTriangles* mesh) {
  for (auto& p : mesh->vertices) p = {p[0], -p[2], p[1]};
}

/// Reads a mesh file.
/// @param is_z_up  rotate the up axis of a COLLADA file to z; otherwise keep its coordinates
SceneTriangles read(const std::string& path, bool is_z_up) {
  Assimp::Importer importer;
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, !is_z_up);
  const std::string extension = lower_extension(path);
  const aiScene* scene = nullptr;
  if (extension == ".obj") {
    const std::string text = text_without_comments(path);
    scene = importer.ReadFileFromMemory(text.data(), text.size(), aiProcess_Triangulate, "obj");
  } else {
    scene = importer.ReadFile(path, aiProcess_Triangulate);
  }
  if (!scene) throw std::runtime_error(importer.GetErrorString());
  SceneTriangles mesh = scene_triangles(*scene);
  const bool is_gltf = extension == ".gltf" || extension == ".glb";  // y up (glTF 2.0, section 3.4)
  const bool was_turned_to_y = is_z_up && extension == ".dae";       // Assimp rotates it to y up
  if (is_gltf || was_turned_to_y) turn_up(&mesh);
  return mesh;
}

template <class T>
void write(const T* items, std::size_t n) {
  if (n == 0)
    return;  // the data pointer of an empty vector may be null, which fwrite does not allow
  if (std::fwrite(items, sizeof(T), n, stdout) != n) throw std::runtime_error("no output");
}

void write(const SceneTriangles& mesh) {
  const std::int64_t sizes[] = {static_cast<std::int64_t>(mesh.vertices.size()),
                                static_cast<std::int64_t>(mesh.triangles.size())};
  write(sizes, 2);
  write(mesh.vertices.data(), mesh.vertices.size());
  write(mesh.triangles.data(), mesh.triangles.size());
}

int run(int n_argument, char** arguments) {
  if (n_argument != 3 || (std::string_view(arguments[2]) != "as_written" &&
                          std::string_view(arguments[2]) != "z_up")) {
    std::fputs("usage: nodia-read-mesh FILE as_written|z_up\n", stdout);
    return 2;
  }
  limit_resources();
  try {
    write(read(arguments[1], std::string_view(arguments[2]) == "z_up"));
    return std::fflush(stdout) == 0 ? 0 : 2;
  } catch (const std::bad_alloc&) {
    std::printf("reading it needs more than %d GiB of memory", static_cast<int>(kMemory >> 30));
  } catch (const std::exception& error) {
    std::fputs(error.what(), stdout);
  }
  return 2;
}

}  // namespace
}  // namespace nodia

int main(int n_argument, char** arguments) {
  return nodia::run(n_argument, arguments);
}
