/// Keys of a scenario's options: solver, time, contact, output.
#pragma once

#include <string>

#include "host/io/contact_columns.hpp"
#include "host/scene/keys.hpp"
#include "host/scene/scene.hpp"
#include "host/solvers/solver_options.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

/// Largest number of environments of a batch.
inline constexpr int kMaxEnvironments = 100000;

struct OutputOptions {
  int every_steps = 1;            ///< time steps between frames of the trajectory [1, 1e9]
  int part_frames = 100;          ///< frames in one part of the trajectory file [1, 1e6]
  std::string record_envs = "0";  ///< environments with a trajectory: all, none, or e.g. 0,3,17
  ContactGroups contact_columns = ContactGroups::automatic;  ///< contact forces in steps.csv
};

inline void visit_keys(DocumentVisitor& v, OutputOptions& o) {
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
