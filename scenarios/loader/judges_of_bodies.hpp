/// Judges of forces, positions and momentum of all kinds of bodies.
#pragma once

#include <memory>
#include <string>

#include "scenarios/loader/judge.hpp"

namespace nodia {

using JudgePointer = std::unique_ptr<ScenarioChecks::Judge>;

JudgePointer make_judge(const std::string& name, const Scene& scene, const ReferenceCsv& check);
JudgePointer make_judge(const std::string& name, const Scene& scene, const BodyPosition& check);
JudgePointer make_judge(const std::string& name, const Scene& scene, const SensorForce& check);
JudgePointer make_judge(const std::string& name, const Scene& scene, const ForceBalance& check);
JudgePointer make_judge(const std::string& name, const Scene& scene, const Drift& check);
JudgePointer make_judge(const std::string& name, const Scene& scene, const ContactForce& check);

}  // namespace nodia
