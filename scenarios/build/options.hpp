/// Keys of a scenario's options: solver, time, contact, output.
#pragma once

#include <string>

#include "host/io/contact_columns.hpp"
#include "host/scene/scene.hpp"
#include "host/solvers/solver_options.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

/// Most environments of a batch.
inline constexpr int kMaxEnvironments = 100000;

struct OutputOptions {
  int every_steps = 1;            ///< a frame of the trajectory every so many steps [1, 1e9]
  int part_frames = 100;          ///< frames in one part of the trajectory file [1, 1e6]
  std::string record_envs = "0";  ///< environments with a trajectory: all, none, or e.g. 0,3,17
  ContactGroups contact_columns = ContactGroups::automatic;  ///< of steps.csv
};

template <class V>
void visit_keys(V& v, SolverOptions& s) {
  VisitorOf<V> visitor(v);
  visit_keys(static_cast<KeyVisitor&>(visitor), s);
}

template <class V>
void visit_keys(V& v, TimeOptions& t) {
  v.real({"step_s", "length of a time step [s]", "try 0.01"}, t.step_s, Range::above_to(0, 1));
  v.real({"theta", "time scheme: 1/2 passive midpoint, 1 linearised implicit Euler [-]", "try 1"},
         t.theta, Range::between(0.5, 1));
  v.real({"duration_s", "length of the simulation [s]", "try 1"}, t.duration_s, Range::positive());
  v.boolean({"geometric_stiffness",
             "of the joints of cables and rigid bodies: keeps tight cables stable at large steps, "
             "damps turns in proportion to the step"},
            t.geometric_stiffness);
}

template <class V>
void visit_keys(V& v, ContactOptions& c) {
  v.real(
      {"margin_m", "what is closer than this, plus twice its approach in a step, is a contact [m]",
       "try 2e-3"},
      c.margin_m, Range::not_negative());
  v.real({"rest_speed_m_s", "slower approaches have no restitution [m/s]", "try 0.01"},
         c.rest_speed_m_s, Range::not_negative());
  v.real({"penetration_recovery", "share of a penetration removed per step [-]", "try 0.2"},
         c.penetration_recovery, Range::between(0, 1));
  v.real({"recovery_speed_m_s", "largest speed of the recovery [m/s]", "try 0.5"},
         c.recovery_speed_m_s, Range::positive());
}

template <class V>
void visit_keys(V& v, OutputOptions& o) {
  v.integer({"every_steps", "steps between frames of the trajectory", "try 1"}, o.every_steps, 1,
            1'000'000'000);
  v.integer({"part_frames", "frames in one part of the trajectory file", "try 100"}, o.part_frames,
            1, 1'000'000);
  v.text({"record_envs", "environments with a trajectory: all, none, or e.g. 0,3,17"},
         o.record_envs);
  v.choice({"contact_columns",
            "contact forces in steps.csv: of every pair of objects that can touch and of every "
            "object, of objects alone, or none; auto: pairs where there are at most 64"},
           o.contact_columns,
           Choices<ContactGroups>{{"auto", ContactGroups::automatic},
                                  {"pairs", ContactGroups::pairs},
                                  {"bodies", ContactGroups::bodies},
                                  {"none", ContactGroups::none}});
}

}  // namespace nodia
