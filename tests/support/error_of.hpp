/// The message of the error that a call throws.
#pragma once

#include <string>

#include "kernels/core/error.hpp"

namespace nodia::test {

/// `no error` if the call throws nothing. Errors of another type pass on.
template <class Error = RuntimeError, class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace nodia::test
