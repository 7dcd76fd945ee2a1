#include "fem/robot/rename_meshes.hpp"

#include <filesystem>
#include <sstream>

#include "fem/robot/mesh_files.hpp"
#include "fem/robot/urdf.hpp"
#include "fem/robot/urdf_element.hpp"

namespace nodia {

std::string urdf_with_renamed_meshes(const std::string& path,
                                     const std::map<std::string, std::string>& packages,
                                     const std::function<std::string(const std::string&)>& rename) {
  const UrdfDocument document(text_of_urdf(path), path);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const pugi::xml_node link : document.robot().children("link")) {
    const UrdfElement element(document, link,
                              std::string("link '") + link.attribute("name").value() + "'");
    for (const UrdfElement& collision : element.children("collision", element.owner())) {
      const UrdfElement mesh = collision.child("geometry").child("mesh");
      if (!mesh) continue;
      const std::string filename = mesh.text("filename");
      const MeshFile file = find_mesh_file(filename, folder, packages);
      if (file.path.empty()) mesh.fail("mesh filename", "'" + filename + "'", file.rule, file.hint);
      mesh.node().attribute("filename").set_value(rename(file.path).c_str());
    }
  }
  std::ostringstream text;
  document.robot().root().print(text, "", pugi::format_raw);
  return text.str();
}

}  // namespace nodia
