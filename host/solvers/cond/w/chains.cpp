/// Set-up of the block tridiagonal preconditioner blocks of chains (kernels/vfpi/w/chains.hpp).

#include <Eigen/Dense>
#include <algorithm>
#include <vector>

#include "fem/matrix/eigen_block.hpp"
#include "host/solvers/cond/w/set_up.hpp"

namespace nodia {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

/// The links of an environment's chains.
struct Links {
  std::vector<std::int32_t> row;         ///< kLinkRows per link, ascending
  std::vector<std::uint8_t> free;        ///< one per row
  std::vector<Matrix6> diagonal, lower;  ///< B_kk, B_k(k-1); no lower at the first link

  auto n_link() const { return static_cast<std::int32_t>(diagonal.size()); }
  /// Position of a row in the lists; -1 if it belongs to no chain.
  std::int32_t place(std::int32_t r) const {
    const auto found = std::lower_bound(row.begin(), row.end(), r);
    return found != row.end() && *found == r ? static_cast<std::int32_t>(found - row.begin()) : -1;
  }
};

/// Adds the blocks of A of a link and between it and the link before.
void add_link(const ContactProblem& problem, std::int32_t first_row, bool first, Links* links) {
  const BlockPattern& pattern = *problem.A.pattern;
  Matrix6 own = Matrix6::Zero(), left = Matrix6::Zero();
  for (std::int32_t r = 0; r < kLinkRows; ++r) {
    const std::int32_t row = first_row + r;
    links->row.push_back(row);
    for (std::int32_t b = pattern.row_begin[row]; b < pattern.row_begin[row + 1]; ++b) {
      const std::int32_t column = pattern.column[b] - first_row;
      if (column >= 0 && column < kLinkRows)
        own.block<3, 3>(3 * r, 3 * column) = to_eigen(problem.A.block(b));
      else if (!first && column >= -kLinkRows && column < 0)
        left.block<3, 3>(3 * r, 3 * (column + kLinkRows)) = to_eigen(problem.A.block(b));
    }
  }
  links->diagonal.push_back(own);
  links->lower.push_back(left);
}

/// B_kk += kv Jv^T Jv.
void add_point_constraints(const ContactProblem& problem, const Nodalization& nodes, int e,
                           Links* links) {
  const ContactPoints& points = problem.points;
  for (std::int32_t k = problem.first_point(e); k < problem.first_point(e + 1); ++k) {
    for (std::int32_t a = points.begin[k]; a < points.begin[k + 1]; ++a) {
      const std::int32_t i = links->place(points.row[a]);
      if (i < 0) continue;
      for (std::int32_t b = points.begin[k]; b < points.begin[k + 1]; ++b) {
        const std::int32_t j = links->place(points.row[b]);
        if (j < 0 || j / kLinkRows != i / kLinkRows) continue;
        links->diagonal[i / kLinkRows].block<3, 3>(3 * (i % kLinkRows), 3 * (j % kLinkRows)) +=
            nodes.gain[k] * to_eigen(points.J[a]).transpose() * to_eigen(points.J[b]);
      }
    }
  }
}

/// Replaces rows with contacts by the identity, without coupling.
void fix_rows_in_contact(const ContactProblem& problem, int e, Links* links) {
  links->free.assign(links->row.size(), 1);
  for (std::int32_t m = problem.env_contact_begin[e]; m < problem.env_contact_begin[e + 1]; ++m)
    for (const std::int32_t side : {problem.contacts[m].side_i, problem.contacts[m].side_j})
      if (side != kWorld && !problem.is_point(side))
        if (const std::int32_t i = links->place(side); i >= 0) links->free[i] = 0;
  for (std::int32_t k = 0; k < links->n_link(); ++k) {
    Matrix6 &own = links->diagonal[k], &left = links->lower[k];
    for (std::int32_t r = 0; r < kLinkRows; ++r) {
      if (links->free[kLinkRows * k + r] == 0) {
        own.middleRows<3>(3 * r).setZero();
        own.middleCols<3>(3 * r).setZero();
        own.block<3, 3>(3 * r, 3 * r).setIdentity();
        left.middleRows<3>(3 * r).setZero();
      }
      if (k > 0 && links->free[kLinkRows * (k - 1) + r] == 0) left.middleCols<3>(3 * r).setZero();
    }
  }
}

/// Divides a chain's range of the arrays into segments.
Chain cut(std::int32_t first_link, std::int32_t n_link) {
  Chain chain;
  chain.first_link = first_link;
  chain.n_link = n_link;
  chain.segment = std::max(1, (n_link + kSegments - 1) / kSegments);
  while ((1 << chain.n_step) < chain.segment) ++chain.n_step;
  return chain;
}

/// c := add + sign a b for the matrices of every segment (Chains::chain_factor).
template <bool a_transposed, bool b_transposed>
void multiply(double sign, const double* a, const double* b, const double* add, double* c) {
  constexpr int n = kValuesOfLink;
  double product[kSegmentMatrix];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum[kSegments] = {};
      for (int k = 0; k < n; ++k) {
        const double* x = a + (a_transposed ? n * k + i : n * i + k) * kSegments;
        const double* y = b + (b_transposed ? n * j + k : n * k + j) * kSegments;
        for (int s = 0; s < kSegments; ++s) sum[s] += x[s] * y[s];
      }
      for (int s = 0; s < kSegments; ++s) product[(n * i + j) * kSegments + s] = sign * sum[s];
    }
  for (int i = 0; i < kSegmentMatrix; ++i) c[i] = add != nullptr ? add[i] + product[i] : product[i];
}

