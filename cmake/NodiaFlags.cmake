# nodia::flags: flags of all nodia targets and of all programs that use them. -march determines the memory layout of Eigen's types,
# so programs must use it too.
#
# Contraction is off, so the host and the device round equally. The code calls `fma` where it needs a fused multiply-add.
add_library(nodia_flags INTERFACE)
add_library(nodia::flags ALIAS nodia_flags)
target_include_directories(nodia_flags INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/nodia>)
target_compile_features(nodia_flags INTERFACE cxx_std_20)
target_compile_options(nodia_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
if(NODIA_ARCH)
  target_compile_options(nodia_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=${NODIA_ARCH}>)
endif()
# The address sanitizer finds accesses through bad pointers. The undefined-behaviour sanitizer does not check null pointers,
# alignment, object sizes and dynamic types: with these checks the kernels take 1.8 times as long to compile.
if(NODIA_SANITIZE)
  target_compile_options(nodia_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
    -fno-sanitize=null,alignment,object-size,vptr,nonnull-attribute,returns-nonnull-attribute,pointer-overflow>)
  target_link_options(nodia_flags INTERFACE -fsanitize=address,undefined)
endif()
# Position-independent code: every library can become part of the Python module. Hidden symbols: calls inside the module are as
# fast as in a program.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
# Warnings apply to nodia's own files. They are errors only with NODIA_WERROR = ON, because untested compilers have other warnings.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow>")
if(NODIA_WERROR)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Werror>")
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
# GCC frees unused memory if its heap exceeds 512 MB instead of 128 MB. Files of this project then compile in 6 % less time. The
# largest file needs 1.4 GB, 5 % more than with the default.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-heapsize=524288>")
endif()

# nodia_optimise(TARGET LEVEL) sets the optimisation level of a target. -O1 is for libraries in which a time step spends no time.
function(nodia_optimise target level)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
endfunction()
