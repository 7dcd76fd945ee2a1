#include "scenarios/task/record.hpp"

#include <algorithm>

#include "host/scene/rules.hpp"
#include "kernels/core/key.hpp"
#include "kernels/core/value_error.hpp"
#include "scenarios/format/yaml_path.hpp"

namespace nodia {

bool RecordDescription::has(Recorded one) const {
  return std::find(what.begin(), what.end(), name_of(one)) != what.end();
}

void validate(const RecordDescription& record, const std::string& path) {
  for (std::size_t k = 0; k < record.what.size(); ++k) {
    const std::string where = path_of_text(path + ".what", record.what.size(), k);
    require_known(where, record.what[k], all_words<Recorded>(), "something that can be recorded");
    if (std::count(record.what.begin(), record.what.end(), record.what[k]) > 1)
      throw ValueError(where, record.what[k], "named once", "");
  }
}

}  // namespace nodia
