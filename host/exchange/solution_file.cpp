#include "host/exchange/solution_file.hpp"

#include "host/errors/errors.hpp"
#include "host/exchange/hdf5_vector.hpp"
#include "host/problem/atomic_file.hpp"
#include "host/problem/hdf5.hpp"

namespace nodia {
namespace {

void describe(const hdf5::Handle& file, const std::string& problem, FrictionKind kind,
              int dimension, const ImportedSolve& solve) {
  hdf5::write_attribute(file, "format", std::string("nodia_answer"));
  hdf5::write_attribute(file, "version", std::int32_t{1});
  hdf5::write_attribute(file, "problem", problem);
  hdf5::write_attribute(file, "kind", std::string(name_of(kind)));
  hdf5::write_attribute(file, "dimension", std::int32_t{dimension});
  hdf5::write_attribute(file, "solver", solve.solver);
  hdf5::write_attribute(file, "status", std::string(name_of(solve.status)));
  hdf5::write_attribute(file, "error_siconos", solve.error_siconos);
}

void write_vectors(const hdf5::Handle& file, const std::string& name, const std::vector<Vec3d>& x) {
  hdf5::write<double>(file, name, {x.size(), 3}, x.empty() ? nullptr : &x.front().x);
}

}  // namespace

void write_solution(const std::string& path, const std::string& problem,
                    const ImportedProblem& source, const ImportedSolve& solve) {
  const hdf5::Handle file = hdf5::create_memory_file(path);
  describe(file, problem, source.source().kind, source.source().dimension, solve);
  const FrictionSolution answer = source.answer(solve.solution);
  if (source.source().kind == FrictionKind::global) write_vector(file, "v", answer.v);
  write_vector(file, "r", answer.r);
  write_vector(file, "u", answer.u);
  replace_file(path, hdf5::memory_file_image(file));
}

void write_solution(const std::string& path, const std::string& problem,
                    const ContactProblem& source, const ImportedSolve& solve) {
  const hdf5::Handle file = hdf5::create_memory_file(path);
  describe(file, problem, FrictionKind::global, 3, solve);
  write_vectors(file, "v", solve.solution.v);
  write_vectors(file, "lambda", solve.solution.lambda);
  write_vectors(file, "u", contact_velocity(source, solve.solution.v));
  replace_file(path, hdf5::memory_file_image(file));
}

}  // namespace nodia