/// Inverts symmetric positive definite matrices in place by Gauss-Jordan elimination.
void invert(double* a) {
  constexpr int n = kValuesOfLink;
  const auto at = [&](int i, int j) { return a + (n * i + j) * kSegments; };
  for (int k = 0; k < n; ++k) {
    double pivot[kSegments];
    for (int s = 0; s < kSegments; ++s) pivot[s] = 1 / at(k, k)[s];
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      double factor[kSegments];
      for (int s = 0; s < kSegments; ++s) factor[s] = at(i, k)[s] * pivot[s];
      for (int j = 0; j < n; ++j)
        if (j != k)
          for (int s = 0; s < kSegments; ++s) at(i, j)[s] -= factor[s] * at(k, j)[s];
      for (int s = 0; s < kSegments; ++s) at(i, k)[s] = -factor[s];
    }
    for (int j = 0; j < n; ++j)
      if (j != k)
        for (int s = 0; s < kSegments; ++s) at(k, j)[s] *= pivot[s];
    for (int s = 0; s < kSegments; ++s) at(k, k)[s] = pivot[s];
  }
}

/// Computes the factors of a chain in the order of its kernels.
class ChainFactors {
 public:
  /// @param out  [chain.n_factor() kSegmentMatrix]
  ChainFactors(const Chain& chain, const Links& links, double* out)
      : chain_(chain),
        out_(out),
        own_((chain.segment + 1) * kSegmentMatrix, 0.0),
        left_((chain.segment + 1) * kSegmentMatrix, 0.0) {
    take(links);
    for (int h = 1; h < chain.segment; h *= 2)
      for (int e = h; e < chain.segment; e += 2 * h) eliminate(e, h);
    invert_separators();
  }

 private:
  double* own(int place) { return own_.data() + place * kSegmentMatrix; }
  double* left(int place) { return left_.data() + place * kSegmentMatrix; }
  double* factor(int place, LinkFactor which) {
    return out_ +
           (std::int64_t{place - 1} * kLinkFactors + static_cast<int>(which)) * kSegmentMatrix;
  }
  static Matrix6 of_segment(const double* m, int s) {
    Matrix6 own;
    for (int i = 0; i < kLinkMatrixSize; ++i) own.data()[i] = m[i * kSegments + s];
    return own;
  }

  /// Copies B of the links; the identity for missing links.
  void take(const Links& links) {
    for (int place = 1; place <= chain_.segment; ++place)
      for (int s = 0; s < kSegments; ++s) {
        const int k = chain_.link_at(s, place);
        const bool exists = k < chain_.n_link;
        const Matrix6 diagonal =
            exists ? links.diagonal[chain_.first_link + k] : Matrix6(Matrix6::Identity());
        for (int i = 0; i < kLinkMatrixSize; ++i) {
          own(place)[i * kSegments + s] = diagonal.data()[i];
          if (exists) left(place)[i * kSegments + s] = links.lower[chain_.first_link + k].data()[i];
        }
      }
  }

  void eliminate(int e, int h) {
    double* const inverse = factor(e, LinkFactor::inverse);
    double* const to_before = factor(e, LinkFactor::to_before);
    double* const to_after = factor(e, LinkFactor::to_after);
    const int before = e - h, after = chain_.place_after(e, h);
    std::copy_n(own(e), kSegmentMatrix, inverse);
    invert(inverse);
    multiply<true, false>(-1, left(e), inverse, nullptr, to_before);
    multiply<false, false>(-1, left(after), inverse, nullptr, to_after);
    multiply<false, false>(1, to_before, left(e), own(before), own(before));
    multiply<false, true>(1, to_after, left(after), own(after), own(after));
    multiply<false, false>(1, to_after, left(e), nullptr, left(after));
  }

