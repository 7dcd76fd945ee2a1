/// Signals that ask for an end, and work that takes long.
///
/// The first SIGINT, SIGTERM, SIGHUP or SIGXCPU sets a mark; a second one, of any of these kinds,
/// ends the process at once. Loops ask for the mark and end in order. Where nobody has asked for
/// half a second, because a step or a set-up takes long, a watching thread ends the process in the
/// place of the work: no function below has to know of interrupts.
#pragma once

#include <functional>
#include <string>

namespace nodia::cli {

/// From now on. SIGHUP stays ignored where it is, as under nohup.
void catch_interrupts();

/// A request has arrived; who asks and hears so ends in its own way, in time.
bool interrupted();

/// What the watching thread calls, once, while the caller's work goes on beside it and never comes
/// back; `end` must lock what that work may touch. Its value is the exit code; until one is given
/// kInterrupted, with nothing done.
void end_by(std::function<int()> end);

/// On a terminal, after a second without a call: a line `what, 12 s`; an empty one ends that.
void working_on(const std::string& what);

/// Thrown by verbs that write nothing until they are done; main ends with kInterrupted.
struct Interrupted {};

}  // namespace nodia::cli
