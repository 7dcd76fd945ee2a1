/// Datasets whose policy is a class of Python: blocks are made in a process of Python, in which the
/// class acts (python/nodia_tools/generate.py).
#pragma once

#include <sys/types.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/build/scenario.hpp"
#include "scenarios/dataset/generator.hpp"

namespace nodia::cli {

class PolicyProcess {
 public:
  /// Starts it; it reads the class, and makes one. It ends with this process or before.
  /// @param scenario  with a class as its task's policy
  /// @throws InputError where that fails, RuntimeError without Python, or with a package of another
  /// build; Interrupted where that ended it
  explicit PolicyProcess(const Scenario& scenario);
  ~PolicyProcess();
  PolicyProcess(const PolicyProcess&) = delete;
  PolicyProcess& operator=(const PolicyProcess&) = delete;

  /// As nodia::generate(), once.
  /// @throws InputError where the file of the class is no longer what the request has
  Generated generate(const std::string& folder, const DatasetRequest& request,
                     const GenerateOptions& options, const std::atomic<bool>& stop);

 private:
  void tell(const nlohmann::json& message) const;
  /// The next message; lets it know that it is to stop. @throws what it says went wrong
  nlohmann::json answer(const std::atomic<bool>& stop);
  [[noreturn]] void throw_ended();
  bool has_ended() const;
  /// Lets it end, with all that the class leaves for its end. @return its status
  int wait_for_end();
  void close_input();

  std::string policy_;
  pid_t process_ = -1;
  int input_ = -1, output_ = -1;  ///< descriptors of its standard streams
  std::string read_;              ///< of a message that is not whole
};

}  // namespace nodia::cli
