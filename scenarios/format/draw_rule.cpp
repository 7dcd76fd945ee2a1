#include "scenarios/format/draw_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/core/number.hpp"
#include "kernels/core/rotation.hpp"
#include "scenarios/format/portable_math.hpp"

namespace nodia {
namespace {

constexpr double kPi = 3.14159265358979323846;
/// Largest distance of the nearer end of `within` from the mean, in standard deviations. Beyond it
/// the probability of the interval underflows.
constexpr double kFarthest = 37;

/// Inverse of an increasing function in [low, high], by bisection to the last bit.
template <class Function>
double place_of(double value, double low, double high, const Function& function) {
  while (true) {
    const double middle = low + 0.5 * (high - low);
    if (!(middle > low && middle < high)) return low;
    (function(middle) < value ? low : high) = middle;
  }
}

double log_uniform(double low, double high, double u) {
  const double from = portable::logarithm(low), to = portable::logarithm(high);
  return std::clamp(portable::exponential(from + u * (to - from)), low, high);
}

/// Truncated normal distribution, by the inverse of the distribution function. Uses the tail in
/// which the function is small, to avoid cancellation.
double cut_normal(double mean, double deviation, double low, double high, double u) {
  const double a = (low - mean) / deviation, b = (high - mean) / deviation;
  const double share = portable::normal_between(a, b);
  const bool from_above = a > 0;
  const double z = place_of(u * share, a, b, [&](double x) {
    return from_above ? portable::normal_above(a) - portable::normal_above(x)
                      : portable::normal_between(a, x);
  });
  return std::clamp(mean + deviation * z, low, high);
}

/// Uniform sample of the unit sphere (Marsaglia 1972).
Vec3d direction(const DrawSeed& draw, const std::string& key) {
  const auto [x, y, s] = DrawStream(draw, key).in_disc();
  const double root = 2 * std::sqrt(1 - s);
  return {x * root, y * root, 1 - 2 * s};
}

Quaternion turn(Vec3d axis, double angle) {
  const double s = portable::sine(angle / 2) / std::sqrt(dot(axis, axis));
  return {portable::cosine(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

/// Uniform sample of the rotations with an angle of at most `within_rad`. The density of the angle
/// is proportional to 1 - cos.
Quaternion turn_of(const RotationRule& rule, const std::string& key, const DrawSeed& draw) {
  const double within = rule.within_rad.value_or(kPi), u = draw_unit(draw, key);
  if (rule.about) return turn(*rule.about, within * (2 * u - 1));
  const double angle = place_of(u * portable::less_sine(within), 0, within, &portable::less_sine);
  return turn(direction(draw, key), angle);
}

YamlNode list_of(const std::array<double, 4>& values) {
  YamlNode node;
  node.kind = YamlKind::sequence;
  for (const double value : values) node.children.push_back(yaml_scalar(value));
  return node;
}

/// Orientation in the file. Identity if the file has none, or not four numbers.
Quaternion orientation(const YamlNode* written) {
  if (!written || written->children.size() != 4) return {};
  std::array<double, 4> q{};
  for (std::size_t k = 0; k < 4; ++k) q[k] = parse_real(written->children[k].text).value_or(0);
  if (q == std::array<double, 4>{}) return {};
  return normalized(Quaternion{q[0], q[1], q[2], q[3]});
}

YamlNode turned(Quaternion turn, const YamlNode* written) {
  const Quaternion q = normalized(turn * orientation(written));
  return list_of({q.w, q.x, q.y, q.z});
}

YamlNode whole(double value) {
  return yaml_plain(fmt::format("{:.0f}", value));
}

const std::vector<double>* range_of(const DrawRule& rule) {
  for (const auto* range : {&rule.uniform, &rule.log_uniform, &rule.within, &rule.integer})
    if (*range) return &**range;
  return nullptr;
}

std::string broken_normal(const DrawRule& rule) {
  if (!rule.within) return "beside within: [low, high]";
  const double mean = rule.normal->front(), deviation = rule.normal->back();
  if (!(deviation > 0)) return "[mean, standard deviation] with a standard deviation > 0";
  const double low = (rule.within->front() - mean) / deviation;
  const double high = (rule.within->back() - mean) / deviation;
  if (low > kFarthest || high < -kFarthest || !std::isfinite(high - low))
    return fmt::format("[mean, standard deviation] whose mean lies within {} of them of `within`",
                       kFarthest);
  return "";
}

}  // namespace

std::string broken_rule(const DrawRule& rule) {
  const int n_kind = !!rule.uniform + !!rule.log_uniform + !!rule.normal + !!rule.integer +
                     !!rule.choice + !!rule.rotation + !!rule.same_as;
  if (n_kind != 1)
    return "exactly one of uniform, log_uniform, normal, integer, choice, rotation, same_as";
  if (rule.within && !rule.normal) return "without within, which belongs to normal";
  if (rule.times && !rule.same_as) return "without times, which belongs to same_as";
  if (const std::vector<double>* range = range_of(rule)) {
    if (!(range->front() <= range->back())) return "[low, high] with low <= high";
    if (!std::isfinite(range->back() - range->front())) return "[low, high] of finite width";
  }
  if (rule.normal) return broken_normal(rule);
  if (rule.integer)
    for (const double end : *rule.integer)
      if (end != std::floor(end)) return "[low, high], both whole numbers";
  if (rule.rotation && rule.rotation->about) {
    const double squared = dot(*rule.rotation->about, *rule.rotation->about);
    if (!(squared > 1e-200 && squared < 1e200)) return "a turn about an axis that has a length";
  }
  return "";
}

YamlNode draw_value(const DrawRule& rule, const DrawSeed& draw, const YamlNode* written) {
  if (rule.rotation) return turned(turn_of(*rule.rotation, rule.key, draw), written);
  const double u = draw_unit(draw, rule.key);
  if (rule.choice)
    return (*rule.choice)[static_cast<std::size_t>(u * static_cast<double>(rule.choice->size()))];
  const double low = range_of(rule)->front(), high = range_of(rule)->back();
  if (rule.integer) return whole(std::min(low + std::floor(u * (high - low + 1)), high));
  if (rule.log_uniform) return yaml_scalar(log_uniform(low, high, u));
  if (rule.normal)
    return yaml_scalar(cut_normal(rule.normal->front(), rule.normal->back(), low, high, u));
  return yaml_scalar(low + u * (high - low));
}

std::vector<YamlNode> extreme_values(const DrawRule& rule, const YamlNode* written) {
  if (rule.choice) return *rule.choice;
  if (rule.rotation) return {turned({}, written), turned({0.5, 0.5, 0.5, 0.5}, written)};
  std::vector<YamlNode> ends;
  for (const double end : *range_of(rule))
    ends.push_back(rule.integer ? whole(end) : yaml_scalar(end));
  return ends;
}

std::optional<YamlNode> times(const YamlNode& value, double factor) {
  const bool plain = value.kind == YamlKind::scalar && !value.quoted;
  const std::optional<double> number = plain ? parse_real(value.text) : std::nullopt;
  if (!number) return std::nullopt;
  return yaml_scalar(*number * factor);
}

}  // namespace nodia
