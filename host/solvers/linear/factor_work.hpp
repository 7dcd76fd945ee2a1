/// What a factor costs, to the leading order.
#pragma once

namespace nodia {

struct FactorWork {
  double factorise = 0;  ///< multiply-adds of a factorisation
  double solve = 0;      ///< of a solve with one right-hand side
};

}  // namespace nodia
