/// The check node_distance: what it compares, its keys, its evaluator.
#pragma once

#include <optional>
#include <string>

#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/place.hpp"

namespace nodia {

/// How far the nodes of one set are from another at one time: of every node of the first the
/// distance to the nearest node of the second lies between two bounds [m]. It compares every pair
/// of nodes: two sets of a thousand take about a millisecond.
struct NodeDistance {
  static constexpr const char* kName = "node_distance";
  std::string body;
  std::string node_set;     ///< empty: all nodes
  std::string to_body;      ///< empty: the same
  std::string to_node_set;  ///< empty: all nodes, of another body
  Statistic of = Statistic::mean;
  std::optional<double>
      at_s;  ///< end of the first step at or behind it; absent: end of the run [s]
  std::optional<double> above_m;  ///< at least one of the two [m]
  std::optional<double> below_m;
};

template <class V>
void visit_keys(V& v, NodeDistance& c) {
  v.text({"body", "name of a soft body", "", true}, c.body);
  v.text({"node_set", "named nodes of its mesh; empty: all"}, c.node_set);
  v.text({"to_body", "name of a soft body; empty: the same"}, c.to_body);
  v.text({"to_node_set", "named nodes of its mesh; empty: all, of another body"}, c.to_node_set);
  visit_statistic(v, c, "over the nodes of the first set");
  visit_bounds_m(v, c);
}

/// Rules between its keys and the scene. @param path  of the check @throws ValueError
void validate(const NodeDistance& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const NodeDistance& check);

}  // namespace nodia
