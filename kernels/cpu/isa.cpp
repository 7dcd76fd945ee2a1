#include "kernels/cpu/isa.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"

namespace nodia {

const char* name_of(CpuIsa isa) {
  switch (isa) {
    case CpuIsa::avx512:
      return "avx512";
    case CpuIsa::avx2:
      return "avx2";
    case CpuIsa::portable:
      break;
  }
  return "portable";
}

std::vector<CpuIsa> available_isas() {
  std::vector<CpuIsa> isas{CpuIsa::portable};
#if defined(NODIA_X86_KERNELS)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) isas.push_back(CpuIsa::avx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
    isas.push_back(CpuIsa::avx512);
#endif
  return isas;
}

CpuIsa chosen_isa() {
  const std::vector<CpuIsa> isas = available_isas();
  const char* wanted = std::getenv("NODIA_ISA");
  if (wanted == nullptr) return isas.back();
  std::vector<std::string> names;
  for (const CpuIsa isa : isas) {
    if (std::string(wanted) == name_of(isa)) return isa;
    names.emplace_back(name_of(isa));
  }
  throw_bad_value("NODIA_ISA", wanted, fmt::format("one of {}", fmt::join(names, ", ")),
                  fmt::format("did you mean {}?", nearest_name(wanted, names)));
}

}  // namespace nodia
