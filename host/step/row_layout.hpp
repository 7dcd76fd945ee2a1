/// Where the loop keeps the rows and blocks of every environment: made once per pattern.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/step/loop_arrays.hpp"

namespace nodia {

/// What an environment's rows are laid out by, beside its pattern.
struct RowMarks {
  std::vector<char> in_contact;  ///< per node: likely to be in a contact
  std::int32_t n_chunk = 0;      ///< of rows and of virtual nodes
};

/// Rows of all environments one after another (kernels/vfpi/arrays/rows.hpp), with room for virtual
/// nodes. Environments that share a topology and have the same
/// nodes in contact share their lists.
class RowLayout {
 public:
  /// Whether the layout is that of the problem's pattern and environments, with room for its
  /// points.
  bool fits(const ContactProblem& problem) const;
  /// Rows of virtual nodes that there is room for in an environment of these marks.
  static std::int32_t room(const RowMarks& marks);
  /// Makes it: `ranges` anew with the rows' parts, and the lists.
  /// @param marks  per environment; empty ones, or none at all: those of the problem
  void build(const ContactProblem& problem, const std::vector<RowMarks>& marks, LoopRanges* ranges,
             RowLists<HostMemory>* lists);
  /// Rows of some environments anew, those of others where they are. Lists are added behind those
  /// that there are, or made anew where too many serve nobody.
  /// @param marks  by environment, with as many chunks as it has
  /// @return       where the lists begin that were written
  RowOffsets renew(const ContactProblem& problem, const std::map<int, RowMarks>& marks,
                   LoopRanges* ranges, RowLists<HostMemory>* lists);
  RowMarks marks(int env) const;
  /// What an environment's would be by the contacts of a problem that the layout fits.
  RowMarks marks_of(const ContactProblem& problem, int env) const;

  /// Row of a node, counted from its environment's first.
  std::int32_t local_row(std::int32_t node) const { return row_of_node_[node]; }
  /// Per row of A in whole chunks, counted from the environment's first: its node, counted
  /// likewise; -1: padding.
  std::vector<std::int32_t> nodes(int env) const;
  /// Row of a side of a contact, counted from its environment's first.
  std::int32_t side_row(const ContactProblem& p, int env, std::int32_t side) const {
    if (!p.is_point(side)) return local_row(side);
    return rooms_[env].first_virtual_row + side - p.n_node() - p.first_point(env);
  }

 private:
  struct ShapeLists;

  void mark(const ContactProblem& problem, int env, char* in_contact) const;
  void take_shape(const ContactProblem& problem, int env);
  RowOffsets make_lists(RowLists<HostMemory>* lists);
  void place(LoopRanges* ranges) const;
  void take_rows(int env);

  /// Those that environments have, and some that they had, in the order of their lists.
  std::vector<std::shared_ptr<ShapeLists>> shapes_;
  std::unordered_multimap<std::uint64_t, std::shared_ptr<ShapeLists>> known_;  ///< the same
  std::vector<std::shared_ptr<ShapeLists>> shape_of_;                          ///< per environment
  RowOffsets end_;                                                             ///< of the lists

  std::vector<RowCounts> rooms_;           ///< per environment
  std::vector<char> in_contact_;           ///< per node
  std::vector<std::int32_t> row_of_node_;  ///< per node
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<std::int32_t> env_node_begin_;
};

}  // namespace nodia
