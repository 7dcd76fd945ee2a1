/// Cost of a factor, to leading order.
#pragma once

namespace nodia {

struct FactorWork {
  double factorise = 0;  ///< multiply-adds of a factorisation
  double solve = 0;      ///< multiply-adds of a solve with one right-hand side
};

}  // namespace nodia
