#include "fem/frames/rod.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/core/error.hpp"

namespace nodia {

namespace {

constexpr double kPi = std::numbers::pi;

void require_links(int n_link) {
  require(n_link >= 1, "n_link", n_link, "at least 1", "a rod is a chain of links");
}

void require_positive(const std::string& key, double value, const std::string& hint) {
  require(value > 0 && std::isfinite(value), key, value, "positive and finite", hint);
}

void set_stiffness(const RodSection& section, const RodMaterial& material, double length,
                   FrameJoint* joint) {
  const double E = material.youngs_modulus_Pa, G = material.shear_modulus_Pa();
  const double shear = material.shear_correction * G * section.area_m2;
  joint->stiffness_N_m = (1 / length) * Vec3d{shear, shear, E * section.area_m2};
  joint->stiffness_Nm_rad =
      (1 / length) * Vec3d{E * section.second_moment_x_m4, E * section.second_moment_y_m4,
                           G * section.torsion_constant_m4};
  joint->damping_s = material.damping_s;
}

/// Smallest rotation that maps the unit vector a to b.
Quaternion least_turn(Vec3d a, Vec3d b) {
  const Vec3d axis = cross(a, b);
  const double length = norm(axis);
  if (length > 0) return quaternion_exp((std::atan2(length, dot(a, b)) / length) * axis);
  return dot(a, b) > 0 ? Quaternion{} : quaternion_exp(kPi * frame_from_normal(a).row[1]);
}

}  // namespace

RodSection RodSection::circle(double radius_m) {
  require_positive("radius_m", radius_m, "radius of the section");
  const double r2 = radius_m * radius_m;
  return {kPi * r2, kPi * r2 * r2 / 4, kPi * r2 * r2 / 4, kPi * r2 * r2 / 2};
}

RodSection RodSection::rectangle(double width_m, double height_m) {
  require_positive("width_m", width_m, "side of the section along e_x");
  require_positive("height_m", height_m, "side of the section along e_y");
  const double a = std::max(width_m, height_m), b = std::min(width_m, height_m);
  // J = a b^3/3 (1 - 192/pi^5 (b/a) sum over odd n of tanh(n pi a/(2 b))/n^5)
  double sum = 0;
  for (int n = 399; n >= 1; n -= 2) sum += std::tanh(n * kPi * a / (2 * b)) / std::pow(n, 5);
  const double J = a * b * b * b / 3 * (1 - 192 / std::pow(kPi, 5) * (b / a) * sum);
  const double area = width_m * height_m;
  return {area, area * height_m * height_m / 12, area * width_m * width_m / 12, J};
}

void visit_keys(KeyVisitor& v, RodMaterial& m) {
  v.real({"youngs_modulus_Pa", "[Pa]", "1e7 is rubber"}, m.youngs_modulus_Pa, Range::positive());
  v.real({"poissons_ratio", "[-]", "try 0.3"}, m.poissons_ratio, Range::above_to(-1, 0.5));
  v.real({"density_kg_m3", "[kg/m^3]", "water has 1000"}, m.density_kg_m3, Range::positive());
  v.real({"shear_correction", "k of the shear stiffness k G A [-]", "try 1"}, m.shear_correction,
         Range::positive());
  v.real({"damping_s", "beta of D = beta K in the joints [s]", "try 0"}, m.damping_s,
         Range::not_negative());
  v.real({"drag_translation_N_s_m", "viscous drag on every link [N s/m]", "try 0"},
         m.drag_translation_N_s_m, Range::not_negative());
  v.real({"drag_rotation_Nms_rad", "viscous drag on every link [N m s/rad]", "try 0"},
         m.drag_rotation_Nms_rad, Range::not_negative());
}

void RodMaterial::validate(const std::string& prefix) const {
  KeyCheck check(prefix);
  RodMaterial copy = *this;
  visit_keys(check, copy);
}

std::vector<RodLink> straight_rod(const FramePose& start, double length_m, int n_link) {
  require_links(n_link);
  require_positive("length_m", length_m, "length of the rod");
  const double l = length_m / n_link;
  std::vector<RodLink> links(n_link);
  for (int k = 0; k < n_link; ++k)
    links[k] = {{start.to_world({0, 0, (k + 0.5) * l}), start.orientation}, l};
  return links;
}

std::vector<RodLink> arc_rod(const FramePose& start, double radius_m, double angle_rad,
                             int n_link) {
  require_links(n_link);
  require_positive("radius_m", radius_m, "radius of the arc");
  require(std::isfinite(angle_rad) && angle_rad != 0, "angle_rad", angle_rad, "not zero",
          "use straight_rod");
  const double step = angle_rad / n_link;
  // The chord of more than half a circle would point backwards.
  require(std::fabs(step) < kPi, "n_link", n_link, "more than |angle_rad|/pi", "use more links");
  const double chord = 2 * radius_m * std::sin(std::fabs(step) / 2);
  const double side = angle_rad > 0 ? radius_m : -radius_m;
  const double to_middle = std::cos(step / 2);
  std::vector<RodLink> links(n_link);
  for (int k = 0; k < n_link; ++k) {
    const double turn = (k + 0.5) * step;
    const Vec3d middle{side * (1 - to_middle * std::cos(turn)), 0,
                       side * to_middle * std::sin(turn)};
    links[k] = {
        {start.to_world(middle), normalized(start.orientation * quaternion_exp({0, turn, 0}))},
        chord};
  }
  return links;
}

std::vector<RodLink> polyline_rod(const std::vector<Vec3d>& points, Vec3d x_direction, int n_link) {
  require_links(n_link);
  require(points.size() >= 2, "points", static_cast<double>(points.size()), "at least 2 points",
          "a polyline has a beginning and an end");
  std::vector<double> arc{0};
  for (std::size_t k = 1; k < points.size(); ++k) {
    arc.push_back(arc.back() + norm(points[k] - points[k - 1]));
    require(arc[k] > arc[k - 1], "points", static_cast<double>(k), "different from its predecessor",
            "remove the repeated point");
  }
  std::vector<Vec3d> vertex(n_link + 1);
  std::size_t piece = 1;
  for (int k = 0; k <= n_link; ++k) {
    const double s = arc.back() * k / n_link;
    while (piece + 1 < points.size() && arc[piece] < s) ++piece;
    const double part = (s - arc[piece - 1]) / (arc[piece] - arc[piece - 1]);
    vertex[k] = points[piece - 1] + part * (points[piece] - points[piece - 1]);
  }
  vertex[n_link] = points.back();
  std::vector<RodLink> links(n_link);
  for (int k = 0; k < n_link; ++k) {
    const Vec3d chord = vertex[k + 1] - vertex[k];
    const double length = norm(chord);
    require(length > 1e-9 * arc.back() / n_link, "n_link", n_link,
            "such that no link folds on itself", "use more links");
    const Vec3d z = (1 / length) * chord;
    Quaternion q;
    if (k > 0) {
      const Quaternion before = links[k - 1].pose.orientation;
      q = least_turn(rotate(before, {0, 0, 1}), z) * before;
    } else {
      Vec3d x = x_direction - dot(x_direction, z) * z;
      if (!(norm(x) > 1e-9 * norm(x_direction))) x = frame_from_normal(z).row[1];
      x = (1 / norm(x)) * x;
      q = quaternion_from_rotation(Mat3d::from_columns(x, cross(z, x), z));
    }
    links[k] = {{0.5 * (vertex[k] + vertex[k + 1]), normalized(q)}, length};
  }
  return links;
}

double link_mass(const RodSection& section, const RodMaterial& material, double length_m) {
  return material.density_kg_m3 * section.area_m2 * length_m;
}

Mat3d link_inertia(const RodSection& section, const RodMaterial& material, double length_m) {
  const double per_moment = material.density_kg_m3 * length_m;
  const double across = link_mass(section, material, length_m) * length_m * length_m / 12;
  const double x = section.second_moment_x_m4, y = section.second_moment_y_m4;
  return {{{per_moment * x + across, 0, 0},
           {0, per_moment * y + across, 0},
           {0, 0, per_moment * (x + y)}}};
}

FrameJoint rod_joint(const RodSection& section, const RodMaterial& material, const RodLink& i,
                     const RodLink& j) {
  FrameJoint joint;
  joint.point_i = {0, 0, i.length_m / 2};
  joint.point_j = {0, 0, -j.length_m / 2};
  set_stiffness(section, material, (i.length_m + j.length_m) / 2, &joint);
  const JointStrain rest = joint_strain(joint, i.pose, j.pose);
  joint.rest_translation = rest.translation;
  joint.rest_rotation = rest.rotation;
  return joint;
}

FrameJoint rod_clamp(const RodSection& section, const RodMaterial& material, const FramePose& frame,
                     const RodLink& link, RodEnd end, double stiffness_length_m) {
  require_positive("stiffness_length_m", stiffness_length_m, "half the length of a link");
  FrameJoint joint;
  const double side = end == RodEnd::front ? 0.5 : -0.5;
  joint.point_j = {0, 0, side * link.length_m};
  joint.point_i =
      inverse_rotate(frame.orientation, link.pose.to_world(joint.point_j) - frame.position);
  joint.axes_i = normalized(conjugate(frame.orientation) * link.pose.orientation);
  set_stiffness(section, material, stiffness_length_m, &joint);
  return joint;
}

}  // namespace nodia
