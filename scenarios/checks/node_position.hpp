/// The check node_position: what it compares, its keys, its evaluator.
#pragma once

#include <optional>
#include <string>

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/place.hpp"

namespace nodia {

/// The mean or an extreme of a coordinate of a set of nodes lies between two bounds at one time.
/// Value: the coordinate [m].
struct NodePosition {
  static constexpr const char* kName = "node_position";
  std::string body;
  std::string node_set;  ///< empty: all nodes
  Axis axis = Axis::z;
  Statistic of = Statistic::mean;
  std::optional<double> at_s;  ///< evaluated at the end of the first step that ends at or after it;
                               ///< absent: last step [s]
  std::optional<double> above_m;  ///< at least one of the two is set [m]
  std::optional<double> below_m;
};

inline void visit_keys(DocumentVisitor& v, NodePosition& c) {
  v.text({"body", "name of a soft body", "", true}, c.body);
  v.text({"node_set", "named nodes of its mesh; empty: all"}, c.node_set);
  visit_place(v, c, "over the nodes");
}

/// Checks the keys against each other and the scene. @param path  dotted path @throws ValueError
void validate(const NodePosition& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const NodePosition& check);

}  // namespace nodia
