#include "host/io/contact_datasets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace nodia {
namespace {

constexpr ContactNames kNames = &ContactQuantity::in_trajectory;

/// Columns of a dataset, and the type of its numbers.
template <class T>
struct RowOf {
  using Number = T;
  static std::vector<hsize_t> shape(hsize_t n) { return {n}; }
};
template <>
struct RowOf<Vec3d> {
  using Number = double;
  static std::vector<hsize_t> shape(hsize_t n) { return {n, 3}; }
};

template <class T>
constexpr bool kIsReal = std::is_same_v<typename RowOf<T>::Number, double>;

/// Calls f(k, name, values) for the columns of a record.
void for_each_column(auto& record, const auto& f) {
  for (std::size_t k = 0; k < record.columns.size(); ++k)
    std::visit([&](auto& values) { f(k, record.columns[k].name, values); },
               record.columns[k].values);
}

}  // namespace

void ContactDatasets::create(const hdf5::Handle& group, hsize_t n) {
  const ContactRecord record = empty_contact_record(kNames);
  for_each_column(record, [&]<class T>(std::size_t, const char* name, const std::vector<T>&) {
    columns_.push_back(hdf5::create_dataset<typename RowOf<T>::Number>(
        group, name, RowOf<T>::shape(n), hdf5::Layout::checked));
  });
}

void ContactDatasets::open(const hdf5::Handle& group, hsize_t n) {
  const ContactRecord record = empty_contact_record(kNames);
  for_each_column(record, [&]<class T>(std::size_t, const char* name, const std::vector<T>&) {
    hdf5::Handle& column = columns_.emplace_back();
    if (kIsReal<T> && H5Lexists(group.id(), name, H5P_DEFAULT) <= 0) return;
    column = hdf5::open_dataset(group, name);
    if (hdf5::shape_of(column) != RowOf<T>::shape(n))
      throw InputError(fmt::format("nodia/contacts/{}: its shape does not fit", name));
    static_cast<void>(hdf5::checked_size(column, RowOf<T>::shape(n), name));
  });
}

bool ContactDatasets::write(hsize_t first, const ContactRecord& contacts) const {
  bool good = true;
  for_each_column(contacts, [&]<class T>(std::size_t k, const char*, const std::vector<T>& values) {
    using Number = typename RowOf<T>::Number;
    good = good && hdf5::write_rows(columns_[k], first, values.size(),
                                    reinterpret_cast<const Number*>(values.data()));
  });
  return good;
}

bool ContactDatasets::read(hsize_t first, hsize_t n, ContactRecord* contacts) const {
  *contacts = empty_contact_record(kNames);
  if (n == 0) return true;
  bool good = true;
  for_each_column(*contacts, [&]<class T>(std::size_t k, const char*, std::vector<T>& values) {
    values.resize(n);
    auto* const numbers = reinterpret_cast<typename RowOf<T>::Number*>(values.data());
    if (columns_[k].valid())
      good = good && hdf5::read_rows(columns_[k], first, n, numbers);
    else
      std::fill_n(numbers, sizeof(T) / sizeof(*numbers) * n,
                  std::numeric_limits<typename RowOf<T>::Number>::quiet_NaN());
  });
  return good;
}

}  // namespace nodia
