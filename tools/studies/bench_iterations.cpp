#include <Eigen/SparseCore>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>

#include "host/solvers/threads.hpp"
#include "kernels/core/launch.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/device_launch.hpp"
#include "kernels/device/probes.hpp"
#include "tools/studies/bench_cases.hpp"
#include "tools/studies/iteration_cost.hpp"
#include "tools/studies/memory_speed.hpp"
#include "tools/studies/refinement.hpp"

namespace nodia::studies {
namespace {

using Clock = std::chrono::steady_clock;

/// Least time of one sample of a product [s]: far above the clock's resolution.
constexpr double kSample_s = 5e-3;
/// Iterations a lead step may take: it need not be accurate, but large meshes must not take
/// minutes.
constexpr int kLeadIterations = 200;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Mean time of one of `n` calls in a row [s].
double time_calls_s(int n, const std::function<void(int)>& calls) {
  const Clock::time_point start = Clock::now();
  calls(n);
  return seconds_since(start) / n;
}

/// Calls that fill a sample.
int calls_per_sample(const std::function<void(int)>& calls) {
  calls(1);
  const double s = time_calls_s(3, calls);
  return std::clamp(static_cast<int>(std::ceil(kSample_s / std::max(s, 1e-9))), 3, 100000);
}

/// A case that is measured once a round.
struct Contestant {
  BenchRow row;
  std::function<double()> sample_s;  ///< seconds per iteration
  std::vector<double> s;
};

/// @param calls  runs the product so many times, to its end
Contestant product_contestant(const BenchRow& row, std::function<void(int)> calls) {
  const int n = calls_per_sample(calls);
  return {row, [n, calls = std::move(calls)] { return time_calls_s(n, calls); }, {}};
}

/// Time to read and to copy as many bytes as an iteration moves [s].
struct MemoryTime {
  double read_s = kNotMeasured, copy_s = kNotMeasured;
};
using MemoryClock = std::function<MemoryTime(std::size_t)>;

/// Measures in rounds and reports; the first contestant is Eigen.
void run_rounds(std::vector<Contestant> contestants, int rounds, const MemoryClock& memory,
                const BenchListener& listener) {
  for (int r = 0; r < rounds; ++r)
    for (Contestant& c : contestants) c.s.push_back(c.sample_s());
  const std::vector<double> eigen_s = contestants.front().s;
  for (Contestant& c : contestants) {
    std::vector<double> ratio;
    for (int r = 0; r < rounds; ++r) ratio.push_back(c.s[r] / eigen_s[r]);
    const double s = median(c.s);
    c.row.us_per_iteration = 1e6 * s;
    c.row.ratio_to_eigen_csr = median(ratio);
    const MemoryTime time = memory(static_cast<std::size_t>(c.row.bytes_per_iteration));
    c.row.share_of_copy_bandwidth = time.copy_s / s;
    c.row.ratio_to_read_time = s / time.read_s;
    listener.row(c.row);
  }
}

BenchRow row_of(const char* name, const SlidingMat& mat, Precision precision, int threads,
                const char* format, const IterationCost& cost) {
  BenchRow row;
  row.name = name;
  row.n_node = mat.n_node();
  row.precision = name_of(precision);
  row.threads = threads;
  row.format = format;
  row.bytes_per_iteration = cost.bytes;
  row.flops_per_iteration = cost.flops;
  return row;
}

/// Eigen uses its own threads where it is allowed to.
Contestant eigen_product(const SlidingMat& mat, int threads) {
  struct Data {
    Eigen::SparseMatrix<double, Eigen::RowMajor> A;
    Eigen::VectorXd x, y;
  };
  const auto data = std::make_shared<Data>();
  data->A = mat.problem.A.to_eigen_rows();
  data->x = Eigen::VectorXd::Random(data->A.cols());
  data->y.resize(data->A.rows());
  return product_contestant(row_of("eigen_csr_product", mat, Precision::double_, threads, "csr",
                                   scalar_product_cost(mat.problem)),
                            [data, threads](int n) {
                              Eigen::setNbThreads(threads);
                              for (int i = 0; i < n; ++i) data->y.noalias() = data->A * data->x;
                            });
}

/// A and a vector to multiply it with, in Real.
template <class Real>
struct ProductData {
  std::vector<Real> value;
  std::vector<Vec3<Real>> x;

