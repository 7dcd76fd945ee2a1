#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "host/step/row_order.hpp"
#include "kernels/core/error.hpp"
#include "kernels/device/cusparse.hpp"
#include "kernels/device/stream.hpp"
#include "kernels/linalg/device/device_product.hpp"
#include "tools/benchmarks/bench_cases.hpp"
#include "tools/benchmarks/bench_products.hpp"
#include "tools/benchmarks/iteration_cost.hpp"

namespace nodia::studies {
namespace {

/// A and a velocity, with the rows in the order of the loop.
struct OrderedSystem {
  BlockMatrix A;
  std::vector<Vec3d> x;

  explicit OrderedSystem(const SlidingMat& mat) {
    const BlockMatrix& B = mat.problem.A;
    const BlockPattern& from = *B.pattern;
    const std::vector<char> unmarked(from.n_row(), 0);
    const std::vector<std::int32_t> node = row_order(from, unmarked.data());
    std::vector<std::int32_t> row_of_node(node.size());
    for (std::size_t row = 0; row < node.size(); ++row)
      row_of_node[node[row]] = static_cast<std::int32_t>(row);
    const auto to = std::make_shared<BlockPattern>();
    std::vector<std::int32_t> block;  // of the new order: index in the old order
    std::vector<std::pair<std::int32_t, std::int32_t>> entries;
    for (std::size_t row = 0; row < node.size(); ++row) {
      entries.clear();
      for (std::int32_t k = from.row_begin[node[row]]; k < from.row_begin[node[row] + 1]; ++k)
        entries.emplace_back(row_of_node[from.column[k]], k);
      std::sort(entries.begin(), entries.end());
      for (const auto& [column, k] : entries) {
        if (column == static_cast<std::int32_t>(row))
          to->diagonal.push_back(static_cast<std::int32_t>(block.size()));
        to->column.push_back(column);
        block.push_back(k);
      }
      to->row_begin.push_back(static_cast<std::int32_t>(block.size()));
      x.push_back(mat.warm.v[node[row]]);
    }
    A = BlockMatrix(to);
    for (std::size_t k = 0; k < block.size(); ++k)
      std::copy_n(B.value.begin() + 9 * static_cast<std::ptrdiff_t>(block[k]), 9,
                  A.value.begin() + 9 * static_cast<std::ptrdiff_t>(k));
  }
};

/// Throws RuntimeError unless the product is A x to rounding.
void require_right(DeviceProduct* product, const OrderedSystem& system, double half_unit) {
  product->set_x(system.x);
  product->launch();
  const double excess = rounding_excess(system.A.view(), system.x, product->y(), half_unit);
  if (!(excess <= 1))
    throw RuntimeError(fmt::format(
        "its result is wrong: it differs from A x by {:.1e} of what rounding may bring", excess));
}

template <class Real>
std::vector<Contestant> measure(const SlidingMat& mat, Precision precision, const Cusparse* library,
                                const std::string& absent, const BenchOptions& options,
                                const BenchListener& listener) {
  const OrderedSystem system(mat);
  const OwnedStream stream("products");
  std::vector<std::unique_ptr<DeviceProduct>> products;
  std::vector<Contestant> contestants;
  const auto add = [&](const char* name, const char* format, const auto& make) {
    try {
      std::unique_ptr<DeviceProduct> product = make();
      require_right(product.get(), system, std::numeric_limits<Real>::epsilon() / 2);
      Row row = bench_row(name, mat.n_node(), 1, execution_on(Backend::cuda, precision, 1));
      row.at("format") = format;
      row.at("bytes_per_iteration") = product->bytes();
      row.at("flops_per_iteration") = block_product_cost(mat.problem, precision).flops;
      contestants.push_back(product_contestant(row, [&stream, own = product.get()](int n) {
        for (int i = 0; i < n; ++i) own->launch();
        synchronize_device("products", stream.get());
      }));
      products.push_back(std::move(product));
    } catch (const RuntimeError& error) {
      listener.skip(name, Backend::cuda, mat.n_node(), 1, error.what());
    }
  };
  const auto by_library = [&](CusparseFormat format) {
    if (library == nullptr) throw RuntimeError(absent);
    return cusparse_product<Real>(*library, format, system.A.view(), stream.get());
  };
  constexpr const char* kOwn = "sliced_product";
  add(kOwn, "sliced_blocks", [&] { return sliced_product<Real>(system.A.view(), stream.get()); });
  add("cusparse_bsr_product", "bsr", [&] { return by_library(CusparseFormat::bsr); });
  add("cusparse_sell_product", "sliced_ell",
      [&] { return by_library(CusparseFormat::sliced_ell); });
  if (contestants.empty()) return {};
  std::vector<Contestant*> all;
  for (Contestant& contestant : contestants) all.push_back(&contestant);
  const bool has_own = contestants.front().row.at("case") == kOwn;
  const std::vector<double> ratio =
      run_rounds(all, has_own ? all.front() : nullptr, options.rounds);
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k]->row.at("ratio_to_own_product") = ratio[k];
    all[k]->sample_s = nullptr;  // its product goes
  }
  return contestants;
}

}  // namespace

std::vector<Contestant> measure_products(const SlidingMat& mat, Precision precision,
                                         const Cusparse* library, const std::string& absent,
                                         const BenchOptions& options,
                                         const BenchListener& listener) {
  const auto measured = precision == Precision::double_ ? measure<double> : measure<float>;
  return measured(mat, precision, library, absent, options, listener);
}

void bench_products(const SlidingMat& mat, const BenchOptions& options,
                    const BenchListener& listener) {
  std::optional<Cusparse> library;
  std::string absent;
  try {
    library.emplace();
  } catch (const RuntimeError& error) {
    absent = error.what();
  }
  for (Precision precision : options.precisions) {
    if (precision == Precision::mixed) continue;
    for (Contestant& contestant :
         measure_products(mat, precision, library ? &*library : nullptr, absent, options, listener))
      report(&contestant, listener);
  }
}

}  // namespace nodia::studies
