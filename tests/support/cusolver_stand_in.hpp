/// What a test sees of the library that takes the place of cuSOLVER (tests/cusolver_stand_in).
#pragma once

namespace nodia::test {

/// The symbol `nodia_stand_in` of the library.
struct CusolverStandIn {
  int status = 0;                ///< that the solve returns
  bool leaves_x = false;         ///< says that all is well, and leaves x as it is
  const void* stream = nullptr;  ///< of the last handle
  int n_live = 0;                ///< handles and descriptors that were not destroyed
  int n_solve = 0;
};

}  // namespace nodia::test