  explicit ProductData(const SlidingMat& mat)
      : value(mat.problem.A.value.begin(), mat.problem.A.value.end()) {
    for (const Vec3d& v : mat.warm.v) x.push_back(cast<Real>(v));
  }
};

template <class Real>
Contestant block_product(const SlidingMat& mat, Precision precision, int threads) {
  struct Data : ProductData<Real> {
    using ProductData<Real>::ProductData;
    std::vector<Vec3<Real>> y;
  };
  const auto data = std::make_shared<Data>(mat);
  data->y.resize(data->x.size());
  const BlockPattern& pattern = *mat.problem.A.pattern;
  const BlockProduct<Real> product{
      {pattern.n_row(), pattern.row_begin.data(), pattern.column.data(), data->value.data()},
      data->x.data(),
      data->y.data()};
  return product_contestant(row_of("block_product", mat, precision, threads, "block_csr",
                                   block_product_cost(mat.problem, precision)),
                            [data, product, threads](int n) {
                              for (int i = 0; i < n; ++i) launch(product.A.n_row, product, threads);
                            });
}

template <class Real>
Contestant device_block_product(const SlidingMat& mat, Precision precision) {
  const ProductData<Real> host(mat);
  struct Data {
    DeviceBuffer<std::int32_t> row_begin, column;
    DeviceBuffer<Real> value;
    DeviceBuffer<Vec3<Real>> x, y;
  };
  const BlockPattern& pattern = *mat.problem.A.pattern;
  const auto data = std::make_shared<Data>(
      Data{DeviceBuffer<std::int32_t>(pattern.row_begin),
           DeviceBuffer<std::int32_t>(pattern.column), DeviceBuffer<Real>(host.value),
           DeviceBuffer<Vec3<Real>>(host.x), DeviceBuffer<Vec3<Real>>(host.x.size())});
  const BlockProduct<Real> product{
      {pattern.n_row(), data->row_begin.data(), data->column.data(), data->value.data()},
      data->x.data(),
      data->y.data()};
  Contestant c = product_contestant(row_of("block_product", mat, precision, 1, "block_csr",
                                           block_product_cost(mat.problem, precision)),
                                    [data, product](int n) {
                                      for (int i = 0; i < n; ++i)
                                        launch_device("block_product", product.A.n_row, product);
                                      synchronize_device("block_product");
                                    });
  c.row.backend = "cuda";
  return c;
}

/// A whole iteration of the paper's loop; setup cancels in the difference of two lengths.
Contestant cond_iteration(const SlidingMat& mat, const SolverOptions& base, Precision precision,
                          int threads) {
  SolverOptions options = base;
  options.precision = precision;
  options.threads = threads;
  const BenchRow row = row_of("iteration", mat, precision, threads, "block_csr",
                              iteration_cost(mat.problem, precision));
  return {row,
          [&mat, options] {
            const SolveLengths lengths = solve_lengths(mat.n_node());
            const TimedSolve few = timed_solve(options, mat.problem, mat.warm, lengths.few);
            const TimedSolve more = timed_solve(options, mat.problem, mat.warm, lengths.more);
            if (more.iterations <= few.iterations) return kNotMeasured;
            return (more.s - few.s) / (more.iterations - few.iterations);
          },
          {}};
}

void skip_mixed_product(const char* backend, const SlidingMat& mat, Precision precision,
                        const BenchListener& listener) {
  listener.skip({"block_product", backend, mat.n_node(), 1,
                 std::string("the block product has no precision ") + name_of(precision)});
}

}  // namespace

double median(std::vector<double> values) {
  std::erase_if(values, [](double v) { return std::isnan(v); });
  if (values.empty()) return kNotMeasured;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

SlidingMat::SlidingMat(const Scenario& scenario, int n_node, const BenchOptions& options)
    : simulation({refined(scenario.scene, n_node)}, [&scenario] {
        SolverOptions solver = scenario.solver;
        solver.max_iterations = std::min(solver.max_iterations, kLeadIterations);
        return solver;
      }()) {
  begin_dragged_at(options.from_s, &simulation);
  for (int k = 0; k < options.lead_steps; ++k) simulation.step();
  problem = simulation.build_problem(&warm);
}

void bench_iterations(const SlidingMat& mat, const SolverOptions& solver, int threads,
                      const BenchOptions& options, const BenchListener& listener) {
  const int n_thread = thread_count(threads, mat.n_node());
  std::vector<Contestant> contestants{eigen_product(mat, n_thread)};
  for (Precision precision : options.precisions) {
    if (precision == Precision::double_)
      contestants.push_back(block_product<double>(mat, precision, n_thread));
    else if (precision == Precision::float_)
      contestants.push_back(block_product<float>(mat, precision, n_thread));
    else
      skip_mixed_product("cpu", mat, precision, listener);
    contestants.push_back(cond_iteration(mat, solver, precision, n_thread));
  }
  run_rounds(
      std::move(contestants), options.rounds,
      [n_thread](std::size_t bytes) {
        return MemoryTime{read_time_s(bytes, n_thread), copy_time_s(bytes, n_thread)};
      },
      listener);
}

void bench_device_product(const SlidingMat& mat, const BenchOptions& options,
                          const BenchListener& listener) {
  std::vector<Contestant> contestants{eigen_product(mat, 1)};
  for (Precision precision : options.precisions) {
    if (precision == Precision::double_)
      contestants.push_back(device_block_product<double>(mat, precision));
    else if (precision == Precision::float_)
      contestants.push_back(device_block_product<float>(mat, precision));
    else
      skip_mixed_product("cuda", mat, precision, listener);
  }
  BenchListener device_rows = listener;
  device_rows.row = [&listener](const BenchRow& row) {
    if (row.backend == "cuda") listener.row(row);
  };
  run_rounds(
      std::move(contestants), options.rounds,
      [](std::size_t bytes) {
        return MemoryTime{device_read_time_s(bytes), device_copy_time_s(bytes)};
      },
      device_rows);
}

}  // namespace nodia::studies
