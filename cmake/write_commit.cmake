# Runs in every build (cmake -P). Writes OUT, a header that defines NODIA_COMMIT as the commit of SOURCE, with "-dirty" if files
# differ from it, and "unknown" outside a checkout. If nothing has changed, the header is not written.
find_package(Git QUIET)
set(NODIA_COMMIT unknown)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} describe --always --dirty --abbrev=12
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(NODIA_COMMIT ${commit})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define NODIA_COMMIT \"${NODIA_COMMIT}\"\n")
