#include "tools/benchmarks/bench_table.hpp"

#include <cmath>

namespace nodia::studies {

using Json = nlohmann::ordered_json;

Json to_json(const BenchRow& r) {
  return {{"case", r.name},
          {"backend", r.backend},
          {"n_node", r.n_node},
          {"n_env", r.n_env},
          {"precision", r.precision},
          {"threads", r.threads},
          {"stop", r.stop},
          {"format", r.format},
          {"us_per_iteration", r.us_per_iteration},
          {"ratio_to_eigen_csr", r.ratio_to_eigen_csr},
          {"share_of_copy_bandwidth", r.share_of_copy_bandwidth},
          {"gb_per_s", r.gb_per_s},
          {"ratio_to_own_product", r.ratio_to_own_product},
          {"env_steps_per_s", r.env_steps_per_s},
          {"bytes_per_iteration", r.bytes_per_iteration},
          {"flops_per_iteration", r.flops_per_iteration},
          {"ratio_to_read_time", r.ratio_to_read_time},
          {"iterations", r.iterations},
          {"step_ms", r.step_ms},
          {"step_over_solve", r.step_over_solve},
          {"before_loop_ms", r.before_loop_ms},
          {"loop_ms", r.loop_ms},
          {"set_up_us_per_env", r.set_up_us_per_env},
          {"solver_set_up_us_per_env", r.solver_set_up_us_per_env},
          {"speedup_over_serial", r.speedup_over_serial},
          {"error_vs_double", r.error_vs_double},
          {"floor_ended_share", r.floor_ended_share}};
}

Json to_json(const BenchSkip& s) {
  return {{"case", s.name},
          {"backend", s.backend},
          {"n_node", s.n_node},
          {"n_env", s.n_env},
          {"reason", s.reason}};
}

std::string bench_csv(const std::vector<BenchRow>& rows) {
  std::string text;
  const Json names = to_json(BenchRow{});
  for (const auto& [name, value] : names.items()) text += (text.empty() ? "" : ",") + name;
  text += '\n';
  for (const BenchRow& row : rows) {
    const Json values = to_json(row);
    std::string line;
    for (const auto& [name, value] : values.items()) {
      if (value.is_string())
        line += value.get<std::string>();
      else if (!value.is_null() && !(value.is_number_float() && std::isnan(value.get<double>())))
        line += value.dump();
      line += ',';
    }
    line.back() = '\n';
    text += line;
  }
  return text;
}

}  // namespace nodia::studies
