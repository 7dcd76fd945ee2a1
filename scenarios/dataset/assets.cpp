#include "scenarios/dataset/assets.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <regex>

#include "fem/robot/rename_meshes.hpp"
#include "host/io/file.hpp"
#include "host/io/sha256.hpp"
#include "kernels/core/error.hpp"
#include "scenarios/format/file_keys.hpp"
#include "scenarios/task/policy.hpp"

namespace nodia {
namespace {

namespace fs = std::filesystem;

bool is_urdf(const std::string& path) {
  return fs::path(path).extension() == ".urdf";
}

}  // namespace

Assets::Assets(ScenarioDocument* document) {
  packages_ = std::move(document->packages);
  document->packages.clear();
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

/// The document has absolute paths for files in a choice; no other value of a choice begins with
/// '/'.
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
  if (!name.empty()) return name;
  std::string bytes = bytes_of_file(path);
  const std::string extension = fs::path(path).extension().string();
  static const std::regex external(R"("uri"\s*:\s*"(?!data:))");
  if (extension == ".gltf" && std::regex_search(bytes, external))
    throw InputError(fmt::format(
        "{}: names other files, which a dataset does not copy (convert the mesh to .glb)", path));
  return name = add_bytes(std::move(bytes), extension);
}

std::string Assets::add_urdf(const std::string& path) {
  std::string& name = name_of_[path];
  if (name.empty())
    name = add_bytes(urdf_with_renamed_meshes(
                         path, packages_, [&](const std::string& mesh) { return add_file(mesh); }),
                     ".urdf");
  return name;
}

}  // namespace nodia
