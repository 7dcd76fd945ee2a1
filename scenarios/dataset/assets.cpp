#include "scenarios/dataset/assets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>

#include "fem/robot/urdf.hpp"
#include "host/io/file.hpp"
#include "host/io/sha256.hpp"
#include "kernels/core/error.hpp"
#include "scenarios/format/file_keys.hpp"
#include "scenarios/task/policy.hpp"

namespace nodia {
namespace {

namespace fs = std::filesystem;

/// Files of the meshes for contact.
std::set<std::string> meshes_of(const RobotDescription& robot) {
  std::set<std::string> meshes;
  for (const RobotLink& link : robot.links)
    for (const LinkCollision& collision : link.collisions)
      if (!collision.mesh_path.empty()) meshes.insert(collision.mesh_path);
  return meshes;
}

/// The mesh that a URDF's file name stands for; empty for what is none of them, like a visual.
std::string mesh_of(std::string name, const std::string& folder,
                    const std::set<std::string>& meshes) {
  if (name.starts_with("file://")) name = name.substr(7);
  if (!name.starts_with("package://")) {
    const std::string path = (fs::path(folder) / name).string();
    return meshes.contains(path) ? path : "";
  }
  const std::string end = "/" + name.substr(10);
  for (const std::string& mesh : meshes)
    if (mesh.ends_with(end)) return mesh;
  return "";
}

bool is_urdf(const std::string& path) {
  return fs::path(path).extension() == ".urdf";
}

}  // namespace

Assets::Assets(ScenarioDocument* document) {
  FileKeys keys([&](std::string* file) { *file = named(*file); });
  visit_keys(keys, *document);
  for (DrawRule& rule : document->randomize)
    if (rule.choice)
      for (YamlNode& choice : *rule.choice) add_choice(&choice);
  if (!document->task) return;
  std::string& words = document->task->policy;
  const Policy policy = parse_policy(words);
  if (policy.kind == PolicyKind::script) return;
  words = fmt::format("{}/{}", kAssetFolder, add_file(policy.file));
  if (policy.kind == PolicyKind::python_class) words += ":" + policy.class_name;
}

/// In a choice files have absolute paths, and nothing else has one.
void Assets::add_choice(YamlNode* choice) {
  for (YamlNode& child : choice->children) add_choice(&child);
  std::error_code ignored;
  if (choice->kind != YamlKind::scalar || !choice->text.starts_with('/') ||
      !fs::is_regular_file(choice->text, ignored))
    return;
  choice->text = named(choice->text);
}

std::string Assets::named(const std::string& path) {
  return fmt::format("{}/{}", kAssetFolder, is_urdf(path) ? add_urdf(path) : add_file(path));
}

std::string Assets::add_bytes(std::string bytes, const std::string& extension) {
  std::string name = sha256_of(bytes) + extension;
  files_.emplace(name, std::move(bytes));
  return name;
}

std::string Assets::add_file(const std::string& path) {
  std::string& name = name_of_[path];
  if (name.empty()) name = add_bytes(bytes_of_file(path), fs::path(path).extension().string());
  return name;
}

/// The URDF with the names that its meshes have among the assets; visuals keep theirs, which nodia
/// does not read.
std::string Assets::add_urdf(const std::string& path) {
  std::string& name = name_of_[path];
  if (!name.empty()) return name;
  const std::string text = bytes_of_file(path), folder = fs::path(path).parent_path().string();
  const std::set<std::string> meshes = meshes_of(read_urdf(path));
  std::set<std::string> missing = meshes;
  static const std::regex attribute(R"((filename\s*=\s*)("[^"]*"|'[^']*'))");
  std::string changed;
  auto from = text.begin();
  for (std::sregex_iterator match(text.begin(), text.end(), attribute), end; match != end;
       ++match) {
    const std::string quoted = (*match)[2];
    const std::string mesh = mesh_of(quoted.substr(1, quoted.size() - 2), folder, meshes);
    if (mesh.empty()) continue;
    missing.erase(mesh);
    changed.append(from, (*match)[2].first);
    changed += '"' + add_file(mesh) + '"';
    from = (*match)[2].second;
  }
  changed.append(from, text.end());
  if (!missing.empty())
    throw InputError(
        fmt::format("{}: the mesh {} cannot be copied into a dataset (write its name "
                    "without XML entities)",
                    path, *missing.begin()));
  return name = add_bytes(std::move(changed), ".urdf");
}

}  // namespace nodia
