/// Rows of `nodia bench` as JSON and CSV. Names are a contract: add, never rename.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/benchmarks/bench.hpp"

namespace nodia::studies {

/// What was not measured is null.
nlohmann::ordered_json to_json(const BenchRow& row);
nlohmann::ordered_json to_json(const BenchSkip& skip);

/// The rows' JSON names as header; what was not measured is empty.
std::string bench_csv(const std::vector<BenchRow>& rows);

}  // namespace nodia::studies
