#include "host/simulation/contact_quantities.hpp"

#include <fmt/format.h>

namespace nodia {
namespace {

using C = SolvedContact;

constexpr ContactQuantity kContactQuantities[] = {
    {"position", "position_m", "position_m", "m", "contact point on i at the start of the step",
     [](const C& c) { return c.sides.position; }},
    {nullptr, nullptr, "position_on_j_m", "m", "contact point on j at the start of the step",
     [](const C& c) { return c.sides.position_j; }},
    {"force", "force_N", "force_N", "N", "force of j on i, mean over the step",
     [](const C& c) { return transpose_times(c.contact.R, c.lambda); }},
    {nullptr, nullptr, "normal", "", "unit vector from j to i",
     [](const C& c) {
       return transpose_times(c.contact.R, Vec3d{1, 0, 0});
     }},
    {"slip_velocity", "slip_velocity_m_s", "slip_velocity_m_s", "m/s",
     "velocity of i relative to j in the contact plane, mean over the step",
     [](const C& c) { return c.sides.slip_velocity; }},
    {"gap_end", "gap_end_m", "gap_end_m", "m",
     "gap at the end of the step, linear in the solution, negative in penetration",
     [](const C& c) { return c.sides.gap_end_m; }},
    {"state", "state", "state", "", "0 open, 1 stick, 2 slip",
     [](const C& c) { return static_cast<std::uint8_t>(c.state); }},
    {"body_i", "body_i", "i", "", "index of the object i",
     [](const C& c) { return c.objects.number(c.sides.i); }},
    {"link_i", "link_i", "link_i", "", "index of the link on i, if i is a cable or a robot, else 0",
     [](const C& c) { return c.sides.i.link; }},
    {"body_j", "body_j", "j", "", "index of the object j",
     [](const C& c) { return c.objects.number(c.sides.j); }},
    {"link_j", "link_j", "link_j", "", "index of the link on j, if j is a cable or a robot, else 0",
     [](const C& c) { return c.sides.j.link; }},
};

}  // namespace

std::string ContactQuantity::text() const {
  return fmt::format("({}) {}{}",
                     std::holds_alternative<ContactFunction<Vec3d>>(value) ? "n, 3" : "n,", meaning,
                     *unit == 0 ? "" : fmt::format(" [{}]", unit));
}

std::span<const ContactQuantity> contact_quantities() {
  return kContactQuantities;
}

std::size_t ContactRecord::n_contact() const {
  if (columns.empty()) return 0;
  return std::visit([](const auto& values) { return values.size(); }, columns.front().values);
}

std::size_t ContactRecord::bytes_per_contact() const {
  std::size_t bytes = 0;
  for (const Column& column : columns)
    bytes += std::visit([]<class T>(const std::vector<T>&) { return sizeof(T); }, column.values);
  return bytes;
}

ContactRecord empty_contact_record(ContactNames names) {
  ContactRecord record;
  for (const ContactQuantity& quantity : kContactQuantities)
    if (quantity.*names)
      std::visit(
          [&]<class T>(ContactFunction<T>) {
            record.columns.push_back({quantity.*names, &quantity, std::vector<T>{}});
          },
          quantity.value);
  return record;
}

ContactRecord contact_record(const StepContactsView& contacts, const Objects& objects,
                             ContactNames names) {
  ContactRecord record = empty_contact_record(names);
  for (ContactRecord::Column& column : record.columns)
    std::visit(
        [&]<class T>(ContactFunction<T> value) {
          auto& values = std::get<std::vector<T>>(column.values);
          for (std::size_t m = 0; m < contacts.contacts.size(); ++m)
            values.push_back(value({contacts.contacts[m], contacts.lambda[m], contacts.state[m],
                                    contacts.sides[m], objects}));
        },
        column.quantity->value);
  return record;
}

}  // namespace nodia
