#include "host/io/build_id.hpp"

#include "nodia_commit.hpp"

namespace nodia {

const std::string& build_id() {
  static const std::string id =
      NODIA_VERSION " " NODIA_COMMIT ", " NODIA_COMPILER ", " NODIA_ARCH " " NODIA_BUILD_TYPE;
  return id;
}

const char* build_commit() {
  return NODIA_COMMIT;
}

}  // namespace nodia
