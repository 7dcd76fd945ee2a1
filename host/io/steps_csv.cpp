#include "host/io/steps_csv.hpp"

#include <charconv>
#include <cmath>

namespace nodia {

const char* const kStepsCsvHeader =
    "env,step,time_s,n_contact,n_stick,n_slip,iterations,status,relative_residual,certificate_J,"
    "energy_error_J,natural_map_error,max_penetration_m,kinetic_energy_J,potential_energy_J,"
    "dynamics_ms,solver_ms";

namespace {

class Row {
 public:
  void add(const char* word) { (text_ += word) += ','; }
  void add(int value) { add_number(value); }
  void add(double value) {
    if (std::isnan(value))
      text_ += ',';
    else
      add_number(value);
  }
  std::string take() {
    text_.pop_back();
    return std::move(text_);
  }

 private:
  template <class Number>
  void add_number(Number value) {
    char digits[32];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    text_ += ',';
  }
  std::string text_;
};

}  // namespace

std::string steps_csv_row(const StepRecord& r) {
  Row row;
  row.add(r.env);
  row.add(r.step);
  row.add(r.time_s);
  row.add(r.n_contact);
  row.add(r.n_stick);
  row.add(r.n_slip);
  row.add(r.solve.iterations);
  row.add(name_of(r.solve.status));
  row.add(r.solve.relative_residual);
  row.add(r.solve.certificate_J);
  row.add(r.energy_error_J);
  row.add(r.solve.natural_map_error);
  row.add(r.max_penetration_m);
  row.add(r.kinetic_energy_J);
  row.add(r.potential_energy_J);
  row.add(r.dynamics_ms);
  row.add(r.solver_ms);
  return row.take();
}

}  // namespace nodia
