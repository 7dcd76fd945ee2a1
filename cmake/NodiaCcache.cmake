# Objects of one build serve another of the same tree with the same flags, as the package's. Where ccache is found, in a build of
# nodia alone, and the caller names no launcher. Off with NODIA_CCACHE = OFF. They lie in build/ccache, or where CCACHE_DIR says.
option(NODIA_CCACHE "Compile with ccache where it is found" ${PROJECT_IS_TOP_LEVEL})
if(NODIA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(NODIA_CCACHE_PROGRAM ccache)
  if(NODIA_CCACHE_PROGRAM)
    # Sloppy about what precompiled headers need.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros)
    if(NOT DEFINED ENV{CCACHE_DIR})
      list(APPEND CMAKE_CXX_COMPILER_LAUNCHER CCACHE_DIR=${PROJECT_SOURCE_DIR}/build/ccache)
    endif()
    # Paths count from the build folder, which is nowhere in an object that has no debug information.
    if(CMAKE_BUILD_TYPE STREQUAL "Release")
      list(APPEND CMAKE_CXX_COMPILER_LAUNCHER CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1)
    endif()
    list(APPEND CMAKE_CXX_COMPILER_LAUNCHER ${NODIA_CCACHE_PROGRAM})
  endif()
endif()
