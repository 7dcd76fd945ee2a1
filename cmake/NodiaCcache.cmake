# Compiles with ccache, so builds of the same tree with the same flags share objects, for example the build of the package. It
# is used if ccache is found, nodia is the top-level project, and the caller sets no launcher. NODIA_CCACHE = OFF disables it. The
# cache is in build/ccache or in CCACHE_DIR.
option(NODIA_CCACHE "Compile with ccache where it is found" ${PROJECT_IS_TOP_LEVEL})
if(NODIA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(NODIA_CCACHE_PROGRAM ccache)
  if(NODIA_CCACHE_PROGRAM)
    # ccache supports precompiled headers only with these settings.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros)
    if(NOT DEFINED ENV{CCACHE_DIR})
      list(APPEND CMAKE_CXX_COMPILER_LAUNCHER CCACHE_DIR=${PROJECT_SOURCE_DIR}/build/ccache)
    endif()
    # Paths are relative. Objects without debug information do not contain the path of the build folder.
    if(CMAKE_BUILD_TYPE STREQUAL "Release")
      list(APPEND CMAKE_CXX_COMPILER_LAUNCHER CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1)
    endif()
    list(APPEND CMAKE_CXX_COMPILER_LAUNCHER ${NODIA_CCACHE_PROGRAM})
  endif()
endif()
