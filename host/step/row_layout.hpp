/// Layout of every environment's rows and blocks in the loop; built once per pattern.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/step/loop_arrays.hpp"

namespace nodia {

/// Input of an environment's layout in addition to its pattern.
struct RowMarks {
  std::vector<char> in_contact;  ///< per node: likely to be in a contact
  std::int32_t n_chunk = 0;      ///< chunks of rows and of contact nodes
};

/// Layout of the rows of all environments, one after another (kernels/vfpi/arrays/rows.hpp), with
/// room for contact nodes. Environments with the same topology and nodes in contact share lists.
class RowLayout {
 public:
  /// Returns whether the layout fits the problem's pattern, environments and points.
  bool fits(const ContactProblem& problem) const;
  /// Number of contact nodes for which these marks leave room.
  static std::int32_t room(const RowMarks& marks);
  /// Builds the layout: `ranges` with the ranges of the rows, and the lists.
  /// @param marks  per environment; if empty or missing, the problem's contacts mark the nodes
  void build(const ContactProblem& problem, const std::vector<RowMarks>& marks, LoopRanges* ranges,
             RowLists<HostMemory>* lists);
  /// Rebuilds the rows of some environments without moving others. Adds lists behind the existing
  /// ones, or rebuilds all lists if too many are unused.
  /// @param marks  per environment index, with as many chunks as the environment has
  /// @return       offset of the first written list
  RowOffsets renew(const ContactProblem& problem, const std::map<int, RowMarks>& marks,
                   LoopRanges* ranges, RowLists<HostMemory>* lists);
  RowMarks marks(int env) const;
  /// Marks of an environment by the contacts of a problem that the layout fits.
  RowMarks marks_of(const ContactProblem& problem, int env) const;

  /// Row of a node within its environment.
  std::int32_t local_row(std::int32_t node) const { return row_of_node_[node]; }
  /// Per row of A in whole chunks, its node within the environment; -1: padding.
  std::vector<std::int32_t> nodes(int env) const;
  /// Row of a contact's side within its environment.
  std::int32_t side_row(const ContactProblem& p, int env, std::int32_t side) const {
    if (!p.is_point(side)) return local_row(side);
    return rooms_[env].first_contact_node_row + side - p.n_node() - p.first_point(env);
  }

 private:
  struct ShapeLists;

  void mark(const ContactProblem& problem, int env, char* in_contact) const;
  void take_shape(const ContactProblem& problem, int env);
  RowOffsets make_lists(RowLists<HostMemory>* lists);
  void place(LoopRanges* ranges) const;
  void take_rows(int env);

  /// Shapes of the environments and some former shapes, in the order of their lists.
  std::vector<std::shared_ptr<ShapeLists>> shapes_;
  std::unordered_multimap<std::uint64_t, std::shared_ptr<ShapeLists>> known_;  ///< the same shapes
  std::vector<std::shared_ptr<ShapeLists>> shape_of_;                          ///< per environment
  RowOffsets end_;                                                             ///< end of the lists

  std::vector<RowCounts> rooms_;           ///< per environment
  std::vector<char> in_contact_;           ///< per node
  std::vector<std::int32_t> row_of_node_;  ///< per node
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<std::int32_t> env_node_begin_;
};

}  // namespace nodia
