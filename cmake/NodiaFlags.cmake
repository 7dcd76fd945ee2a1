# Flags that every nodia target shares: nodia::flags.
#
# Contraction is off, so that the host and the device round alike; a fused multiply-add is written `fma` where wanted.
add_library(nodia_flags INTERFACE)
add_library(nodia::flags ALIAS nodia_flags)
target_include_directories(nodia_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(nodia_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Werror -ffp-contract=off>)
if(NODIA_ARCH)
  target_compile_options(nodia_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=${NODIA_ARCH}>)
endif()
if(NODIA_SANITIZE)
  target_compile_options(nodia_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer>)
  target_link_options(nodia_flags INTERFACE -fsanitize=address,undefined)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
