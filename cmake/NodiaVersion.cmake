# NODIA_COMMIT: the commit this tree was configured at, "unknown" outside a checkout.
find_package(Git QUIET)
set(NODIA_COMMIT unknown)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${CMAKE_SOURCE_DIR} describe --always --dirty --abbrev=12
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(NODIA_COMMIT ${commit})
  endif()
endif()
