/// Coordinates in which a node that touches something else is alone with its contact.
///
/// A contact between a row i of its own (a node, a link's origin) and another side of velocity
/// sum_e X_e v_e makes i a slave of that side:
///
///   v_i = y_i + sum_e X_e y_e,   v = T y
///
/// Its contact velocity then depends on y_i alone, as that of a node at the world does, and no
/// virtual node is needed. T is unit triangular; masters are never slaves.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "kernels/newton/contact_part.hpp"

namespace nodia {

/// How a contact depends on y.
enum class ContactClass : std::uint8_t {
  single,  ///< on one row that no other contact touches: solved exactly where W is one number there
  coupled,  ///< touches rows that are smoothed, and shares them, or touches several
  rigid,    ///< between rigid bodies, robots and the world: keeps its multiplier
};

class RelativeCoordinates {
 public:
  /// Slaves are chosen by descending `weight`, then by index: what a choice in rounds of local
  /// maxima gives too. A row becomes one where it is neither slave nor master, carries no contact
  /// with the world of positive weight, and no master of it is a slave.
  /// @param problem  of one environment
  /// @param weight   per contact, its last normal force; may be empty: zero
  RelativeCoordinates(const ContactProblem& problem, const std::vector<double>& weight);

  bool has_slaves() const { return n_slave_ > 0; }
  int n_slave() const { return n_slave_; }
  bool is_slave(int row) const { return begin_[row] != begin_[row + 1]; }

  /// v = T y, in place.
  void to_velocity(std::vector<Vec3d>* y) const;
  /// y = T^-1 v, in place.
  void to_relative(std::vector<Vec3d>* v) const;
  /// T^T f, in place: forces on v as forces on y.
  void gather(std::vector<Vec3d>* f) const;
  /// T^-T f, in place: forces on y as forces on v.
  void scatter(std::vector<Vec3d>* f) const;
  /// Calls part(e, X): v_row = y_row + sum X y_e.
  template <class F>
  void for_masters(int row, const F& part) const {
    for (std::int32_t k = begin_[row]; k < begin_[row + 1]; ++k) part(master_[k].row, master_[k].J);
  }

  /// Parts of contact m, rows ascending, none of them zero.
  const ContactPart* begin(int m) const { return parts_.data() + part_begin_[m]; }
  const ContactPart* end(int m) const { return parts_.data() + part_begin_[m + 1]; }
  /// [n_contact + 1] where a contact's parts begin, from begin(0) on.
  const std::int32_t* part_begin() const { return part_begin_.data(); }
  ContactClass contact_class(int m) const { return class_[m]; }
  /// Whether a row belongs to a soft body or a cable.
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

/// T^T A T over a pattern that also couples all rows of a contact; nothing where that is A itself.
std::optional<BlockMatrix> relative_matrix(const ContactProblem& problem,
                                           const RelativeCoordinates& relative);

}  // namespace nodia
