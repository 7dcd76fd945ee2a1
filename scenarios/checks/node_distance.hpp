/// The check node_distance: what it compares, its keys, its evaluator.
#pragma once

#include <optional>
#include <string>

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/place.hpp"

namespace nodia {

/// Distance of a set of nodes from another set at one time: the mean or extreme distance of a node
/// of the first set to the nearest node of the second lies between two bounds. Value: distance [m].
/// Cost: all pairs of nodes, about 1 ms for two sets of 1000 nodes.
struct NodeDistance {
  static constexpr const char* kName = "node_distance";
  std::string body;
  std::string node_set;     ///< empty: all nodes
  std::string to_body;      ///< empty: same as body
  std::string to_node_set;  ///< empty: all nodes; to_body must be another body then
  Statistic of = Statistic::mean;
  std::optional<double> at_s;  ///< evaluated at the end of the first step that ends at or after it;
                               ///< absent: last step [s]
  std::optional<double> above_m;  ///< at least one of the two is set [m]
  std::optional<double> below_m;
};

inline void visit_keys(DocumentVisitor& v, NodeDistance& c) {
  v.text({"body", "name of a soft body", "", true}, c.body);
  v.text({"node_set", "named nodes of its mesh; empty: all"}, c.node_set);
  v.text({"to_body", "name of a soft body; empty: the same"}, c.to_body);
  v.text({"to_node_set", "named nodes of its mesh; empty: all, of another body"}, c.to_node_set);
  visit_statistic(v, c, "over the nodes of the first set");
  visit_bounds_m(v, c);
}

/// Checks the keys against each other and the scene. @param path  dotted path @throws ValueError
void validate(const NodeDistance& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const NodeDistance& check);

}  // namespace nodia
