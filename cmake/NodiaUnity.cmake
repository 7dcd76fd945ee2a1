# Twelve files of a target at a time compiled as one, so that what all of them instantiate is instantiated once:
#
#   nodia_unity(TARGET)
#
# Names in their anonymous namespaces differ. Off with NODIA_UNITY = OFF, for who changes one file again and again.
option(NODIA_UNITY "Compile a few files as one where they instantiate the same" ON)

function(nodia_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${NODIA_UNITY} UNITY_BUILD_BATCH_SIZE 12)
  # A class of one file may have members of types that this file alone knows: it is still compiled once.
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
endfunction()
