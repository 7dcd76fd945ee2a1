# Unity build: compiles twelve files of a target as one, so common templates are instantiated once:
#
#   nodia_unity(TARGET)
#
# Names in the anonymous namespaces of these files must differ. NODIA_UNITY = OFF disables it; a change of one file then compiles
# only this file.
option(NODIA_UNITY "Compile a few files as one where they instantiate the same" ON)

function(nodia_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${NODIA_UNITY} UNITY_BUILD_BATCH_SIZE 12)
  # A class in a .cpp file may have members of types from an anonymous namespace, because it is compiled only once.
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
endfunction()
