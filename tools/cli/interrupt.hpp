/// SIGINT and SIGTERM as a request that the time loop honours between two steps.
#pragma once

namespace nodia::cli {

/// From now on the first SIGINT or SIGTERM only sets a mark; a second of the same kind ends the
/// process at once.
void catch_interrupts();

/// A request has arrived.
bool interrupted();

/// Thrown by verbs that write nothing until they are done; main ends with kInterrupted.
struct Interrupted {};

}  // namespace nodia::cli
