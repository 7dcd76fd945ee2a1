#include "host/exchange/unknowns.hpp"

#include <algorithm>
#include <numeric>

namespace nodia {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// Calls visit(j) for the unknowns that column i of a symmetric pattern couples with i.
template <class F>
void for_neighbours(const SparseMatrix& pattern, int i, const F& visit) {
  for (SparseMatrix::InnerIterator entry(pattern, i); entry; ++entry)
    if (entry.row() != i) visit(static_cast<int>(entry.row()));
}

int degree(const SparseMatrix& pattern, int i) {
  return pattern.outerIndexPtr()[i + 1] - pattern.outerIndexPtr()[i];
}

/// Unknowns connected with `start`, breadth first, neighbours by degree. Marks them.
std::vector<int> connected(const SparseMatrix& pattern, int start, int mark,
                           std::vector<int>* marks) {
  std::vector<int> found{start};
  (*marks)[start] = mark;
  for (std::size_t head = 0; head < found.size(); ++head) {
    const auto first = static_cast<std::ptrdiff_t>(found.size());
    for_neighbours(pattern, found[head], [&](int j) {
      if ((*marks)[j] == mark) return;
      (*marks)[j] = mark;
      found.push_back(j);
    });
    std::stable_sort(found.begin() + first, found.end(),
                     [&](int a, int b) { return degree(pattern, a) < degree(pattern, b); });
  }
  return found;
}

/// Bodies in the order of their first unknown. Unknowns ascend, but those of large bodies have the
/// order of Cuthill and McKee.
std::vector<std::vector<int>> bodies_of(const SparseMatrix& pattern, int least_size, int max_size) {
  std::vector<std::vector<int>> bodies;
  std::vector<int> marks(static_cast<std::size_t>(pattern.cols()), -1);
  int mark = 0;
  for (int i = 0; i < pattern.cols(); ++i) {
    if (marks[i] >= 0) continue;
    std::vector<int> body = connected(pattern, i, mark++, &marks);
    if (static_cast<int>(body.size()) > max_size) {
      for (int k = 0; k < 2; ++k) body = connected(pattern, body.back(), mark++, &marks);
    } else {
      std::sort(body.begin(), body.end());
    }
    const bool both_small = !bodies.empty() &&
                            static_cast<int>(bodies.back().size()) < least_size &&
                            static_cast<int>(body.size()) < least_size &&
                            static_cast<int>(bodies.back().size() + body.size()) <= least_size;
    if (both_small)
      bodies.back().insert(bodies.back().end(), body.begin(), body.end());
    else
      bodies.push_back(std::move(body));
  }
  return bodies;
}

}  // namespace

Unknowns Unknowns::of(const SparseMatrix& M, int dimension) {
  const SparseMatrix transposed = M.transpose();
  const SparseMatrix pattern = M.cwiseAbs() + transposed.cwiseAbs();
  Unknowns unknowns;
  unknowns.place.assign(static_cast<std::size_t>(M.rows()), -1);
  for (const std::vector<int>& body :
       bodies_of(pattern, dimension == 2 ? 3 : 6, 3 * kMaxBodyRows)) {
    const int n_row = (static_cast<int>(body.size()) + 2) / 3;
    for (std::size_t k = 0; k < body.size(); ++k)
      unknowns.place[body[k]] = 3 * unknowns.n_row + static_cast<std::int32_t>(k);
    const int n_piece = (n_row + kMaxBodyRows - 1) / kMaxBodyRows;
    for (int k = 0; k < n_piece; ++k) {
      const int begin = static_cast<int>(std::int64_t{n_row} * k / n_piece);
      const int end = static_cast<int>(std::int64_t{n_row} * (k + 1) / n_piece);
      unknowns.bodies.push_back({BodyKind::robot, unknowns.n_row + begin, end - begin});
    }
    unknowns.n_row += n_row;
  }
  return unknowns;
}

}  // namespace nodia
