/// Contacts of all frames of a trajectory file: a dataset for each quantity.
#pragma once

#include <vector>

#include "host/problem/hdf5.hpp"
#include "host/simulation/contact_quantities.hpp"

namespace nodia {

class ContactDatasets {
 public:
  /// Creates the datasets of n contacts, without values.
  void create(const hdf5::Handle& group, hsize_t n);
  /// Opens the datasets of n contacts. A file of an older version may lack quantities of type
  /// double; they read as NaN.
  /// @throws InputError if another dataset is missing or has another shape
  void open(const hdf5::Handle& group, hsize_t n);

  /// Writes a frame from row `first` on. @return false if HDF5 fails
  bool write(hsize_t first, const ContactRecord& contacts) const;
  /// Reads a frame of n contacts from row `first` on. @return false if HDF5 fails
  bool read(hsize_t first, hsize_t n, ContactRecord* contacts) const;

 private:
  std::vector<hdf5::Handle> columns_;  ///< one for each quantity with a name in trajectories
};

}  // namespace nodia
