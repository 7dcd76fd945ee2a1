/// Interrupts by signals, also during long work.
///
/// The first SIGINT, SIGTERM, SIGHUP or SIGXCPU sets a flag; a second one of any of these signals
/// ends the process at once. Loops call interrupted() and end in order. If no call follows within
/// half a second, because a step or a set-up takes long, a watching thread ends the process.
/// Therefore the functions that do the work need no code for interrupts.
#pragma once

#include <functional>
#include <string>

namespace nodia::cli {

/// Installs the signal handlers and starts the watching thread. An ignored SIGHUP (nohup) stays
/// ignored.
void catch_interrupts();

/// True after a signal. The caller must then end its work within a short time.
bool interrupted();

/// Sets the function that the watching thread calls to end the process. The work of the main thread
/// continues in parallel until the process ends, so `end` must lock the data of this work.
/// @param end  returns the exit code. If it is empty, the exit code is kInterrupted
void end_by(std::function<int()> end);

/// Names the present work. After a second a terminal shows the line `what, 12 s` until the next
/// call.
/// @param what  empty: no line
void working_on(const std::string& what);

/// Thrown after an interrupt by verbs that write no files until they are done. The exit code is
/// kInterrupted.
struct Interrupted {};

}  // namespace nodia::cli
