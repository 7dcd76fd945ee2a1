/// Coordinates in which a node with a contact to another body has its own row of that contact.
///
/// A contact between a row i (a node, a link's origin) and another side of velocity sum_e X_e v_e
/// makes i a slave of that side:
///
///   v_i = y_i + sum_e X_e y_e,   v = T y
///
/// Its contact velocity then depends only on y_i. T is unit triangular; masters are never slaves.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "kernels/newton/contact_part.hpp"

namespace nodia {

/// Dependence of a contact on y.
enum class ContactClass : std::uint8_t {
  single,   ///< on one row without another contact: solved exactly if W is one number there
  coupled,  ///< on several smoothed rows, or on rows that it shares
  rigid,    ///< between rigid bodies, robots and the world: has a multiplier
};

class RelativeCoordinates {
 public:
  /// Chooses slaves by descending `weight`, then by index, like rounds of local maxima. A row
  /// becomes a slave if it is neither slave nor master, has no contact of positive weight with the
  /// world, and none of its masters is a slave.
  /// @param problem  has one environment
  /// @param weight   [n_contact] last normal force; empty: zero
  RelativeCoordinates(const ContactProblem& problem, const std::vector<double>& weight);

  bool has_slaves() const { return n_slave_ > 0; }
  int n_slave() const { return n_slave_; }
  bool is_slave(int row) const { return begin_[row] != begin_[row + 1]; }

  /// v = T y, in place.
  void to_velocity(std::vector<Vec3d>* y) const;
  /// y = T^-1 v, in place.
  void to_relative(std::vector<Vec3d>* v) const;
  /// T^T f, in place: converts forces on v to forces on y.
  void gather(std::vector<Vec3d>* f) const;
  /// T^-T f, in place: converts forces on y to forces on v.
  void scatter(std::vector<Vec3d>* f) const;
  /// Calls part(e, X): v_row = y_row + sum X y_e.
  template <class F>
  void for_masters(int row, const F& part) const {
    for (std::int32_t k = begin_[row]; k < begin_[row + 1]; ++k) part(master_[k].row, master_[k].J);
  }

  /// Parts of contact m, rows ascending, without zeros.
  const ContactPart* begin(int m) const { return parts_.data() + part_begin_[m]; }
  const ContactPart* end(int m) const { return parts_.data() + part_begin_[m + 1]; }
  /// [n_contact + 1] offset of each contact's parts from begin(0).
  const std::int32_t* part_begin() const { return part_begin_.data(); }
  ContactClass contact_class(int m) const { return class_[m]; }
  /// True if a row belongs to a soft body or a cable.
  bool is_smoothed(int row) const { return smoothed_[row]; }
  bool smooths() const { return smooths_; }

 private:
  void choose_slaves(const ContactProblem& problem, const std::vector<double>& weight);
  void set_parts(const ContactProblem& problem);
  void classify(const ContactProblem& problem);

  int n_slave_ = 0;
  bool smooths_ = false;
  std::vector<std::int32_t> begin_;  ///< [n_row + 1] into master_
  std::vector<ContactPart> master_;
  std::vector<std::int32_t> part_begin_;  ///< [n_contact + 1] into parts_
  std::vector<ContactPart> parts_;
  std::vector<ContactClass> class_;
  std::vector<char> smoothed_;
};

/// T^T A T over a pattern that also couples all rows of a contact; no value if that is A itself.
std::optional<BlockMatrix> relative_matrix(const ContactProblem& problem,
                                           const RelativeCoordinates& relative);

}  // namespace nodia
