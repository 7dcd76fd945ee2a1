/// Eigen's vectors as HDF5 datasets.
#pragma once

#include <Eigen/Dense>
#include <string>

#include "host/problem/hdf5.hpp"

namespace nodia {

inline void write_vector(const hdf5::Handle& parent, const std::string& name,
                         const Eigen::VectorXd& x) {
  hdf5::write<double>(parent, name, {static_cast<hsize_t>(x.size())}, x.data());
}

}  // namespace nodia