  /// Computes T, from the last block of the tridiagonal matrix's inverse upwards, row by row.
  void invert_separators() {
    const int n = chain_.n_separator(), m = chain_.segment;
    std::vector<Matrix6> inverse(n), up(n), row(n);
    for (int k = 0; k < n; ++k) {
      Matrix6 S = of_segment(own(m), k);
      if (k + 1 < kSegments) S += of_segment(own(0), k + 1);
      if (k > 0) {
        const Matrix6 left_of_k = of_segment(left(m), k);
        up[k] = -inverse[k - 1] * left_of_k.transpose();
        S += left_of_k * up[k];
      }
      inverse[k] = S.llt().solve(Matrix6::Identity());
    }
    double* const T = factor(m, LinkFactor::inverse);
    std::fill_n(T, n * kSegmentMatrix, 0.0);
    const auto store = [&](const Matrix6& block, int i, int j) {
      for (int column = 0; column < kValuesOfLink; ++column)
        for (int r = 0; r < kValuesOfLink; ++r)
          T[kSegmentMatrix * j + (kValuesOfLink * r + column) * kSegments + i] = block(r, column);
    };
    for (int k = n - 1; k >= 0; --k) {
      if (k + 1 < n) {
        for (int j = k + 1; j < n; ++j) row[j] = up[k + 1] * row[j];
        row[k] = inverse[k] + row[k + 1] * up[k + 1].transpose();
      } else {
        row[k] = inverse[k];
      }
      for (int j = k; j < n; ++j) {
        store(row[j], k, j);
        if (j > k) store(row[j].transpose(), j, k);
      }
    }
  }

  const Chain& chain_;
  double* const out_;
  std::vector<double> own_, left_;  ///< positions 0 .. m: diagonal block of a remaining link, and
                                    ///< block to the remaining link before
};

}  // namespace

void ChainPart::prepare(PartSetUp& s, Chains<HostMemory>* chains) {
  static_assert(kLinkRows == kRowsOfLink);
  ChainOffsets next;
  for (int e = 0; e <= s.problem.n_env(); ++e) {
    LoopRange& range = s.ranges[e];
    static_cast<ChainOffsets&>(range) = next;
    static_cast<ChainCounts&>(range) = {};
    if (e == s.problem.n_env()) break;
    for_bodies(s.problem, e, is_chain, [&](const Body& body) {
      const Chain chain = cut(range.n_link, body.n_row / kLinkRows);
      ++range.n_chain;
      range.n_link += chain.n_link;
      next.first_chain_factor += chain.n_factor();
      next.first_chain_work += chain.n_work();
    });
    next.first_chain += range.n_chain;
    next.first_link += range.n_link;
  }
  chains->chain.resize(next.first_chain);
  chains->chain_row.resize(kRowsOfLink * next.first_link);
  chains->chain_matrix.resize(2 * kLinkMatrixSize * next.first_link);
  chains->chain_factor.resize(kSegmentMatrix * next.first_chain_factor);
}

void ChainPart::fill(const PartSetUp& s, int e, Chains<HostMemory>* chains) {
  const LoopRange& range = s.ranges[e];
  if (range.n_chain == 0) return;
  Links links;
  Chain* next = chains->chain.data() + range.first_chain;
  std::int64_t factor = 0, work = 0;
  for_bodies(s.problem, e, is_chain, [&](const Body& body) {
    Chain chain = cut(links.n_link(), body.n_row / kLinkRows);
    chain.first_factor = factor;
    chain.first_work = work;
    factor += chain.n_factor();
    work += chain.n_work();
    *next++ = chain;
    for (std::int32_t k = 0; k < chain.n_link; ++k)
      add_link(s.problem, body.first_row + kLinkRows * k, k == 0, &links);
  });
  add_point_constraints(s.problem, s.nodes, e, &links);
  fix_rows_in_contact(s.problem, e, &links);
  std::int32_t* row = chains->chain_row.data() + kRowsOfLink * range.first_link;
  for (std::size_t i = 0; i < links.row.size(); ++i)
    row[i] = links.free[i] != 0 ? s.rows.local_row(links.row[i]) : -1;

  double* matrix = chains->chain_matrix.data() + 2 * kLinkMatrixSize * range.first_link;
  for (std::int32_t k = 0; k < links.n_link(); ++k)
    for (const Matrix6* m : {&links.diagonal[k], &links.lower[k]})
      matrix = std::copy_n(m->data(), m->size(), matrix);

  double* const first = chains->chain_factor.data() + kSegmentMatrix * range.first_chain_factor;
  for (int c = 0; c < range.n_chain; ++c) {
    const Chain& chain = chains->chain[range.first_chain + c];
    ChainFactors(chain, links, first + kSegmentMatrix * chain.first_factor);
  }
}

}  // namespace nodia
