# Objects of one build serve another with the same flags: the package, another clone. Where ccache is found, in a build of nodia
# alone, and the caller names no launcher. Off with NODIA_CCACHE = OFF.
option(NODIA_CCACHE "Compile with ccache where it is found" ${PROJECT_IS_TOP_LEVEL})
if(NODIA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(NODIA_CCACHE_PROGRAM ccache)
  if(NODIA_CCACHE_PROGRAM)
    # Sloppy about what precompiled headers need. Paths count from the build folder, which is nowhere in an object that has
    # no debug information.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros)
    if(CMAKE_BUILD_TYPE STREQUAL "Release")
      list(APPEND CMAKE_CXX_COMPILER_LAUNCHER CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1)
    endif()
    list(APPEND CMAKE_CXX_COMPILER_LAUNCHER ${NODIA_CCACHE_PROGRAM})
  endif()
endif()
