#include "host/solvers/cond/soft_input.hpp"

#include "fem/soft/tet_model.hpp"

namespace nodia {
namespace {

/// Adds a row of A and b. @param node  counted from the environment's first
void send(const ContactProblem& p, const RowLayout& rows, int env, std::int32_t node,
          SoftInput* input) {
  const BlockPattern& pattern = *p.A.pattern;
  const std::int32_t first = p.env_node_begin[env], row = first + node;
  const auto begin = p.A.value.begin() + 9 * std::ptrdiff_t{pattern.row_begin[row]};
  SentRow sent;
  sent.env = env;
  sent.row = rows.local_row(row);
  sent.first_block = pattern.row_begin[row] - pattern.row_begin[first];
  sent.first_value = static_cast<std::int32_t>(input->value.size() / 9);
  sent.b = p.b[row];
  input->sent.push_back(sent);
  input->value.insert(input->value.end(), begin,
                      p.A.value.begin() + 9 * std::ptrdiff_t{pattern.row_begin[row + 1]});
}

}  // namespace

int soft_node_count(const SoftSource& source) {
  return source.model == nullptr ? 0 : source.model->n_node();
}

void gather(const ContactProblem& p, const RowLayout& rows, SoftInput* input) {
  input->first_node.assign(1, 0);
  input->x.clear();
  input->v.clear();
  input->loads.clear();
  input->sent.clear();
  input->value.clear();
  for (int e = 0; e < p.n_env(); ++e) {
    const SoftSource& source = p.soft[static_cast<std::size_t>(e)];
    const int n_soft = soft_node_count(source);
    input->x.insert(input->x.end(), source.x, source.x + n_soft);
    input->v.insert(input->v.end(), source.v, source.v + n_soft);
    input->first_node.push_back(input->first_node.back() + n_soft);
    for (const SoftNodeLoad& load : source.loads)
      input->loads.push_back({e, load.node, {load.diagonal, load.external, load.push}});
    for (const std::int32_t node : source.others) send(p, rows, e, node, input);
    const std::int32_t n_row = p.env_node_begin[e + 1] - p.env_node_begin[e];
    for (std::int32_t node = n_soft; node < n_row; ++node) send(p, rows, e, node, input);
  }
}

}  // namespace nodia
