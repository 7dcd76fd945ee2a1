# Precompiled headers of other libraries, parsed once for all files with the same flags:
#
#   nodia_precompile(TARGET numeric|tests -O1|-O3)
#
# The sets contain no headers of nodia, so a change of a header rebuilds only the files that include it. Every file still
# includes all headers that it uses (tools/check.sh compiles without precompiled headers). NODIA_PRECOMPILED_HEADERS = OFF
# disables them.
#
# The level also applies to the target (nodia_optimise), because GCC compiles a file with the optimisation level of its
# precompiled header and ignores the level of the file.
option(NODIA_PRECOMPILED_HEADERS "Parse the headers of other libraries once" ON)

set(nodia_numeric_headers <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <optional> <string>
  <utility> <vector> <fmt/format.h> <Eigen/Dense> <Eigen/SparseCore> <Eigen/SparseCholesky>)
set(nodia_tests_headers ${nodia_numeric_headers} <filesystem> <fstream> <random> <set> <gmock/gmock.h> <gtest/gtest.h>)

# Precompiles a set for one optimisation level. Further arguments: libraries whose definitions and flags apply to it.
function(nodia_precompiled_set set level)
  if(NOT NODIA_PRECOMPILED_HEADERS)
    return()
  endif()
  set(owner nodia_precompiled_${set}${level})
  set(source ${PROJECT_BINARY_DIR}/precompiled/${set}${level}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(${owner} OBJECT ${source})
  target_link_libraries(${owner} PRIVATE nodia::flags OpenMP::OpenMP_CXX fmt::fmt Eigen3::Eigen ${ARGN})
  target_precompile_headers(${owner} PRIVATE ${nodia_${set}_headers})
  nodia_optimise(${owner} ${level})
endfunction()

function(nodia_precompile target set level)
  nodia_optimise(${target} ${level})
  if(NODIA_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM nodia_precompiled_${set}${level})
  endif()
endfunction()
