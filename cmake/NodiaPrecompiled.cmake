# Headers of the libraries that nodia stands on, parsed once for all files with the same flags:
#
#   nodia_precompile(TARGET numeric|command|tests)
#
# Own headers are in none of the sets, so that a change of one rebuilds what includes it and nothing else, and every file
# still includes what it uses (tools/check.sh compiles without them). Off with NODIA_PRECOMPILED_HEADERS = OFF.
option(NODIA_PRECOMPILED_HEADERS "Parse the headers of other libraries once" ON)

set(nodia_numeric_headers <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <optional> <string>
  <utility> <vector> <fmt/format.h> <Eigen/Dense> <Eigen/SparseCore> <Eigen/SparseCholesky>)
set(nodia_command_headers ${nodia_numeric_headers} <CLI/CLI.hpp> <nlohmann/json.hpp> <spdlog/spdlog.h>)
set(nodia_tests_headers ${nodia_numeric_headers} <filesystem> <fstream> <random> <set> <gmock/gmock.h> <gtest/gtest.h>)

# The owner of a set; its other libraries are those whose definitions and flags the headers see.
function(nodia_precompiled_set set)
  if(NOT NODIA_PRECOMPILED_HEADERS)
    return()
  endif()
  set(source ${PROJECT_BINARY_DIR}/precompiled/${set}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(nodia_precompiled_${set} OBJECT ${source})
  target_link_libraries(nodia_precompiled_${set} PRIVATE nodia::flags OpenMP::OpenMP_CXX fmt::fmt Eigen3::Eigen ${ARGN})
  target_precompile_headers(nodia_precompiled_${set} PRIVATE ${nodia_${set}_headers})
endfunction()

function(nodia_precompile target set)
  if(NODIA_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM nodia_precompiled_${set})
  endif()
endfunction()
