/// An element of a URDF file, with errors that name the file, the line, the link or joint, and the
/// attribute.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "kernels/core/pose.hpp"

namespace nodia {

/// The text of a URDF file as an XML document.
class UrdfDocument {
 public:
  /// @param name  of the file in messages
  /// @throws InputError unless the text is an XML document with a root element <robot>
  UrdfDocument(const std::string& text, std::string name);

  const std::string& name() const { return name_; }
  pugi::xml_node robot() const { return document_.child("robot"); }
  /// "FILE:LINE" of an element.
  std::string place_of(pugi::xml_node node) const;

 private:
  pugi::xml_document document_;
  std::string name_;
  std::vector<std::size_t> line_ends_;  ///< offsets of the line breaks
};

class UrdfElement {
 public:
  /// @param owner  link or joint that the element describes, for messages: "link 'arm'"
  UrdfElement(const UrdfDocument& document, pugi::xml_node node, std::string owner)
      : document_(&document), node_(node), owner_(std::move(owner)) {}

  pugi::xml_node node() const { return node_; }
  std::string tag() const { return node_.name(); }
  const std::string& owner() const { return owner_; }
  /// False for an element that the file lacks.
  explicit operator bool() const { return static_cast<bool>(node_); }

  /// The first child with this tag. False if there is none.
  UrdfElement child(const char* tag) const { return {*document_, node_.child(tag), owner_}; }
  /// @throws InputError if the child is missing
  UrdfElement required_child(const char* tag, const std::string& hint) const;
  std::vector<UrdfElement> children(const char* tag, const std::string& owner) const;
  /// The first child element of any tag.
  UrdfElement first_child() const;

  bool has(const char* attribute) const { return static_cast<bool>(node_.attribute(attribute)); }
  /// Text of an attribute. Empty if it is missing.
  std::string text(const char* attribute) const { return node_.attribute(attribute).value(); }
  /// @throws InputError if the attribute is missing or empty
  std::string required_text(const char* attribute, const std::string& hint) const;
  /// @throws InputError unless the attribute is missing or a finite number
  double number(const char* attribute, double if_missing) const;
  /// @throws InputError unless the attribute is a finite number
  double required_number(const char* attribute, const std::string& hint) const;
  /// @throws InputError unless the attribute is missing or three finite numbers
  Vec3d vector(const char* attribute, Vec3d if_missing) const;
  /// @throws InputError unless the attribute is three finite numbers
  Vec3d required_vector(const char* attribute, const std::string& hint) const;
  /// Pose of the child <origin xyz rpy>: rotation by roll, pitch and yaw [rad] about the fixed axes
  /// x, y and z. The identity if there is no such child.
  Pose origin() const;

  /// Throws InputError `FILE:LINE: OWNER: KEY = VALUE (must be RULE; HINT)`.
  [[noreturn]] void fail(const std::string& key, const std::string& value, const std::string& rule,
                         const std::string& hint) const;

 private:
  double number_of(const char* attribute, std::string_view word) const;

  const UrdfDocument* document_;
  pugi::xml_node node_;
  std::string owner_;
};

}  // namespace nodia
