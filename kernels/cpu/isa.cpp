/// Detection and choice of the CPU's instruction set.
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

namespace {

bool is_available(CpuIsa isa) {
#if defined(NODIA_AVX2_KERNELS)
  if (isa == CpuIsa::avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
#if defined(NODIA_AVX512_KERNELS)
  if (isa == CpuIsa::avx512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
#endif
  return isa == CpuIsa::portable;
}

}  // namespace

std::vector<CpuIsa> available_isas() {
  std::vector<CpuIsa> isas;
  for (const CpuIsa isa : {CpuIsa::portable, CpuIsa::avx2, CpuIsa::avx512})
    if (is_available(isa)) isas.push_back(isa);
  return isas;
}

CpuIsa chosen_isa() {
  const char* wanted = std::getenv("NODIA_ISA");
  if (wanted == nullptr) {  // fast path without allocation: every launch calls this
    if (is_available(CpuIsa::avx512)) return CpuIsa::avx512;
    return is_available(CpuIsa::avx2) ? CpuIsa::avx2 : CpuIsa::portable;
  }
  std::vector<std::string> names;
  for (const CpuIsa isa : available_isas()) {
    if (std::string(wanted) == name_of(isa)) return isa;
    names.emplace_back(name_of(isa));
  }
  throw_bad_value("NODIA_ISA", wanted, fmt::format("one of {}", fmt::join(names, ", ")),
                  fmt::format("did you mean {}?", nearest_name(wanted, names)));
}

}  // namespace nodia
