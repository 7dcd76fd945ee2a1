# Installs static libraries, headers (in their folders under include/nodia), and the package for find_package(nodia).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(folders kernels fem problem collision scene errors step solvers exchange simulation io backend host scenarios nodia flags)
set(targets)
foreach(name ${folders})
  list(APPEND targets nodia_${name})
  set_target_properties(nodia_${name} PROPERTIES EXPORT_NAME ${name})
endforeach()
if(NODIA_WITH_CHOLMOD)
  list(APPEND targets nodia_cholmod)
  set_target_properties(nodia_cholmod PROPERTIES EXPORT_NAME cholmod)
endif()
install(TARGETS ${targets} EXPORT nodia_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY kernels fem host DESTINATION include/nodia FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY scenarios/format scenarios/checks scenarios/task scenarios/build scenarios/dataset DESTINATION include/nodia/scenarios FILES_MATCHING PATTERN "*.hpp")

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/nodia)
install(EXPORT nodia_targets NAMESPACE nodia:: FILE nodia_targets.cmake DESTINATION ${package})
configure_package_config_file(cmake/nodia-config.cmake.in ${PROJECT_BINARY_DIR}/nodia-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nodia-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nodia-config.cmake ${PROJECT_BINARY_DIR}/nodia-config-version.cmake
  DESTINATION ${package})
install(TARGETS nodia-read-mesh RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(NODIA_TOOLS)
  install(TARGETS nodia RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
